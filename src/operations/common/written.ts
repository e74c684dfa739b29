import { Type } from "@sinclair/typebox";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import type { CheckReport, Diagnostic } from "../../contract/check-report.ts";
import type { Written } from "../../contract/planned.ts";
import type { PlannedEdit } from "../../daemon/writing/edit-control.ts";

/** Inputs of every operation that writes what a server answers. */
export const changeInput = {
	dry_run: Type.Optional(Type.Boolean({ description: "Show the change and write nothing" })),
};

/** Input and output of the operations that can answer with an edit instead of writing it. */
export const ReturnEdit = Type.Optional(
	Type.Boolean({ description: "Write nothing and answer with the WorkspaceEdit, which `apply_edit` takes" }),
);
export const ReturnedEdit = Type.Optional(
	Type.Unsafe<WorkspaceEdit>({ type: "object", description: "With `return_edit`: the edit, in LSP's form and UTF-16" }),
);

/** The answer to a planned edit, with what is to be known of it. */
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

/** 1 if something is broken that was not before, or if it is not known; 0 otherwise. */
export function exitCodeOfWritten({ written, check }: Written): number {
	if (written.length === 0 || !check) return written.length === 0 ? 0 : 1;
	return newErrorsIn(check).length > 0 || !isProven(check) ? 1 : 0;
}

/** Errors that were not there before the change. Where it is not known what was, all count. */
export function newErrorsIn({ files }: CheckReport): Diagnostic[] {
	return files.flatMap(({ diagnostics }) =>
		diagnostics.filter(({ severity, new: isNew }) => severity === "error" && isNew !== false),
	);
}

/** Whether every file is proven that anybody can judge. */
export function isProven({ files, omitted }: CheckReport): boolean {
	return (
		omitted.files === 0 && files.every(({ state }) => ["fresh", "unsupported", "too_large", "binary"].includes(state))
	);
}
