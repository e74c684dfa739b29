/** A change of files; paths are absolute, with links resolved. */
export interface Change {
	/** Title for people: `rename greet → welcome`. */
	readonly title: string;
	readonly root: string;
	/** Made in order, before the texts are written. */
	readonly moves: readonly Move[];
	/** Files at their paths after the moves. */
	readonly files: readonly FileChange[];
	/** Removed afterwards, innermost first. */
	readonly emptied: readonly string[];
	/** The name of the change that it takes back. */
	readonly undoes?: string;
}

export interface Move {
	readonly from: string;
	readonly to: string;
}

export interface FileChange {
	readonly path: string;
	/** Undefined for a created file. */
	readonly before: Buffer | undefined;
	/** Undefined for a deleted file. */
	readonly after: Buffer | undefined;
	/** Mode of a created file. */
	readonly mode?: number;
}
