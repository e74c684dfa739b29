import { attempt } from "../../util/attempt.ts";
import { compilerError } from "./compiler-lines.ts";
import { type Failure, maxFailures, type OutputReader } from "./failure.ts";

interface TestEvent {
	readonly Action?: string;
	readonly Package?: string;
	readonly Test?: string;
	readonly Output?: string;
}

const maxOutput = 20_000;

/** `go build` and `go test -json`. A test's message begins with its file's base name. */
export function goOutput(directoryOf: (importPath: string) => string): OutputReader {
	const failures: Failure[] = [];
	const outputs = new Map<string, string>();
	const counts = { passed: 0, failed: 0, skipped: 0 };
	const failed: TestEvent[] = [];
	const add = (failure: Failure | undefined) => {
		if (failure && failures.length < maxFailures) failures.push(failure);
	};
	return {
		line(text) {
			const event = eventIn(text);
			if (!event) return add(compilerError(text, true));
			const { Action: action, Package: name = "", Test: test, Output: output = "" } = event;
			// Since Go 1.24 compiler output is one too.
			if (action === "build-output") return add(compilerError(output.trimEnd(), true));
			const key = `${name} ${test ?? ""}`;
			if (action === "output") {
				const known = outputs.get(key) ?? "";
				if (known.length < maxOutput) outputs.set(key, known + output);
				return;
			}
			if (test === undefined) {
				if (action === "fail") failed.push(event);
				return;
			}
			if (action === "pass") counts.passed++;
			else if (action === "skip") counts.skipped++;
			else if (action === "fail") {
				counts.failed++;
				failed.push(event);
			}
			if (action === "pass" || action === "skip") outputs.delete(key);
		},
		end() {
			// It fails with its subtests, a package with its tests.
			const outer = new Set(failed.flatMap(({ Package: name = "", Test: test }) => outerOf(name, test)));
			for (const { Package: name = "", Test: test } of failed) {
				if (outer.has(`${name} ${test ?? ""}`)) continue;
				const output = outputs.get(`${name} ${test ?? ""}`) ?? "";
				if (test === undefined && (/\[build failed\]|\[setup failed\]/.test(output) || output === "")) continue;
				add(failureOf(output, test ?? name, directoryOf(name)));
			}
			return { failures, counts };
		},
	};
}

function outerOf(name: string, test: string | undefined): string[] {
	if (test === undefined) return [];
	const parts = test.split("/");
	return [`${name} `, ...parts.slice(1).map((_, at) => `${name} ${parts.slice(0, at + 1).join("/")}`)];
}

function failureOf(output: string, test: string, directory: string): Failure {
	const lines = output
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "" && !/^(?:===|---|FAIL\b|ok\b|PASS\b|exit status)/.test(line));
	const panic = lines.find((line) => line.startsWith("panic:"));
	const placed = lines.find((line) => /^[\w.-]+\.go:\d+: ?/.test(line));
	const [, base = "", line = "", first = ""] = /^([\w.-]+\.go):(\d+): ?(.*)$/.exec(placed ?? "") ?? [];
	if (placed !== undefined && panic === undefined) {
		const rest = lines.slice(lines.indexOf(placed) + 1).filter((each) => !/^[\w.-]+\.go:\d+:/.test(each));
		const message = [first, ...rest].filter(Boolean).join("\n");
		return { file: `${directory}/${base}`, line: Number(line), test, message };
	}
	const frame = lines.map((each) => /^(\/\S+_test\.go):(\d+)/.exec(each)).find((found) => found !== null);
	const message = panic ?? lines.join("\n");
	return { ...(frame ? { file: frame[1] ?? "", line: Number(frame[2]) } : {}), test, message };
}

function eventIn(text: string): TestEvent | undefined {
	if (!text.startsWith("{")) return undefined;
	return attempt(() => JSON.parse(text) as TestEvent);
}
