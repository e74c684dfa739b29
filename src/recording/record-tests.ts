import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type FoundCommand, findCommand } from "../builds/find-command.ts";
import { runCommand } from "../builds/run-command.ts";
import { statOf } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { isInside } from "../util/paths.ts";
import { ownDirectory } from "../util/xdg.ts";
import type { Fingerprints } from "./fingerprint.ts";
import { goTests } from "./go-tests.ts";
import { nodeCalls } from "./node-calls.ts";
import { pythonCalls } from "./python-calls.ts";
import type { ExecutedFile, RecordedTest } from "./recorded-tests.ts";
import { type RecordingOptions, RecordingRun, type TestRun } from "./recording-run.ts";
import { rustTests } from "./rust-tests.ts";
import type { Surroundings } from "./surroundings.ts";

export interface RecordOrder extends RecordingOptions {
	readonly workspace: string;
	/** Absolute. */
	readonly files: readonly string[];
}

/** `src/recording/recorders` and, of the bundle, `dist/recorders`. */
const recorders = join(dirname(fileURLToPath(import.meta.url)), "recorders");

/**
 * Runs what the repository brings; all tests of a path come together. Rejects as `findCommand`, `runCommand` and
 * `RecordingRun`.
 */
export async function* testRuns(order: RecordOrder): AsyncGenerator<readonly TestRun[]> {
	const byPlace = new Map<string, string[]>();
	for (const file of order.files) {
		const kind = /\.(?:go|rs|py)$/.exec(file)?.[0] ?? "script";
		// pytest runs all files in one process, whose later tests use what earlier ones have made.
		const key = kind === ".py" ? file : `${kind} ${(await commandFor([file], "", order)).directory}`;
		byPlace.set(key, [...(byPlace.get(key) ?? []), file]);
	}
	for (const [key, files] of byPlace) {
		const folder = mkdtempSync(join(tmpdir(), "pi-lsp-"));
		try {
			const directory = key.slice(key.indexOf(" ") + 1);
			const run = new RecordingRun(directory, folder, order);
			if (key.startsWith(".go ")) yield* goTests([...new Set(files.map((file) => dirname(file)))], run);
			else if (key.startsWith(".rs ")) yield* rustTests(run, crateTarget(directory));
			else yield await runFiles(files, folder, order);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}
}

function crateTarget(directory: string): string {
	return join(ownDirectory("XDG_CACHE_HOME"), "recorded-crates", hashOf(directory));
}

function commandFor(files: readonly string[], report: string, { workspace, env }: RecordOrder): Promise<FoundCommand> {
	const chosen = files.map((file) => ({ file, isDirectory: false, tests: [] }));
	const directory = dirname(files[0] ?? workspace);
	return findCommand("test", { directory, workspace, env, report, chosen, tool: undefined, language: undefined });
}

/** Those of the files that pass, if it is known what they execute. */
async function runFiles(files: readonly string[], folder: string, order: RecordOrder): Promise<TestRun[]> {
	const { env, signal, limitMs } = order;
	const calls = join(folder, "calls");
	mkdirSync(calls);
	const isPython = files.some((file) => file.endsWith(".py"));
	const name = isPython ? "sitecustomize.py" : "node-recorder.cjs";
	const recorder = join(folder, name);
	copyFileSync(join(recorders, name), recorder);
	const found = await commandFor(files, join(folder, "report"), order);
	const { command } = found;
	if (command.selects === false) return [];
	const own = {
		PI_LSP_CALLS: calls,
		...(isPython
			? { PYTHONPATH: [folder, env.PYTHONPATH].filter(Boolean).join(delimiter) }
			: { NODE_OPTIONS: [command.env?.NODE_OPTIONS, `--require=${recorder}`].filter(Boolean).join(" ") }),
	};
	const run = { ...found, command: { ...command, env: { ...command.env, ...own } } };
	const { code, failures } = await runCommand(run, { job: "test", env, signal, limitMs });
	if (code !== 0 && (failures.length === 0 || failures.some(({ file }) => file === undefined))) return [];
	const failing = new Set(failures.map(({ file }) => file));
	const executed = isPython ? pythonCalls(calls, files) : nodeCalls(calls, files);
	return [...executed].flatMap(([path, calls]) => (failing.has(path) ? [] : { path, executed: calls }));
}

interface RecordContext {
	readonly workspace: string;
	readonly surroundings: Surroundings;
	readonly fingerprints: Fingerprints;
	/** When recording began, in ms since 1970. */
	readonly since: number;
}

/** What is kept of a run: nothing that it executed if some of that has been written since. */
export async function recordOf({ path, test, executed }: TestRun, context: RecordContext): Promise<RecordedTest> {
	const { workspace, surroundings, fingerprints, since } = context;
	let files: Record<string, ExecutedFile> = {};
	const directories = new Set<string>();
	for (const [file, isExecuted] of executed) {
		if (!isInside(file, workspace) || /(?:^|\/)node_modules\//.test(relative(workspace, file))) continue;
		const print = await fingerprints.of(file);
		if (!print) continue;
		if (Number((await statOf(file))?.mtimeMs ?? since) >= since) {
			files = {};
			break;
		}
		const called = print.functions.filter((each) => isExecuted(each));
		const name = relative(workspace, file);
		files[name] = { rest: print.rest, functions: Object.fromEntries(called.map(({ key, hash }) => [key, hash])) };
		directories.add(dirname(name));
	}
	return {
		path: relative(workspace, path) || ".",
		...(test === undefined ? {} : { test }),
		executed: files,
		sources: surroundings.sourcesIn(directories),
		data: surroundings.data,
	};
}
