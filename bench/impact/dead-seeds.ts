import type { Files } from "../../test/support/workspace.ts";
import type { Random } from "../truth/random.ts";

/** An unused symbol, added to a file of a package. */
export interface DeadSymbol {
	readonly file: string;
	/** The last part of its path. */
	readonly name: string;
	readonly form: string;
}

/** `after`: the head of a type that the symbol follows; without it the symbol is appended. */
interface Form {
	readonly what: string;
	readonly after?: RegExp;
	readonly text: (name: string, number: number, type: string) => string;
}

const words = ["buffer", "cursor", "entry", "frame", "header", "margin", "offset", "ratio", "signal", "window"];
const verbs = ["apply", "collect", "derive", "fold", "measure", "narrow", "prepare", "resolve", "shift", "weigh"];

const upper = (word: string) => word[0]?.toUpperCase() + word.slice(1);

const typescript: readonly Form[] = [
	{ what: "function", text: (name, n) => `\nfunction ${name}(given: number): number {\n\treturn given + ${n};\n}\n` },
	{
		what: "recursive function",
		text: (name, n) =>
			`\nfunction ${name}(given: number): number {\n\treturn given > ${n} ? ${name}(given - 1) : given;\n}\n`,
	},
	{ what: "constant", text: (name, n) => `\nconst ${name} = ${n};\n` },
	{ what: "class", text: (name, n) => `\nclass ${upper(name)} {\n\treadonly value = ${n};\n}\n` },
	{ what: "interface", text: (name) => `\ninterface ${upper(name)} {\n\treadonly value: number;\n}\n` },
	{
		what: "private method",
		after: /^export (?:abstract )?class (\w+)[^\n;]*\{\n/gm,
		text: (name, n) => `\tprivate ${name}(): number {\n\t\treturn ${n};\n\t}\n`,
	},
];

const python: readonly Form[] = [
	{ what: "function", text: (name, n) => `\n\ndef _${name}(given: int) -> int:\n    return given + ${n}\n` },
	{
		what: "recursive function",
		text: (name, n) =>
			`\n\ndef _${name}(given: int) -> int:\n    return _${name}(given - 1) if given > ${n} else given\n`,
	},
	{ what: "constant", text: (name, n) => `\n\n_${name} = ${n}\n` },
	{ what: "class", text: (name, n) => `\n\nclass _${upper(name)}:\n    value = ${n}\n` },
	{
		what: "method",
		after: /^class (\w+)(?:\((?:object)?\))?:\n/gm,
		text: (name, n) => `    def _${name}(self) -> int:\n        return ${n}\n\n`,
	},
];

const go: readonly Form[] = [
	{ what: "function", text: (name, n) => `\nfunc ${name}(given int) int {\n\treturn given + ${n}\n}\n` },
	{
		what: "recursive function",
		text: (name, n) =>
			`\nfunc ${name}(given int) int {\n\tif given > ${n} {\n\t\treturn ${name}(given - 1)\n\t}\n\treturn given\n}\n`,
	},
	{ what: "constant", text: (name, n) => `\nconst ${name} = ${n}\n` },
	{ what: "struct", text: (name) => `\ntype ${name} struct {\n\tvalue int\n}\n` },
	{
		what: "method",
		after: /^type (\w+) struct \{\n/gm,
		text: (name, n, type) => `\nfunc (own *${type}) ${name}() int {\n\treturn ${n}\n}\n`,
	},
];

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const rust: readonly Form[] = [
	{ what: "function", text: (name, n) => `\nfn ${snake(name)}(given: u32) -> u32 {\n    given + ${n}\n}\n` },
	{
		what: "recursive function",
		text: (name, n) =>
			`\nfn ${snake(name)}(given: u32) -> u32 {\n    if given > ${n} { ${snake(name)}(given - 1) } else { given }\n}\n`,
	},
	{ what: "constant", text: (name, n) => `\nconst ${snake(name).toUpperCase()}: u32 = ${n};\n` },
	{ what: "struct", text: (name) => `\nstruct ${upper(name)} {\n    value: u32,\n}\n` },
	{
		what: "method",
		after: /^pub struct (\w+) \{\n/gm,
		text: (name, n, type) => `\nimpl ${type} {\n    fn ${snake(name)}(&self) -> u32 {\n        ${n}\n    }\n}\n`,
	},
];

const forms: readonly (readonly [name: RegExp, of: readonly Form[]])[] = [
	[/\.ts$/, typescript],
	[/\.py$/, python],
	[/\.go$/, go],
	[/\.rs$/, rust],
];

/** Adds dead symbols to sources, each form in turn. */
export function withDeadSymbols(
	sources: Files,
	count: number,
	random: Random,
): { readonly files: Files; readonly dead: readonly DeadSymbol[] } {
	const files: Record<string, string> = { ...sources };
	const paths = Object.keys(sources).sort();
	const dead: DeadSymbol[] = [];
	for (let tries = 0; dead.length < count && tries < count * 50; tries++) {
		const file = random.pick(paths) ?? "";
		const text = files[file] ?? "";
		const own = forms.find(([name]) => name.test(file))?.[1] ?? [];
		const form = own[dead.length % own.length];
		if (!form) continue;
		const isLive = ([, type]: RegExpExecArray) => !dead.some((other) => other.name === type);
		const head = form.after && random.pick([...text.matchAll(form.after)].filter(isLive));
		if (form.after && !head) continue;
		const number = random.below(900) + 100;
		const name = `${random.pick(verbs)}${upper(random.pick(words) ?? "")}${number}`;
		const written = form.text(name, number, head?.[1] ?? "");
		const isInside = head !== undefined && /\.(?:ts|py)$/.test(file);
		const at = isInside ? head.index + head[0].length : text.length;
		files[file] = `${text.slice(0, at)}${written}${text.slice(at)}`;
		const [shown = name] = /\b_*[\w]*\d{3}\b/.exec(written) ?? [];
		dead.push({ file, name: shown, form: form.what });
	}
	return { files, dead };
}
