import { delimiter, isAbsolute } from "node:path";
import { childEnvironment } from "../process/environment.ts";
import { findProgram } from "../process/find-program.ts";
import { runToEnd } from "../process/run-to-end.ts";
import type { Executed } from "./executed.ts";

/** A test, or all of a file. */
export interface TestRun {
	/** Absolute; a directory for a Go package, the sources of its library for a Rust crate. */
	readonly path: string;
	readonly test?: string;
	/** Empty if it did not pass, or if that is not known. */
	readonly executed: Executed;
}

export interface RecordingOptions {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
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

	/** Whether it ends with 0; false for a missing program. Rejects as `runToEnd`. */
	async passes(program: string, args: readonly string[], place: Place): Promise<boolean> {
		return (await this.#run(program, args, place, () => {})) === 0;
	}

	/** The lines that it prints, without blank ones; undefined unless it ends with 0. Rejects as `runToEnd`. */
	async read(program: string, args: readonly string[], place: Place): Promise<readonly string[] | undefined> {
		const lines: string[] = [];
		const code = await this.#run(program, args, place, (line) => lines.push(line));
		return code === 0 ? lines : undefined;
	}

	async #run(
		program: string,
		args: readonly string[],
		{ cwd, env: more = {} }: Place,
		onLine: (line: string) => void,
	): Promise<number | null> {
		const { signal, limitMs, env } = this.#options;
		const path = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
		const file = isAbsolute(program) ? program : await findProgram(program, path, undefined);
		if (file === undefined) return null;
		const launch = { file, args, cwd, env: { ...childEnvironment(env), NO_COLOR: "1", CI: "true", ...more } };
		return (await runToEnd(launch, { signal, limitMs, onLine })).code;
	}
}

interface Place {
	readonly cwd: string;
	readonly env?: Readonly<Record<string, string>>;
}
