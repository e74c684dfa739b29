/** What a change does to files. Paths are absolute, with links resolved. */
export interface Change {
	/** For people: `rename greet → welcome`. */
	readonly title: string;
	/** The workspace that all paths are in. */
	readonly root: string;
	/** Of files and directories, in this order, before the texts are written. */
	readonly moves: readonly Move[];
	/** One for each file, at its path after the moves. */
	readonly files: readonly FileChange[];
	/** Directories that are empty afterwards and are removed, the innermost first. */
	readonly emptied: readonly string[];
	/** The name of the change that this one takes back. */
	readonly undoes?: string;
}

export interface Move {
	readonly from: string;
	readonly to: string;
}

export interface FileChange {
	readonly path: string;
	/** Undefined for a file that is created. */
	readonly before: Buffer | undefined;
	/** Undefined for a file that is deleted. */
	readonly after: Buffer | undefined;
	/** The mode of a file that is created. */
	readonly mode?: number;
}
