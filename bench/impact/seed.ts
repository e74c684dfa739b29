import type { Files } from "../../test/support/workspace.ts";
import type { ChangeSubject, LanguageName } from "../changes/subjects.ts";
import type { Random } from "../truth/random.ts";

/** A function with an added parameter that no caller passes. */
export interface Seeded {
	readonly file: string;
	readonly name: string;
	/** 1-based. */
	readonly line: number;
	/** 1-based, of the name. */
	readonly column: number;
	/** The file with the new signature. */
	readonly text: string;
}

interface Form {
	/** Ends with the opening parenthesis; the first group is the name. */
	readonly declaration: RegExp;
	readonly parameter: string;
}

const forms: Readonly<Record<Exclude<LanguageName, "C">, Form>> = {
	TypeScript: {
		declaration:
			/^(?:(?:export (?:default )?)?(?:async )?function\*? |[ \t]+(?=[^\n]*(?:\) \{|\): [^\n]*[{;])$)(?![^\n]*(?:=> \{$|\bfunction\b))(?:public |protected |private |static |async )*(?!(?:if|for|while|switch|catch|return|constructor)\b))(\w+)(?:<[^()\n]*>)?\(/dgm,
		parameter: "added: number",
	},
	Python: { declaration: /^[ \t]*(?:async )?def (\w+)\(/dgm, parameter: "added: int" },
	Go: { declaration: /^func (?:\([^()\n]*\) )?(\w+)(?:\[[^\]\n]*\])?\(/dgm, parameter: "added int" },
	Rust: {
		declaration: /^[ \t]*(?:pub(?:\([^()\n]*\))? )?(?:const |unsafe )*fn (\w+)(?:<[^()\n]*>)?\(/dgm,
		parameter: "added: u32",
	},
};

/** The receiver parameter of a method. */
const receiver = /^\s*(?:self|cls|&(?:'\w+ )?(?:mut )?self|mut self)\b(?:: [^,)]*)?,?\s*/;

/** A function, drawn with a seed, with a changed signature; undefined if the file has none. */
export function changedSignature(files: Files, subject: ChangeSubject, random: Random): Seeded | undefined {
	const { language } = subject;
	if (language === "C") return undefined;
	const { declaration, parameter } = forms[language];
	const file = random.pick(Object.keys(files).filter(subject.isSource).sort());
	const text = file === undefined ? undefined : files[file];
	if (file === undefined || text === undefined) return undefined;
	const found = random.pick([...text.matchAll(declaration)]);
	const name = found?.[1];
	const [start] = found?.indices?.[1] ?? [];
	if (!found || name === undefined || start === undefined) return undefined;
	const open = found.index + found[0].length;
	const own = receiver.exec(text.slice(open))?.[0] ?? "";
	const at = open + own.length;
	const before = own !== "" && !/,\s*$/.test(own) ? ", " : "";
	const after = /^\s*\)/.test(text.slice(at)) ? "" : ", ";
	return {
		file,
		name,
		line: text.slice(0, start).split("\n").length,
		column: start - text.lastIndexOf("\n", start - 1),
		text: `${text.slice(0, at)}${before}${parameter}${after}${text.slice(at)}`,
	};
}
