import type { Entry } from "./host.ts";

/** How entries stand in a file of one kind. Texts are without the byte order mark. */
export interface Format {
	/** Throws a Mistake for a text that the host could not read, or that is unclear. */
	read(text: string, entries: readonly Entry[]): void;
	/** Whether an entry is missing, or differs from what it should be. */
	lacks(text: string, entries: readonly Entry[]): boolean;
	/** Adds what is missing. Throws a Mistake where it has no place. */
	put(text: string, entries: readonly Entry[]): string;
	/** Whether an entry is there, and neither as it should be nor as we last wrote it. */
	isChanged(text: string, entry: Entry, past: Past): boolean;
	/** Takes out what is ours, but for what was there before; of hooks only those as we last wrote them if others stay. */
	take(text: string, entries: readonly Entry[], past: Past, changed: "goes" | "stays"): string;
	/** Whether nothing is left in it. */
	isEmpty(text: string): boolean;
	/** Whether both mean the same to the host. */
	isSame(one: string, other: string): boolean;
}

/** What the ledger says of a file: what it held before and what we last wrote. */
export interface Past {
	readonly before: string | undefined;
	readonly after: string | undefined;
}

/** What is wrong in a file of a host, and where. Line and column are 1-based. */
export class Mistake extends Error {
	override readonly name = "Mistake";
	readonly line: number;
	readonly column: number | undefined;

	constructor(message: string, line: number, column?: number) {
		super(message);
		this.line = line;
		this.column = column;
	}
}

/** The names of properties and the indices of items that lead to a value. */
export type Path = readonly (string | number)[];

/** The value at a path; undefined if there is none. */
export function at(value: unknown, path: Path): unknown {
	return path.reduce<unknown>((outer, name) => {
		const isThere = typeof outer === "object" && outer !== null && Object.hasOwn(outer, name);
		return isThere ? (outer as Record<string | number, unknown>)[name] : undefined;
	}, value);
}
