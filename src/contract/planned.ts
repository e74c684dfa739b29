import { CheckReportSchema } from "./check-report.ts";
import { t, type ValueOf } from "./schema.ts";

const PlannedSchema = t.object({
	plan: t.optional.text(),
	/** Sorted by path. */
	files: t.texts(),
	diff: t.text(),
});

export interface Planned {
	readonly planned: ValueOf<typeof PlannedSchema>;
}

export const Written = {
	written: t.texts("Paths of the files that were written"),
	diff: t.text("What has changed, as a unified diff"),
	undo: t.optional.text("What `undo` takes to take it back"),
	check: t.optional(CheckReportSchema),
	totals: t.optional.object("All that the checked files have now, whatever `check` is limited to", {
		errors: t.integer(),
		warnings: t.integer(),
		warnings_before: t.optional.integer("What these files had before, if all is known"),
	}),
	notes: t.optional.texts("What is to be known of it"),
	planned: t.optional(PlannedSchema),
};

const WrittenSchema = t.object(Written);

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
