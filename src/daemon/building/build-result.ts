import type { Failure, TestCounts } from "../../builds/output/failure.ts";
import type { Cause } from "../../changes/impacted-tests.ts";

export interface LocatedFailure extends Failure {
	readonly location?: { readonly uri: string; readonly range: LineRange };
	/** Of `--impacted`: what differs and reaches the test. */
	readonly changed?: readonly Cause[];
}

interface LineRange {
	readonly start: { readonly line: number; readonly character: number };
	readonly end: { readonly line: number; readonly character: number };
}

export interface BuildResult {
	readonly tool: string;
	readonly command: string;
	/** Displayed path. */
	readonly directory: string;
	/** `nothing`: no test ran. `unchanged`: nothing differs, or nothing that recorded tests execute. */
	readonly outcome: "passed" | "failed" | "timed_out" | "nothing" | "unchanged";
	readonly exitCode?: number;
	readonly ms: number;
	readonly failures: readonly LocatedFailure[];
	readonly counts?: TestCounts;
	readonly output: string;
	readonly omittedBytes: number;
	readonly others: readonly string[];
	readonly ranAll?: true;
	readonly impacted?: ImpactedRun;
	readonly recorded?: RecordedRuns;
}

interface ImpactedRun {
	readonly changed: number;
	readonly files?: number;
	readonly why?: string;
	/** Test files whose recorded runs execute nothing that has changed. */
	readonly unaffected?: number;
}

interface RecordedRuns {
	readonly recorded: number;
	/** Recorded before, with nothing changed since. */
	readonly current: number;
	/** Some tests fail, or it is not known what they execute. */
	readonly unknown: number;
}

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
