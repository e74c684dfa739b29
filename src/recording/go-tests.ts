import { rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { goDirectories } from "../builds/tools/go-modules.ts";
import { namesIn } from "../util/files.ts";
import { anySource, readTextNow } from "../util/read-file.ts";
import { type Executed, executedAt } from "./executed.ts";
import type { RecordingRun, TestRun } from "./recording-run.ts";

const tests = /^(?:Test|Fuzz|Example)/;

/** Each test of the packages at `paths` (absolute) in its own process. `-coverprofile` says which blocks it executed. */
export async function* goTests(paths: readonly string[], run: RecordingRun): AsyncGenerator<readonly TestRun[]> {
	const { directory, folder } = run;
	const directoryOf = await goDirectories(directory);
	for (const place of paths) {
		const program = join(folder, "package.test");
		const profile = join(folder, "profile");
		const words = ["test", "-c", "-covermode=set", "-coverpkg=./...", "-o", program, `./${relative(directory, place)}`];
		if (!(await run.passes("go", words, { cwd: directory }))) continue;
		const listed = await run.read(program, ["-test.list", "."], { cwd: place });
		const names = (listed ?? []).filter((line) => tests.test(line) && !/\s/.test(line));
		const tested = new Set(names);
		const testFiles = ((await namesIn(place)) ?? []).filter((name) => name.endsWith("_test.go"));
		const runs: TestRun[] = [];
		for (const test of names) {
			// As `go test` hands them over: a program may read its own arguments.
			const args = [`-test.run=^${test}$`, `-test.coverprofile=${profile}`];
			rmSync(profile, { force: true });
			const isPassed = await run.passes(program, args, { cwd: place });
			const executed = new Map(isPassed ? profileIn(profile, directoryOf) : []);
			// They are not measured.
			for (const name of executed.size === 0 ? [] : testFiles)
				executed.set(join(place, name), (each) => !tested.has(each.name) || each.name === test);
			runs.push({ path: place, test, executed });
		}
		yield runs;
	}
}

function profileIn(file: string, directoryOf: (importPath: string) => string): Executed {
	const lines = new Map<string, number[]>();
	for (const line of (readTextNow(file, anySource) ?? "").split("\n")) {
		const [, name = "", first, count] = /^(.+):(\d+)\.\d+,\d+\.\d+ \d+ (\d+)$/.exec(line) ?? [];
		if (first === undefined) continue;
		const path = join(directoryOf(dirname(name)), name.slice(name.lastIndexOf("/") + 1));
		const known = lines.get(path) ?? [];
		lines.set(path, known);
		if (count !== "0") known.push(Number(first));
	}
	return new Map([...lines].map(([path, own]) => [path, executedAt(own)]));
}
