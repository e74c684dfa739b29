import { delimiter, isAbsolute } from "node:path";
import { childEnvironment } from "../process/environment.ts";
import { findProgram } from "../process/find-program.ts";
import { runToEnd } from "../process/run-to-end.ts";
import type { Executed } from "./executed.ts";

/** A test, or all of a file, that has passed. */
export interface TestRun {
	/** Absolute; a directory for a Go package, the sources of its library for a Rust crate. */
	readonly path: string;
	readonly test?: string;
	readonly executed: Executed;
}

export interface RecordingOptions {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
	/** Of one process. */
	readonly limitMs: number;
}

/** Where the tests of a project are run. */
export class RecordingRun {
	/** Of the project; absolute. */
	readonly directory: string;
	/** Empty, and removed afterwards. */
	readonly folder: string;
	readonly #options: RecordingOptions;

	constructor(directory: string, folder: string, options: RecordingOptions) {
		this.directory = directory;
		this.folder = folder;
		this.#options = options;
	}

	/** The lines are what it has printed, without blank ones; the code is null for a missing program. Rejects as `runToEnd`. */
	async execute(
		file: string,
		args: readonly string[],
		{ cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
	): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
		const { signal, limitMs, env: own } = this.#options;
		const lines: string[] = [];
		const path = (own.PATH ?? "").split(delimiter).filter(isAbsolute);
		const program = isAbsolute(file) ? file : await findProgram(file, path, undefined);
		if (program === undefined) return { code: null, lines };
		const launch = { file: program, args, cwd, env: { ...childEnvironment(own), NO_COLOR: "1", CI: "true", ...env } };
		const { code } = await runToEnd(launch, { signal, limitMs, onLine: (line) => lines.push(line) });
		return { code, lines };
	}
}
