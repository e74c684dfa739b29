import type { TestCounts } from "../../builds/output/failure.ts";
import type { Build } from "../../operations/build.ts";

/** Without the symbols around failures. */
export type BuildResult = Build;
export type LocatedFailure = BuildResult["failures"][number];

export const nothingRun = {
	...{ tool: "", command: "", directory: ".", ms: 0, failures: [], output: "", omittedBytes: 0, others: [] },
} as const;

/** The worst first. */
const outcomes: readonly BuildResult["outcome"][] = ["failed", "timed_out", "passed", "nothing", "unchanged"];

export function joinedRuns(runs: readonly BuildResult[]): BuildResult {
	const [first = { ...nothingRun, outcome: "nothing" }, ...more] = runs;
	return more.reduce<BuildResult>((all, each) => {
		const worst = outcomes.find((outcome) => [all.outcome, each.outcome].includes(outcome)) ?? each.outcome;
		const code = all.exitCode || each.exitCode;
		return {
			tool: all.tool === each.tool ? all.tool : `${all.tool}, ${each.tool}`,
			command: `${all.command}; ${each.command}`,
			directory: all.directory === each.directory ? all.directory : `${all.directory}; ${each.directory}`,
			outcome: worst,
			...(code === undefined ? {} : { exitCode: code }),
			ms: all.ms + each.ms,
			failures: [...all.failures, ...each.failures],
			...(all.counts && each.counts ? { counts: sum(all.counts, each.counts) } : {}),
			output: `${all.output}\n${each.output}`,
			omittedBytes: all.omittedBytes + each.omittedBytes,
			others: [...new Set([...all.others, ...each.others])],
			...(all.ranAll || each.ranAll ? { ranAll: true } : {}),
		};
	}, first);
}

function sum(one: TestCounts, other: TestCounts): TestCounts {
	return {
		passed: one.passed + other.passed,
		failed: one.failed + other.failed,
		skipped: one.skipped + other.skipped,
	};
}
