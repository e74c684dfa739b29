/** Paths are absolute, with links resolved. */
export interface Change {
	/** For people: `rename greet → welcome`. */
	readonly title: string;
	readonly root: string;
	/** In order, before the texts. */
	readonly moves: readonly Move[];
	/** At their paths after the moves. */
	readonly files: readonly FileChange[];
	/** Removed afterwards, innermost first. */
	readonly emptied: readonly string[];
	readonly undoes?: string;
}

export interface Move {
	readonly from: string;
	readonly to: string;
}

export interface FileChange {
	readonly path: string;
	readonly before: Buffer | undefined;
	readonly after: Buffer | undefined;
	readonly mode?: number;
}
