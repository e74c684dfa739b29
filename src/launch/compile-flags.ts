import { basename, isAbsolute, resolve } from "node:path";

const harmless: readonly RegExp[] = [
	// The standard, and optimization, which defines macros.
	/^-std=[\w+:.-]+$/,
	/^-(?:ansi|pthread|nostdinc|nostdinc\+\+|nostdlibinc|undef|w|O[0-3sgz]?|Ofast)$/,
	// A comma would pass an option on: `-Wp,-MD,FILE` writes a file.
	/^-W(?:no-)?[\w+-]*(?:=[\w-]+)?$/,
	/^-pedantic(?:-errors)?$/,
	// By name: `-mllvm -load=FILE` loads a library.
	/^-f(?:no-)?(?:exceptions|cxx-exceptions|rtti|signed-char|unsigned-char|short-enums|short-wchar|char8_t|builtin|hosted|freestanding|ms-extensions|ms-compatibility|declspec|gnu89-inline|gnu-keywords|blocks|coroutines|concepts|openmp|permissive|delayed-template-parsing|operator-names|threadsafe-statics|sized-deallocation|aligned-allocation|aligned-new|trigraphs|dollars-in-identifiers|asm|asm-blocks|objc-arc|objc-weak|objc-exceptions|fast-math|pic|PIC|pie|PIE)$/,
	/^-fms-compatibility-version=[\d.]+$/,
	/^-m(?:no-)?(?:16|32|64|x32|mmx|sse[\d.]*|ssse3|sse4a|avx[\w.-]*|fma4?|f16c|bmi2?|lzcnt|popcnt|aes|vaes|pclmul|vpclmulqdq|sha|adx|rdrnd|rdseed|movbe|gfni|xsave\w*|thumb|arm|ms-bitfields|altivec|vsx|general-regs-only|red-zone)$/,
	/^-m(?:arch|cpu|tune|fpu|float-abi|abi)=[\w.+-]+$/,
	/^--target=[\w.-]+$/,
	/^-stdlib=lib(?:std)?c\+\+$/,
];

const paths: readonly (readonly [option: string, join: "joined" | "separate"])[] = [
	["-I", "joined"],
	["-F", "joined"],
	["-isystem", "separate"],
	["-iquote", "separate"],
	["-idirafter", "separate"],
	["-iframework", "separate"],
	["-isysroot", "separate"],
	["--sysroot", "separate"],
];

const languages = /^(?:c|c\+\+|objective-c|objective-c\+\+|cuda|hip)(?:-header)?$/;
const launchers = /^(?:ccache|sccache|distcc|icecc|buildcache)(?:\.exe)?$/i;

export type KnownFlags = Map<string, boolean>;

/** Keeps only harmless flags. No resulting argument begins with `@`. */
export function cleanCommand(words: readonly string[], directory: string, known?: KnownFlags): string[] {
	const [first = "", ...rest] = launchers.test(basename(words[0] ?? "")) ? words.slice(1) : words;
	const program = (first.split(/[\\/]/).at(-1) ?? "").toLowerCase();
	if (/^(?:clang-)?cl(?:\.exe)?$/.test(program))
		return [
			"clang++",
			"-fms-extensions",
			"-fms-compatibility",
			...cleanFlags(rest.map(fromMicrosoft), directory, known),
		];
	return [program.includes("++") ? "clang++" : "clang", ...cleanFlags(rest, directory, known)];
}

export function cleanFlags(flags: readonly string[], directory: string, known: KnownFlags = new Map()): string[] {
	const kept: string[] = [];
	for (let at = 0; at < flags.length; at++) {
		const flag = flags[at] ?? "";
		if (!flag.startsWith("-")) continue;
		const takeValue = (option: string) => (flag === option ? flags[++at] : flag.slice(option.length)) ?? "";
		const path = paths.find(([option]) => flag.startsWith(option));
		if (flag === "--") break;
		else if (path) {
			const [option, join] = path;
			const value = takeValue(option).replace(option === "--sysroot" ? /^=/ : "", "");
			// `-I=PATH` is relative to the sysroot.
			if (value === "" || value.startsWith("=")) continue;
			const absolute = isAbsolute(value) ? value : resolve(directory, value);
			kept.push(...(join === "joined" ? [option + absolute] : [option, absolute]));
		} else if (/^-[DU]/.test(flag)) {
			const option = flag.slice(0, 2);
			const value = takeValue(option);
			if (/^[A-Za-z_]/.test(value)) kept.push(option + value);
		} else if (/^-x/.test(flag)) {
			const value = takeValue("-x");
			if (languages.test(value)) kept.push(`-x${value}`);
		} else if (flag === "-target" || flag === "-arch") {
			const value = flags[++at] ?? "";
			// For a target with a path, clang reads a configuration file.
			if (/^[\w.-]+$/.test(value)) kept.push(flag, value);
		} else {
			const isHarmless = known.get(flag) ?? harmless.some((expression) => expression.test(flag));
			known.set(flag, isHarmless);
			if (isHarmless) kept.push(flag);
		}
	}
	return kept;
}

function fromMicrosoft(flag: string): string {
	if (!/^[-/]/.test(flag)) return flag;
	const plain = flag.replace(/^\//, "-");
	if (/^-std:/.test(plain)) return `-std=${plain.slice(5).replace("latest", "23")}`;
	if (/^-T[PC]$/.test(plain)) return plain === "-TP" ? "-xc++" : "-xc";
	return /^-[IDU]/.test(plain) ? plain : "";
}

export function splitCommand(line: string): string[] {
	const words: string[] = [];
	let word: string | undefined;
	const part = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(['"\\])/gs;
	for (const [whole, single, double, escaped, plain] of line.matchAll(part)) {
		if (/^\s/.test(whole)) {
			if (word !== undefined) words.push(word);
			word = undefined;
		} else word = (word ?? "") + (single ?? double?.replace(/\\([\\"$`\n])/g, "$1") ?? escaped ?? plain ?? "");
	}
	if (word !== undefined) words.push(word);
	return words;
}
