import type { LanguageName } from "./subjects.ts";

export interface Made {
	/** Makes the name unique: `added7`. */
	readonly n: number;
	/** The compiler finds a mistake. */
	readonly isWrong: boolean;
	readonly isInClass: boolean;
	readonly isCommented?: boolean;
}

/** Whole lines, not indented. */
export function declarationFor(language: LanguageName, { n, isWrong, isInClass, isCommented = false }: Made): string {
	const value = isWrong ? `missing${n}` : String(n);
	const comment = isCommented ? `${language === "Python" ? "#" : "//"} Note ${n}.\n` : "";
	switch (language) {
		case "TypeScript":
			return `${comment}${isInClass ? "" : "export function "}added${n}(): number {\n\treturn ${value};\n}`;
		case "Python":
			return `${comment}def added${n}(${isInClass ? "self" : ""}) -> int:\n    return ${value}`;
		case "Go":
			return `${comment}func added${n}() int {\n\treturn ${value}\n}`;
		case "Rust":
			return `${comment}${isInClass ? "" : "pub "}fn added${n}(${isInClass ? "&self" : ""}) -> u32 {\n    ${value}\n}`;
		case "C":
			// A header would define the function in each unit that includes it.
			return `${comment}static int added${n} (void) {\n  return ${value};\n}`;
	}
}

/** The lines of a declaration with a comment at the start of its body; with `isWrong`, a returned name is wrong. */
export function withStatement(language: LanguageName, own: readonly string[], n: number, isWrong: boolean): string[] {
	const opening = language === "Python" ? /:\s*(?:#.*)?$/ : /\{\s*$/;
	const at = own.findIndex((line) => opening.test(line));
	const within = /^\s*/.exec(own.slice(at + 1).find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
	const mark = language === "Python" ? "#" : "//";
	const note = `${within}${mark} Note ${n}.`;
	if (at < 0) return [`${mark} Note ${n}.`, ...own];
	const simple = (line: string) => line.replace(/^(\s*return )\w+(;?)$/, `$1missing${n}$2`);
	const rest = own.slice(at + 1);
	return [...own.slice(0, at + 1), note, ...(isWrong ? rest.map(simple) : rest)];
}
