import type { Entry } from "./host.ts";

/** Texts have no byte order mark. */
export interface Format {
	/** Throws a Mistake for an unreadable or ambiguous text. */
	read(text: string, entries: readonly Entry[]): void;
	lacks(text: string, entries: readonly Entry[]): boolean;
	/** Throws a Mistake if an entry has no place. */
	put(text: string, entries: readonly Entry[]): string;
	isChanged(text: string, entry: Entry, past: Past): boolean;
	/** All entries but those of `before`. `stays`: only hooks as last written go. */
	take(text: string, entries: readonly Entry[], past: Past, changed: "goes" | "stays"): string;
	commands(text: string, entry: Entry, past: Past): readonly unknown[];
	isEmpty(text: string): boolean;
	isSame(one: string, other: string): boolean;
}

export interface Past {
	readonly before: string | undefined;
	readonly after: string | undefined;
}

/** Line and column are 1-based. */
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

export type Path = readonly (string | number)[];

export function at(value: unknown, path: Path): unknown {
	return path.reduce<unknown>((outer, name) => {
		const isThere = typeof outer === "object" && outer !== null && Object.hasOwn(outer, name);
		return isThere ? (outer as Record<string | number, unknown>)[name] : undefined;
	}, value);
}
