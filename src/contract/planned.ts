import { Type } from "@sinclair/typebox";
import { CheckReportSchema } from "./check-report.ts";
import type { ValueOf } from "./schema.ts";

const PlannedSchema = Type.Object({
	plan: Type.Optional(Type.String()),
	/** Sorted by path. */
	files: Type.Array(Type.String()),
	diff: Type.String(),
});

export interface Planned {
	readonly planned: ValueOf<typeof PlannedSchema>;
}

export const Written = {
	written: Type.Array(Type.String(), { description: "Paths of the files that were written" }),
	diff: Type.String({ description: "What has changed, as a unified diff" }),
	undo: Type.Optional(Type.String({ description: "What `undo` takes to take it back" })),
	check: Type.Optional(CheckReportSchema),
	totals: Type.Optional(
		Type.Object(
			{
				errors: Type.Integer(),
				warnings: Type.Integer(),
				warnings_before: Type.Optional(Type.Integer({ description: "What these files had before, if all is known" })),
			},
			{ description: "All that the checked files have now, whatever `check` is limited to" },
		),
	),
	notes: Type.Optional(Type.Array(Type.String(), { description: "What is to be known of it" })),
	planned: Type.Optional(PlannedSchema),
};

const WrittenSchema = Type.Object(Written);

export type Written = ValueOf<typeof WrittenSchema>;

export interface CommitResult {
	readonly written: readonly string[];
	readonly diff: string;
	readonly undo: string;
	/** Absent if the daemon ended after writing. */
	readonly check?: Written["check"];
	readonly totals?: Written["totals"];
	readonly notes?: readonly string[];
}
