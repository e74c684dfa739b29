import { extname } from "node:path";
import type { Node } from "./node.ts";

export interface Language {
	readonly family: "script" | "python" | "go" | "c" | "rust";
	readonly grammar: string;
	readonly skipped: RegExp;
	readonly begins: RegExp;
	/** Parts that may import under other names are always read. */
	readonly imports: RegExp;
	readonly kept: RegExp;
	/** Such comments stand before declarations. */
	readonly readsComments?: boolean;
	/** For the parser, of the same length, without what its grammar lacks. */
	readonly shown?: (text: string) => string;
	readonly isHidden?: (node: Node) => boolean;
}

// One without an end reaches to the text's end: none is read twice.
const slashComments = /\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|(?![\s\S]))|\/\/.*/;
const nothing = /(?!)/;

const regularExpression =
	/\/(?<=(?:[=(,:[!&|?{};\n]|=>|\breturn)\s*\/)(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;
const callSignature = new RegExp(
	`[ \\t](?=<\\s*[\\w$])(?<=\\n[ \\t]*)(?<=(?:[\\w$)\\]}"']|[^=]>)\\s*(?:(?:${slashComments.source})\\s*)*)`,
	"g",
);
const variance =
	/\b(?:in\s+out|in|out)\b(?<=[<,]\s*(?:in\s+out|in|out))(?=\s+(?!(?:as|satisfies|in|of|instanceof|extends)\b)[\w$])/g;

const script: Language = {
	family: "script",
	grammar: "typescript",
	skipped: new RegExp(
		`${slashComments.source}|${regularExpression.source}|"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\[^])*\``,
	),
	begins: /(?:export|import|const|let|var|function|async|abstract|class|interface|type|enum|namespace|declare)\b|@/,
	imports: /^[ \t]*(?:import\b|export\s*(?:type\s*)?[{*]|\}\s*from\b)|\brequire\s*\(/m,
	kept: nothing,
	shown: (text) =>
		text
			.replace(/\bexport type(?=\s*\*)/g, "export     ")
			// A quote in a template literal type.
			.replace(/\\[\\`]/g, (pair) => (pair === "\\`" ? "__" : pair))
			.replace(variance, (word) => " ".repeat(word.length))
			// A call signature is no type argument list of the line above.
			.replace(callSignature, ";"),
	isHidden: ({ field, parent }) =>
		(field === "body" && parent?.child("return_type") !== undefined) ||
		(field === "value" && parent?.type === "variable_declarator" && parent.child("type") !== undefined),
};
const javascript: Language = {
	...script,
	grammar: "tsx",
	readsComments: true,
	kept: /@(?:\w*type\w*|param|arg\w*|returns?|callback|template|prop\w*|enum|this|extends|augments|implements|satisfies|overload|import|class|constructor|private|protected|public|readonly|override|abstract)\b/,
};
const python: Language = {
	family: "python",
	grammar: "python",
	skipped:
		/#.*|"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|'''(?:[^'\\]|\\[\s\S]|'(?!''))*'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/,
	begins: /(?!(?:else|elif|except|finally)\b)(?:\w|@)/,
	imports: /\bimport\b/,
	kept: /^#\s*type:/,
};
const go: Language = {
	family: "go",
	grammar: "go",
	skipped: new RegExp(`${slashComments.source}|"(?:[^"\\\\\\n]|\\\\.)*"|\`[^\`]*\`|'(?:[^'\\\\\\n]|\\\\.)+'`),
	begins: /(?:package|import|func|type|var|const)\b/,
	isHidden: ({ field, parent }) => field === "body" && /^(?:function|method)_declaration$/.test(parent?.type ?? ""),
	imports: nothing,
	kept: nothing,
};
const rust: Language = {
	family: "rust",
	grammar: "rust",
	isHidden: ({ field, parent }) => field === "body" && parent?.type === "function_item",
	skipped: /\/\/.*|\/\*(?:[^*/]|\*(?!\/)|\/(?!\*))*\*\/|r(#+)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\.)'/,
	begins: /(?:pub|fn|struct|enum|union|trait|impl|mod|use|const|static|type|unsafe|async|extern|macro_rules)\b|#!?\[/,
	imports: nothing,
	kept: nothing,
};
const c: Language = {
	family: "c",
	grammar: "cpp",
	skipped: new RegExp(`${slashComments.source}|"(?:[^"\\\\\\n]|\\\\[^])*"|'(?:[^'\\\\\\n]|\\\\.){1,4}'`),
	// Behind a line that ends a body, and between two prototypes. The lookbehind comes last: each of many empty lines
	// would look at all lines above.
	begins: /\S(?<=^\}.*\n+\S)|[A-Za-z_](?<=^[A-Za-z_][^\n{}]*;[ \t]*\n+[A-Za-z_])/,
	imports: nothing,
	kept: nothing,
	// A part may hold half of a condition.
	shown: (text) =>
		text
			.replace(commentOrLeftOut, (found) => (/^[ \t]*#/.test(found) ? blank(found) : found))
			.replace(conditions, blank),
};
const leftOut = /^[ \t]*#[ \t]*if 0\b[\s\S]*?(?:^[ \t]*#[ \t]*(?:el|endif).*|$(?![\s\S]))/;
const commentOrLeftOut = new RegExp(`${leftOut.source}|${c.skipped.source}`, "gm");

export const conditions = /^[ \t]*#[ \t]*(?:if|el|endif)(?:\\\r?\n|.)*/gm;

function blank(text: string): string {
	return text.replace(/[^\n]/g, " ");
}

export function languageOf(path: string): Language | undefined {
	const extension = extname(path);
	if (/^\.[mc]?ts$/.test(extension)) return script;
	if (extension === ".tsx") return { ...script, grammar: "tsx" };
	if (/^\.[mc]?jsx?$/.test(extension)) return javascript;
	if (/^\.pyi?$/.test(extension)) return python;
	if (extension === ".go") return go;
	if (extension === ".rs") return rust;
	return /^\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|inl)$/.test(extension) ? c : undefined;
}
