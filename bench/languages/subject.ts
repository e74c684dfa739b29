import type { Files } from "../../test/support/workspace.ts";

/** An edit of one line, which `sed` can make too. */
export interface Break {
	readonly file: string;
	readonly from: string;
	readonly to: string;
	/** A part of each line that then has an error in the file. */
	readonly wrong: readonly string[];
	/** The other files, never opened, that then have errors. */
	readonly others: readonly string[];
}

export interface Subject {
	readonly language: string;
	/** As shown in the table. */
	readonly project: string;
	/** Without these programs the subject is left out. */
	readonly needs?: readonly string[];
	readonly trusted?: boolean;
	/** The directory that is copied, or the files. */
	readonly source: () => string | Files;
	/** Packages of the servers' folder that are linked into the project's node_modules. */
	readonly packages?: readonly string[];
	readonly own: Break;
	/** Absent where no file of the language depends on another. */
	readonly shared?: Break;
}
