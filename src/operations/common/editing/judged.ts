import { Type } from "@sinclair/typebox";
import { type CheckReport, CheckReportSchema } from "../../../contract/check-report.ts";
import { t, type ValueOf } from "../../../contract/schema.ts";
import type { Preview } from "../../../daemon/simulation/preview-report.ts";
import { isProven, newErrorsIn } from "../written.ts";

export const judgingInput = {
	scope: t.optional.oneOf(["affected", "file"], "`file`: without the files that may see the edit", {
		default: "affected",
	}),
	timeout: t.optional.positive("Milliseconds to wait for proof"),
};

export function judging({
	scope,
	timeout,
}: {
	readonly scope?: string | undefined;
	readonly timeout?: number | undefined;
}) {
	return { timeout, editedOnly: scope === "file" };
}

export const Judgement = {
	new: t.integer("Errors that the edit would cause"),
	fixed: t.integer("Errors that it would mend"),
	mended: t.objects("Of those the first 100, at their places on disk", {
		path: t.text(),
		line: t.integer(),
		column: t.integer(),
		severity: t.text(),
		code: t.optional.text(),
		source: t.optional.text(),
		message: t.text(),
	}),
	netDelta: t.integer("`new` without `fixed`"),
	judged: Type.Record(t.text(), t.text(), { description: "SHA-256 of each text that was judged, by path" }),
};

export const JudgedOutput = t.object({ ...CheckReportSchema.properties, ...Judgement });

export type Judged = ValueOf<typeof JudgedOutput>;

export function judgedOf({ report, mended, judged }: Preview): Judged {
	const caused = newErrorsIn(report).length;
	const fixed = report.files.reduce((sum, file) => sum + (file.fixed ?? 0), 0);
	return { ...report, new: caused, fixed, mended, netDelta: caused - fixed, judged };
}

export function isJudged(report: CheckReport): boolean {
	const { files } = report;
	return isProven(report) && (files.length === 0 || files.some(({ state }) => state === "fresh"));
}

/** 0: nothing new, 1: new errors, 3: not proven. */
export function exitCodeOfJudged(report: Judged): number {
	if (report.new > 0) return 1;
	return isJudged(report) ? 0 : 3;
}

const report: CheckReport = {
	files: [
		{
			path: "src/app.ts",
			role: "affected",
			state: "fresh",
			diagnostics: [
				{
					line: 1,
					column: 10,
					endLine: 1,
					endColumn: 15,
					severity: "error",
					code: "2305",
					source: "ts",
					message: "Module \"./greet.ts\" has no exported member 'greet'.",
					new: true,
				},
			],
		},
	],
	servers: [{ id: "typescript", version: "7.0.2", root: "/project", strategy: "pull", state: "fresh", ms: 9 }],
	omitted: { diagnostics: 0, files: 0 },
};
const hashes = { "src/greet.ts": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9" };

export const judgedExample: Judged = { ...report, new: 1, fixed: 0, mended: [], netDelta: 1, judged: hashes };
