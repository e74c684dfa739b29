import type { Directories } from "../project/directories.ts";

export type Job = "build" | "test";

export interface ChosenTests {
	/** Absolute. */
	readonly file: string;
	readonly isDirectory: boolean;
	/** Dotted paths; empty for all of the file. */
	readonly tests: readonly string[];
}

export interface Place {
	readonly directory: string;
	readonly workspace: string;
	readonly names: ReadonlySet<string>;
	readonly directories: Directories;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** For the tool's own report; it does not exist yet. */
	readonly report: string;
	/** Undefined for all tests. */
	readonly chosen: readonly ChosenTests[] | undefined;
}

export type OutputForm = "plain" | "go" | "cargo";

export type ReportForm =
	| { readonly form: "junit" | "jest"; readonly file: string }
	/** In that folder of each module. */
	| { readonly form: "junit"; readonly below: string };

export interface ToolCommand {
	/** The program is as a person types it. */
	readonly words: readonly [program: string, ...args: string[]];
	/** Before PATH. */
	readonly searched?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly output?: OutputForm;
	readonly report?: ReportForm;
	readonly selects?: boolean;
	readonly noTests?: number;
}

export interface ProjectTool {
	readonly id: string;
	/** By which other products name it. */
	readonly languages: readonly string[];
	command(job: Job, place: Place): Promise<ToolCommand | undefined>;
}
