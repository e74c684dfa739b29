/** One replacement in a text; offsets count UTF-16 units. */
export interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** What an edit is meant to do; the names are those of the tables. */
const kinds = [
	"type error in",
	"type error out",
	"clean stays clean",
	"lines shifted",
	"export renamed",
	"export removed",
	"signature changed",
	"inferred type changed",
	"import changed",
	"repaired",
	"file created",
	"file deleted",
	"file renamed",
	"dependency behind its back",
	"same size, same mtime",
	"same size, same mtime behind its back",
	"CRLF",
	"BOM",
	"astral",
	"server starting",
	"five clients",
	"after the server was killed",
] as const;
export type Kind = (typeof kinds)[number];

/** A change of one file that a language proposes. */
export interface Mutation extends Replacement {
	readonly kind: Kind;
	/** What it does, for a person who repeats it. */
	readonly what: string;
}

/** A list of mutations, and what adds one to it. */
export function mutationList() {
	const found: Mutation[] = [];
	const add = (kind: Kind, start: number, end: number, text: string, what: string) =>
		found.push({ kind, start, end, text, what });
	return { found, add };
}

/** How files of one language are changed. */
export interface Language {
	/** Every change of some kinds that a text allows; `n` makes the names in them unique. */
	mutations(path: string, text: string, n: number): Mutation[];
	/** A new file that uses what another one exports, and the path that it gets. */
	create(path: string, text: string, n: number): { readonly path: string; readonly text: string } | undefined;
	/** A line that is an error wherever it stands at the end of a file, with a character beyond the BMP before it. */
	astral(n: number): string;
	/** A line that says nothing. */
	comment(n: number): string;
	/** True if `text` can be compiled at all: with a syntax error some compilers tell of nothing else. */
	parses(path: string, text: string): boolean;
}

/** The text after a replacement. */
export function replaced(text: string, { start, end, text: inserted }: Replacement): string {
	return text.slice(0, start) + inserted + text.slice(end);
}
