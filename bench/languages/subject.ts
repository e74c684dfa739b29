import type { Files } from "../../test/support/workspace.ts";

/** An edit of one line, which `sed` can make too. */
export interface Break {
	readonly file: string;
	readonly from: string;
	readonly to: string;
	/** A piece of each line of the file that is wrong then. */
	readonly wrong: readonly string[];
	/** The other files that are wrong then, which nobody has opened. */
	readonly others: readonly string[];
}

/** A project in one language, and what is broken in it. */
export interface Subject {
	readonly language: string;
	/** What it is, for people. */
	readonly project: string;
	/** Programs without which it is left out. */
	readonly needs?: readonly string[];
	readonly trusted?: boolean;
	/** The directory that is copied, or the files themselves. */
	readonly source: () => string | Files;
	/** Packages of the servers' folder that the project has in its node_modules. */
	readonly packages?: readonly string[];
	readonly own: Break;
	/** Absent where no file of the language depends on another. */
	readonly shared?: Break;
}
