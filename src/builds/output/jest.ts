import { type Failure, maxFailures, type TestCounts, withoutColours } from "./failure.ts";

interface JestReport {
	readonly testResults?: readonly {
		readonly name?: string;
		readonly status?: string;
		readonly message?: string;
		readonly assertionResults?: readonly {
			readonly fullName?: string;
			readonly status?: string;
			readonly failureMessages?: readonly string[];
			readonly location?: { readonly line?: number; readonly column?: number } | null;
		}[];
	}[];
}

const maxText = 20_000;

/** Reads the report of `jest --json`. Throws if it is no JSON. */
export function jestReport(json: string): { readonly failures: readonly Failure[]; readonly counts: TestCounts } {
	const failures: Failure[] = [];
	const counts = { passed: 0, failed: 0, skipped: 0 };
	for (const { name: file = "", status: whole, message = "", assertionResults = [] } of (JSON.parse(json) as JestReport)
		.testResults ?? []) {
		if (assertionResults.length === 0 && whole === "failed" && failures.length < maxFailures)
			failures.push({ file, message: withoutColours(message) });
		for (const { fullName = "", status, failureMessages = [], location } of assertionResults) {
			if (status === "passed") counts.passed++;
			else if (status !== "failed") counts.skipped++;
			else {
				counts.failed++;
				const failure = withoutColours(failureMessages.join("\n").slice(0, maxText));
				const at = failure.indexOf(`${file}:`);
				const [, line = location?.line, column = location?.column] =
					/^:(\d+):(\d+)/.exec(at < 0 ? "" : failure.slice(at + file.length, at + file.length + 20)) ?? [];
				const place = line === undefined ? {} : { line: Number(line), column: Number(column ?? 1) };
				if (failures.length < maxFailures)
					failures.push({ file, ...place, test: fullName, message: failure.split(/\n[ \t]+at /, 1)[0]?.trim() ?? "" });
			}
		}
	}
	return { failures, counts };
}
