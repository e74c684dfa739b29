import type { Directories } from "../project/directories.ts";

/** What the project's own tool is asked to do. */
export type Job = "build" | "test";

/** Tests that are wanted. */
export interface ChosenTests {
	/** Absolute. */
	readonly file: string;
	/** True for all tests below a directory. */
	readonly isDirectory: boolean;
	/** The dotted paths of test functions; none for all of the file. */
	readonly tests: readonly string[];
}

/** A directory in which a tool is looked for. */
export interface Place {
	readonly directory: string;
	readonly workspace: string;
	/** The names in the directory. */
	readonly names: ReadonlySet<string>;
	readonly directories: Directories;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** A file that does not exist yet, for a report of the tool's own. */
	readonly report: string;
	/** Undefined for all tests. */
	readonly chosen: readonly ChosenTests[] | undefined;
}

/** In what form a tool prints its failures. */
export type OutputForm = "plain" | "go" | "cargo";

/** Where a tool writes what became of its tests. */
export type ReportForm =
	| { readonly form: "junit" | "jest"; readonly file: string }
	/** In that folder of each module. */
	| { readonly form: "junit"; readonly below: string };

/** A command line of the project's own tool. */
export interface ToolCommand {
	/** The program, as a person types it, and its arguments. */
	readonly words: readonly [program: string, ...args: string[]];
	/** Directories that are searched before PATH. */
	readonly searched?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly output?: OutputForm;
	readonly report?: ReportForm;
	/** False if it runs all tests although some were chosen. */
	readonly selects?: boolean;
	/** The exit code that says there was no test. */
	readonly noTests?: number;
}

/** A build tool or a runner of tests, found by what the project's directory holds. */
export interface ProjectTool {
	readonly id: string;
	/** The languages that other products name it by. */
	readonly languages: readonly string[];
	command(job: Job, place: Place): Promise<ToolCommand | undefined>;
}
