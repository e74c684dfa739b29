import type { Directories } from "../project/directories.ts";

export type Job = "build" | "test";

export interface ChosenTests {
	/** Absolute. */
	readonly file: string;
	readonly isDirectory: boolean;
	/** Dotted paths; empty for the whole file. */
	readonly tests: readonly string[];
}

export interface CommandContext {
	readonly directory: string;
	readonly workspace: string;
	readonly names: ReadonlySet<string>;
	readonly directories: Directories;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Not there yet. */
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
	/** The program as a person types it, and arguments. */
	readonly words: readonly [program: string, ...args: string[]];
	/** Before PATH. */
	readonly searched?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly output?: OutputForm;
	readonly report?: ReportForm;
	/** False if all run although some were chosen. */
	readonly selects?: boolean;
	readonly noTests?: number;
	/** Chosen tests of different parts need a command each. */
	readonly part?: string;
}

export interface ProjectTool {
	readonly id: string;
	/** Names in other products. */
	readonly languages: readonly string[];
	command(job: Job, place: CommandContext): Promise<ToolCommand | undefined>;
}
