/** One replacement in a text; offsets count UTF-16 units. */
export interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** Kinds that the mutations of a language produce. */
export const mutationKinds = [
	"new type error",
	"clean stays clean",
	"lines shifted",
	"export renamed",
	"export removed",
	"signature changed",
	"inferred type changed",
	"import changed",
] as const;

/** The intended effect of an edit, as named in the tables. */
export type Kind =
	| (typeof mutationKinds)[number]
	| "fixed type error"
	| "repaired"
	| "file created"
	| "file deleted"
	| "file renamed"
	| "unannounced change of a dependency"
	| "same size, same mtime"
	| "same size, same mtime, unannounced"
	| "CRLF"
	| "BOM"
	| "astral"
	| "server starting"
	| "five clients"
	| "after the server was killed";

/** An edit of one file that a language proposes. */
export interface Mutation extends Replacement {
	readonly kind: Kind;
	/** A description, to repeat the edit. */
	readonly what: string;
}

export function mutationList() {
	const found: Mutation[] = [];
	const add = (kind: Kind, start: number, end: number, text: string, what: string) =>
		found.push({ kind, start, end, text, what });
	return { found, add };
}

/** How files of one language are edited. */
export interface Language {
	/** Every edit of some kinds that a text allows; `n` makes the names in them unique. */
	mutations(path: string, text: string, n: number): Mutation[];
	/** A new file that uses an export of another one, and its path. */
	create(path: string, text: string, n: number): { readonly path: string; readonly text: string } | undefined;
	/** A line that is an error at the end of any file, after a character beyond the BMP. */
	astral(n: number): string;
	comment(n: number): string;
	/** Whether `text` has no syntax error: with one, some compilers report no other errors. */
	parses(path: string, text: string): boolean;
}

export function replaced(text: string, { start, end, text: inserted }: Replacement): string {
	return text.slice(0, start) + inserted + text.slice(end);
}
