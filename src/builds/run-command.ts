import { delimiter, isAbsolute, resolve } from "node:path";
import { LspError } from "../contract/errors.ts";
import { childEnvironment } from "../process/environment.ts";
import { findProgram, isExecutable } from "../process/find-program.ts";
import { type RunEnd, runToEnd } from "../process/run-to-end.ts";
import type { FoundCommand } from "./find-command.ts";
import { cargoOutput } from "./output/cargo-output.ts";
import { type Failure, type OutputReader, type TestCounts, withoutColours } from "./output/failure.ts";
import { goOutput } from "./output/go-output.ts";
import { plainOutput } from "./output/plain-output.ts";
import { readReports } from "./read-reports.ts";
import type { Job, OutputForm } from "./tool.ts";
import { goDirectories } from "./tools/go-modules.ts";

export interface RunOrder {
	readonly job: Job;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
	readonly limitMs: number;
}

export interface CommandRun extends RunEnd {
	readonly failures: readonly Failure[];
	readonly counts: TestCounts | undefined;
}

/** Rejects with LSP_PREREQUISITE_MISSING and as `runToEnd`. */
export async function runCommand({ directory, command }: FoundCommand, order: RunOrder): Promise<CommandRun> {
	const { words, searched = [], env: own = {}, report } = command;
	const { job, env, signal, limitMs } = order;
	const [program, ...args] = words;
	const path = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
	const file = await programFile(program, directory, [...searched, ...path]);
	if (file === undefined)
		throw new LspError("LSP_PREREQUISITE_MISSING", `${program} not found. ${words.join(" ")} requires it.`, {
			missing: program,
			checked_paths: [...searched, ...path],
			suggestion: `Install ${program}, then ask again.`,
		});
	const reader = await readerFor(command.output, directory);
	const launch = {
		file,
		args,
		cwd: directory,
		env: {
			...childEnvironment(env),
			PATH: [...searched, ...path].join(delimiter),
			PAGER: "cat",
			NO_COLOR: "1",
			// Test runners then neither watch nor write new snapshots.
			...(job === "test" ? { CI: "true" } : {}),
			...own,
		},
	};
	const since = Date.now() - clockMs;
	const end = await runToEnd(launch, { signal, limitMs, onLine: (line) => reader.line(line) });
	const printed = reader.end();
	const reported = report && (await readReports(report, directory, since));
	const found = reported && reported.failures.length > 0 ? reported.failures : printed.failures;
	return {
		...end,
		output: withoutColours(end.output),
		// A passing test may print what looks like an error.
		failures: end.code === 0 ? [] : found.map((failure) => withAbsoluteFile(failure, directory)),
		counts: job === "test" ? (reported?.counts ?? printed.counts) : undefined,
	};
}

function withAbsoluteFile(failure: Failure, directory: string): Failure {
	return failure.file === undefined ? failure : { ...failure, file: resolve(directory, failure.file) };
}

/** A file system's clock may lag so much. */
const clockMs = 2000;

async function programFile(program: string, directory: string, path: readonly string[]): Promise<string | undefined> {
	if (!program.includes("/")) return findProgram(program, path, undefined);
	const file = resolve(directory, program);
	return (await isExecutable(file)) ? file : undefined;
}

async function readerFor(form: OutputForm | undefined, directory: string): Promise<OutputReader> {
	if (form === "go") return goOutput(await goDirectories(directory));
	return form === "cargo" ? cargoOutput() : plainOutput();
}
