import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashOf } from "../util/hash.ts";
import { ownDirectory } from "../util/xdg.ts";
import { readJson } from "./json-file.ts";

/** What the run of a test file, or of one test, executed: nothing if it did not pass, or if that is not known. All paths are relative to the workspace. */
export interface RecordedTest {
	/** A directory for the tests of a Go package. */
	readonly path: string;
	/** As the runner names it; absent for all tests of the file. */
	readonly test?: string;
	/** By file: a hash of what runs when it is loaded, and of each function that was executed, by its key. */
	readonly executed: Readonly<Record<string, ExecutedFile>>;
	/** Hash of the names of the sources in the directories of these files. */
	readonly sources: string;
	/** Hash of the files that are neither sources nor prose: tests may read them. */
	readonly data: string;
}

export interface ExecutedFile {
	readonly rest: string;
	readonly functions: Readonly<Record<string, string>>;
}

interface Stored {
	readonly version: typeof version;
	readonly tests: readonly RecordedTest[];
}

const version = 1;

/** Those of a workspace that are kept; none if the file cannot be read. */
export function readRecordedTests(workspace: string): readonly RecordedTest[] {
	const stored = readJson<Stored>(fileFor(workspace));
	return stored?.version === version ? stored.tests : [];
}

/** Rejects with the system's error. */
export async function writeRecordedTests(workspace: string, tests: readonly RecordedTest[]): Promise<void> {
	const file = fileFor(workspace);
	await mkdir(dirname(file), { recursive: true, mode: 0o700 });
	const stored: Stored = { version, tests };
	await writeFile(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
	await rename(`${file}.new`, file);
}

function fileFor(workspace: string): string {
	return join(ownDirectory("XDG_STATE_HOME"), "recorded-tests", `${hashOf(workspace)}.json`);
}
