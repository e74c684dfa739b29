/** What `doctor` finds: told as data by the daemon, rendered by the faces. */

/** What became of a server that would answer for files of the workspace. */
export const conditions = [
	"running",
	"installed",
	"missing",
	"untrusted",
	"broken",
	"no_project",
	"disabled",
	"unavailable",
] as const;
export type Condition = (typeof conditions)[number];

/** The files of one language, as its own server calls it. */
export interface LanguageCount {
	readonly id: string;
	readonly files: number;
	/** The servers that would answer for them, the language's own first. */
	readonly servers: readonly string[];
}

/** A program that a server needs to run or to be installed, and where it is. */
export interface Prerequisite {
	readonly name: string;
	/** Absent if it is not on PATH. */
	readonly path?: string;
	readonly neededBy: readonly string[];
}

/** What a server did when it was tried out on one file. Milliseconds count from when the text was sent. */
export interface Probe {
	readonly offersPull: boolean;
	/** How long the answer to a pull took. */
	readonly pullMs?: number;
	/** How long after a change the server published; absent if it did not. */
	readonly pushMs?: number;
	/** True if what it published named the version of the document. */
	readonly pushVersioned?: boolean;
	/** True if it publishes again for a text that is sent a second time; absent if it does not publish at all. */
	readonly pushesUnchanged?: boolean;
	/** When an introduced syntax error was told, and when it was gone after the true text was put back. */
	readonly errorSeenMs?: number;
	readonly errorGoneMs?: number;
	/** The strategy that fits what it did; absent if it told nothing. */
	readonly detected?: string;
	/** What differs from what is declared of it; nothing if the two agree. */
	readonly differs: readonly string[];
	/** Why the probe could not be carried out to its end. */
	readonly failed?: string;
}

export interface ServerExamination {
	readonly id: string;
	readonly role: "language" | "linter" | "framework";
	/** Absent if the files belong to no project of it. */
	readonly root?: string;
	readonly condition: Condition;
	/** What is run. */
	readonly command?: string;
	readonly version?: string;
	/** The strategy by which its diagnostics are known to be right: what is in use if it runs, else what is declared. */
	readonly strategy?: string;
	/** True if the strategy was found out from what the server offers, and is not declared. */
	readonly detected?: boolean;
	/** The operations that it supports; only known of one that runs. */
	readonly operations?: readonly string[];
	/** What it offers, by the names of the protocol; told where one file is examined. */
	readonly capabilities?: readonly string[];
	/** True if it runs in a sandbox. */
	readonly sandboxed?: boolean;
	/** True if it runs with less than it would do for a caller who trusts the repository. */
	readonly restricted?: boolean;
	/** The one command that installs it. */
	readonly install?: string;
	/** True if `pi-lsp install ID` can do it. */
	readonly installable?: boolean;
	/** What to do so that it may run. */
	readonly allow?: string;
	/** Why it cannot be used. */
	readonly error?: string;
	/** The last that it wrote to its standard error. */
	readonly stderr?: string;
	readonly probe?: Probe;
}

export const sandboxModes = ["auto", "require", "off"] as const;
/** Where servers of a tree that is not trusted run: in a sandbox where one works, only in one, in none. */
export type SandboxMode = (typeof sandboxModes)[number];

/** The sandbox around servers of trees that are not trusted. */
export interface SandboxExamination {
	readonly mode: SandboxMode;
	/** The program that makes it, where it works. */
	readonly program?: string;
	/** Why there is none. */
	readonly reason?: string;
}

export interface Examination {
	readonly workspace: string;
	/** The file, where one was asked about. */
	readonly file?: string;
	readonly node: string;
	readonly trusted: boolean;
	readonly sandbox: SandboxExamination;
	/** How many files were looked at, and whether there are more. */
	readonly files: number;
	readonly more: boolean;
	/** By number of files, the most first. */
	readonly languages: readonly LanguageCount[];
	readonly servers: readonly ServerExamination[];
	readonly prerequisites: readonly Prerequisite[];
	readonly problems: readonly string[];
}
