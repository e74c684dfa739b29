import { extname } from "node:path";

/** What a text of a language is made of, as far as its words, strings and brackets have to be told apart. */
export interface Language {
	readonly family: "script" | "python" | "go" | "c" | "rust";
	/** What begins a comment that goes on to the end of its line. */
	readonly lineComment: "//" | "#";
	/** Comments between slash and star: whether there are some, and whether they stand within each other. */
	readonly blockComments: "none" | "flat" | "nested";
	/** The quotes of strings that need no rule of their own. */
	readonly quotes: Readonly<Record<string, Quote>>;
	/** The words that a string may begin with, directly before its quote. */
	readonly prefix?: RegExp;
	/** True if elements of JSX may stand where a value may. */
	readonly jsx: boolean;
	/** True if comments of JSDoc say types. */
	readonly docTypes: boolean;
}

export interface Quote {
	readonly escapes: boolean;
	readonly lines: boolean;
}

const line: Quote = { escapes: true, lines: false };
const plain = { '"': line, "'": line };
const slashes = { lineComment: "//", blockComments: "flat", jsx: false, docTypes: false } as const;

const typescript: Language = { ...slashes, family: "script", quotes: plain };
const python: Language = {
	...slashes,
	family: "python",
	lineComment: "#",
	blockComments: "none",
	quotes: plain,
	prefix: /^(?:[rbfut]|r[bft]|[bft]r)$/i,
};
const go: Language = { ...slashes, family: "go", quotes: { ...plain, "`": { escapes: false, lines: true } } };
const c: Language = { ...slashes, family: "c", quotes: plain, prefix: /^(?:u8|[uUL])?R?$/ };
const rust: Language = {
	...slashes,
	family: "rust",
	blockComments: "nested",
	quotes: { '"': { escapes: true, lines: true } },
	prefix: /^(?:[bc]?r|[bc])$/,
};

/** The language of a file whose declarations can be read. */
export function languageOf(path: string): Language | undefined {
	const extension = extname(path);
	if (/^\.[mc]?ts$/.test(extension)) return typescript;
	if (extension === ".tsx") return { ...typescript, jsx: true };
	if (/^\.[mc]?jsx?$/.test(extension)) return { ...typescript, jsx: true, docTypes: true };
	if (/^\.pyi?$/.test(extension)) return python;
	if (extension === ".go") return go;
	if (extension === ".rs") return rust;
	return /^\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm|inl)$/.test(extension) ? c : undefined;
}
