import type { Diagnostic } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import { type AliasContext, defineAlias } from "../../contract/operation.ts";
import { type FieldsOf, t } from "../../contract/schema.ts";
import { isJudged, type Judged } from "../common/editing/judged.ts";
import type { Committed } from "../simulate-commit.ts";
import type { Chain, Evaluation } from "../simulate-evaluate.ts";
import { file, lspRange, profile } from "./agent-lsp.ts";

/** agent-lsp moves an edit past the end to the end; here it is refused. */

const session = { session_id: t.text("Session ID from create_simulation_session") };

const piece = {
	...file,
	start_line: t.positive("Start line of the edit range (1-based)"),
	start_column: t.positive("Start column (1-based)"),
	end_line: t.positive("End line of the edit range (1-based)"),
	end_column: t.positive("End column (1-based)"),
	new_text: t.text("Replacement text for the range"),
};

function toEdit({ file_path, start_line, start_column, end_line, end_column, new_text }: FieldsOf<typeof piece>) {
	return { file: file_path, line: start_line, column: start_column, end_line, end_column, new_text };
}

const scopes = t.oneOf(["file", "workspace"], "`workspace`: with the files that may see the edits", {
	default: "file",
});

const evaluation = {
	scope: t.optional(scopes),
	timeout_ms: t.optional.positive("Milliseconds to wait for proof"),
};

type GivenEvaluation = FieldsOf<typeof evaluation>;

function toJudging({ scope = "file", timeout_ms: timeout }: GivenEvaluation) {
	return {
		scope: scope === "file" ? ("file" as const) : ("affected" as const),
		...(timeout === undefined ? {} : { timeout }),
	};
}

type Entry = Pick<Diagnostic, "line" | "column" | "message" | "source"> & { readonly severity: string };

function toEntry({ line, column, message, severity, source }: Entry) {
	return { line, col: column, message, severity, ...(source === undefined ? {} : { source }) };
}

function introduced({ files }: Judged) {
	const found = files.flatMap(({ diagnostics }) => diagnostics.filter((each) => each.new !== false));
	return found.filter(({ severity }) => severity === "error").map(toEntry);
}

function toEvaluation(found: Judged, given: GivenEvaluation) {
	const { files, servers, mended, netDelta } = found;
	const errors = introduced(found);
	const isTimedOut = files.some(({ state }) => state === "timed_out");
	return {
		errors_introduced: errors.length > 0 ? errors : null,
		errors_resolved: mended.length > 0 ? mended.map(toEntry) : null,
		net_delta: netDelta,
		scope: given.scope ?? "file",
		confidence: isJudged(found) ? "high" : "partial",
		timeout: isTimedOut,
		duration_ms: Math.round(Math.max(0, ...servers.map(({ ms }) => ms ?? 0))),
	};
}

export const create = defineAlias({
	profile,
	name: "create_simulation_session",
	description: "Begins a session of edits in memory; nothing is written to disk.",
	input: t.object({
		workspace_root: t.text("Absolute path to the workspace root"),
		language: t.text("Taken and not needed: the files say their languages"),
	}),
	toInput: ({ workspace_root: directory }) => ({ directory }),
	toOutput: ({ session: id, ended }: { readonly session: string; readonly ended?: string | undefined }) => ({
		session_id: id,
		status: "created",
		...(ended === undefined ? {} : { ended_session_id: ended }),
	}),
});

export const edit = defineAlias({
	profile,
	name: "simulate_edit",
	description: "Applies an edit in memory to a session. Edits add up; nothing is written to disk.",
	input: t.object({ ...session, ...piece }),
	toInput: ({ session_id: id, ...given }) => ({ session: id, ...toEdit(given) }),
	toOutput: ({ session: id, edits }: { readonly session: string; readonly edits: number }) => ({
		session_id: id,
		edit_applied: true,
		version_after: edits,
	}),
});

export const evaluate = defineAlias({
	profile,
	name: "evaluate_session",
	description: "What the edits of a session introduce and resolve, against the files on disk.",
	input: t.object({ ...session, ...evaluation }),
	toInput: ({ session_id: id, ...given }) => ({ session: id, ...toJudging(given) }),
	toOutput: (found: Evaluation, given) => ({ session_id: found.session, ...toEvaluation(found, given) }),
});

export const chain = defineAlias({
	profile,
	name: "simulate_chain",
	description: "Applies edits to a session one after the other, and evaluates after each.",
	input: t.object({
		...session,
		edits: t.list(t.object(piece), "In order", { minItems: 1, maxItems: 50 }),
		timeout_ms: t.optional.positive("Milliseconds for each step"),
	}),
	toInput: ({ session_id: id, edits, ...given }) => ({ session: id, edits: edits.map(toEdit), ...toJudging(given) }),
	toOutput: ({ steps, safeThroughStep, netDelta }: Chain, { session_id: id }) => ({
		session_id: id,
		steps: steps.map((each) => ({
			step: each.step,
			net_delta: each.netDelta,
			errors_introduced: introduced(each),
			...(each.confidence === "high" ? {} : { confidence: each.confidence }),
		})),
		safe_to_apply_through_step: safeThroughStep,
		cumulative_delta: netDelta,
	}),
});

export const commit = defineAlias({
	profile,
	name: "commit_session",
	description: "The edits of a session as a patch; with apply they are written to disk.",
	input: t.object({
		...session,
		apply: t.optional.flag("Write the files to disk", { default: false }),
		target: t.optional.text("Refused with apply: files are written in their own places"),
	}),
	toInput({ session_id: id, apply = false, target = "" }) {
		if (apply && target !== "")
			throw new LspError("LSP_INVALID_INPUT", "commit_session: target: Files are written in their own places alone.");
		return { session: id, apply, edits: true };
	},
	toOutput: ({ session: id, written, changes = [] }: Committed, _given, { absolute, uri }) => ({
		session_id: id,
		files_written: written.map(absolute),
		patch: {
			changes: Object.fromEntries(
				changes.map(({ path, newText, ...range }) => [uri(path), [{ range: lspRange(range), newText }]]),
			),
		},
	}),
});

export const discard = defineAlias({
	profile,
	name: "discard_session",
	description: "Drops all edits of a session; nothing is written to disk.",
	input: t.object(session),
	toInput: ({ session_id: id }) => ({ session: id }),
	toOutput: (_output: object, { session_id: id }) => ({ session_id: id, status: "discarded" }),
});

export const destroy = defineAlias({
	profile,
	name: "destroy_session",
	description: "Ends a session.",
	input: t.object(session),
	toInput: ({ session_id: id }) => ({ session: id }),
	toOutput: (_output: object, { session_id: id }) => ({ session_id: id, status: "destroyed" }),
	toFailed: ({ code, message }, { session_id: id }) =>
		code === "LSP_SESSION_NOT_FOUND" ? { session_id: id, status: "already_destroyed", note: message } : undefined,
});

export const preview = defineAlias({
	profile,
	name: "simulate_edit_atomic",
	alsoNamed: ["preview_edit"],
	description: "What one edit introduces and resolves; nothing is written to disk.",
	input: t.object({
		session_id: t.optional.text("Adds the edit to this session, and evaluates it"),
		workspace_root: t.optional.text("Taken and not needed: the file says its workspace"),
		language: t.optional.text("Taken and not needed"),
		...piece,
		...evaluation,
	}),
	toInput: ({ session_id: id, workspace_root: _root, language: _language, scope, timeout_ms, ...given }) => ({
		...toEdit(given),
		...toJudging({ ...(scope ? { scope } : {}), ...(timeout_ms === undefined ? {} : { timeout_ms }) }),
		...(id === undefined ? {} : { session: id }),
	}),
	toOutput: (found: Judged, given, _context: AliasContext) => ({
		...(given.session_id === undefined ? {} : { session_id: given.session_id }),
		...toEvaluation(found, given),
	}),
});
