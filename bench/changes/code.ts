import type { LanguageName } from "./subjects.ts";

/** A declaration that is added to a file. */
export interface Made {
	/** Makes its name unique: `added7`. */
	readonly n: number;
	/** True for a mistake that the compiler finds. */
	readonly isWrong: boolean;
	/** True among the methods of a class. */
	readonly isInClass: boolean;
	readonly isCommented?: boolean;
}

/** Whole lines without an indentation of their own. */
export function declarationFor(language: LanguageName, { n, isWrong, isInClass, isCommented = false }: Made): string {
	const value = isWrong ? `missing${n}` : String(n);
	const comment = isCommented ? `${language === "Python" ? "#" : "//"} Says ${n}.\n` : "";
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
			// A header would define it in each unit that includes it.
			return `${comment}static int added${n} (void) {\n  return ${value};\n}`;
	}
}

/** A declaration, as lines, with a comment where its body opens; what it returns is wrong if `isWrong` and it is but a name. */
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
