import { Type } from "@sinclair/typebox";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import { type CheckReport, type Diagnostic, namesAllFiles } from "../../contract/check-report.ts";
import type { Written } from "../../contract/planned.ts";
import { t } from "../../contract/schema.ts";
import type { PlannedEdit } from "../../daemon/writing/keep-plan.ts";

export const changeInput = {
	dry_run: t.optional.flag("Show the change and write nothing"),
};

export const ReturnEdit = t.optional.flag("Write nothing and answer with the WorkspaceEdit, which `apply_edit` takes");
export const ReturnedEdit = t.optional(
	Type.Unsafe<WorkspaceEdit>({ type: "object", description: "With `return_edit`: the edit, in LSP's form and UTF-16" }),
);

export function writtenAnswer(
	{ planned, unconfirmed, excluded }: Pick<PlannedEdit, "planned" | "unconfirmed" | "excluded">,
	notes: readonly string[] = [],
): Written {
	const all = [
		...notes,
		...unconfirmed.map((label) => `Left out, since the server wants it to be confirmed (\`confirm\`): ${label}.`),
		...(excluded.length > 0 ? [`Excluded: ${excluded.join(", ")}.`] : []),
	];
	const { diff } = planned;
	return { written: [], diff, planned, ...(all.length > 0 ? { notes: all } : {}) };
}

/** 0: nothing new is broken, 1: something is, 3: written and not proven. */
export function exitCodeOfWritten({ written, check }: Written): number {
	if (written.length === 0) return 0;
	if (check && newErrorsIn(check).length > 0) return 1;
	return check && isProven(check) ? 0 : 3;
}

export function newErrorsIn({ files }: CheckReport): Diagnostic[] {
	return files.flatMap(({ diagnostics }) =>
		diagnostics.filter(({ severity, new: isNew }) => severity === "error" && isNew !== false),
	);
}

export function isProven(report: CheckReport): boolean {
	const settled = ["fresh", "unsupported", "too_large", "binary"];
	return namesAllFiles(report) && report.files.every(({ state }) => settled.includes(state));
}
