import { dirname, join, resolve } from "node:path";
import type { ChosenTests } from "../../builds/tool.ts";
import type { ImpactedTests } from "../../changes/impacted-tests.ts";
import { testCasesOf } from "../../impact/outline/test-cases.ts";
import { marksTest } from "../../project/test-functions.ts";
import { isTestPath } from "../../project/test-paths.ts";
import { workspaceOf } from "../../project/workspace-of.ts";
import { AffectedTests } from "../../recording/affected-tests.ts";
import { Fingerprints } from "../../recording/fingerprint.ts";
import { recordOf, testRuns } from "../../recording/record-tests.ts";
import { type RecordedTest, readRecordedTests, writeRecordedTests } from "../../recording/recorded-tests.ts";
import { type Surroundings, surroundingsOf } from "../../recording/surroundings.ts";
import { isInside } from "../../util/paths.ts";
import { anySource, readText } from "../../util/read-file.ts";
import type { OperationCall } from "../operation-context.ts";
import { type BuildResult, nothingRun } from "./build-result.ts";

/**
 * Runs the test files below `paths` (absolute; all without any) whose record is old, and keeps what they executed. Rejects
 * as `testRuns` and `surroundingsOf`.
 */
export async function recordedRun(
	call: OperationCall,
	paths: readonly string[],
	limitMs: number,
): Promise<BuildResult> {
	const started = performance.now();
	const { signal } = call;
	const [workspace, env] = [await workspaceOf((await call.context()).cwd), await call.env()];
	const before = await surroundingsOf({ workspace, env, signal });
	const known = readRecordedTests(workspace);
	const affected = new AffectedTests(workspace, known, before);
	const files = (await testFilesIn(before, workspace)).filter(
		(file) => paths.length === 0 || paths.some((path) => isInside(file, path)),
	);
	const old: string[] = [];
	for (const file of files) if (!(await affected.isCurrent(file))) old.push(file);
	const made: RecordedTest[] = [];
	let records = known;
	const context = { workspace, surroundings: before, fingerprints: new Fingerprints(), since: Date.now() };
	try {
		for await (const runs of testRuns({ workspace, files: old, env, signal, limitMs }))
			made.push(...(await Promise.all(runs.map((run) => recordOf(run, context)))));
	} finally {
		const after = await surroundingsOf({ workspace, env, signal: new AbortController().signal });
		// What changed meanwhile belongs to no run.
		const valid = after.data === before.data ? made : [];
		const again = new Set(valid.map(({ path }) => path));
		const places = new Set(before.code.flatMap((path) => [path, dirname(path)]));
		const kept = known.filter(({ path }) => places.has(path) && !again.has(path));
		records = [...kept, ...valid];
		await writeRecordedTests(workspace, records);
	}
	const now = new AffectedTests(workspace, records, before);
	let unknown = 0;
	for (const file of old) if (!(await now.isCurrent(file))) unknown++;
	const recorded = { recorded: old.length - unknown, current: files.length - old.length, unknown };
	const outcome = files.length > unknown ? "passed" : "nothing";
	return { ...nothingRun, outcome, ms: Math.round(performance.now() - started), recorded };
}

async function testFilesIn({ code }: Surroundings, workspace: string): Promise<string[]> {
	const found: string[] = [];
	for (const path of code) {
		const file = join(workspace, path);
		if (/\.(?:go|py)$/.test(path)) {
			if (/_test\.\w+$|(?:^|\/)test_[^/]*\.py$/.test(path)) found.push(file);
		} else if (path.endsWith(".rs") || isTestPath(path)) {
			const text = (await readText(file, anySource)) ?? "";
			if (marksTest(path, text) || (await testCasesOf(file, text)).length > 0) found.push(file);
		}
	}
	return found;
}

interface Narrowed {
	readonly found: ImpactedTests;
	/** Files of tests that were left out. */
	readonly unaffected: number;
}

/** Leaves out tests whose recorded runs executed nothing that differs now. */
export async function withoutUnaffected(call: OperationCall, found: ImpactedTests): Promise<Narrowed> {
	const { cwd } = await call.context();
	const workspace = await workspaceOf(cwd);
	const records = found.tests && found.tests.length > 0 ? readRecordedTests(workspace) : [];
	if (records.length === 0) return { found, unaffected: 0 };
	const surroundings = await surroundingsOf({ workspace, env: await call.env(), signal: call.signal });
	const affected = new AffectedTests(workspace, records, surroundings);
	const kept: ChosenTests[] = [];
	const left: ChosenTests[] = [];
	for (const each of found.tests ?? []) {
		const own: ChosenTests[] = [];
		for (const test of each.tests.length === 0 ? [undefined] : each.tests) {
			const causes = found.causesOf(each.file, test).map(({ file }) => resolve(cwd, file));
			const one = test === undefined ? each : { ...each, tests: [test] };
			const still = causes.length === 0 ? one : await affected.among(one, causes);
			if (still) own.push(still);
		}
		if (own.length === 0) left.push(each);
		else
			kept.push({
				...each,
				tests: own.some(({ tests }) => tests.length === 0) ? [] : own.flatMap(({ tests }) => tests),
			});
	}
	// An error of the compiler fails all tests of a program, whatever they execute.
	for (const each of left)
		if (isCompiled(each) && !kept.some(({ file }) => dirname(file) === dirname(each.file)))
			kept.push(affected.first(each));
	return { found: { ...found, tests: kept }, unaffected: left.filter((each) => !kept.includes(each)).length };
}

function isCompiled({ file }: ChosenTests): boolean {
	return /\.(?:go|rs)$/.test(file);
}
