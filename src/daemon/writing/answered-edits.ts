import type { TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { validated } from "../../lsp/validate-result.ts";
import { joinEdits } from "../../planning/join-edits.ts";
import { PlannedTree } from "../../planning/planned-tree.ts";
import { type EditSummary, planEdit, type Step, stepsOf } from "../../planning/workspace-edit.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { displayPath } from "../../routing/locate.ts";
import { hashOf } from "../../util/hash.ts";
import { LruMap } from "../../util/lru-map.ts";
import { linesOf, type PositionEncoding, toPath, toRange, toSpot } from "../../util/positions.ts";
import { maxSourceBytes, readHead, withoutMark } from "../../util/read-file.ts";
import type { Change } from "../../writer/change.ts";
import { hashOfBytes } from "../../writer/record.ts";
import type { OperationCall } from "../operation-context.ts";

const maxRemembered = 2000;

export class AnsweredEdits {
	readonly #hashes = new LruMap<string>(maxRemembered);

	remember(uri: string, edits: readonly TextEdit[], hash: string): void {
		this.#hashes.set(editKey(uri, edits), hash);
	}

	hashFor(uri: string, edits: readonly TextEdit[]): string | undefined {
		return this.#hashes.get(editKey(uri, edits));
	}
}

function editKey(uri: string, edits: readonly TextEdit[]): string {
	const plain = edits.map(({ range: { start, end }, newText }) =>
		JSON.stringify([start.line, start.character, end.line, end.character, newText]),
	);
	return hashOf(JSON.stringify([toPath(uri) ?? uri, plain.sort()]));
}

/** The edit counts UTF-16 units, and has `changes` if only texts change. */
export function answeredEdit(
	remembered: AnsweredEdits,
	asked: FileQuery,
	edits: readonly WorkspaceEdit[],
	{ change, summary }: { readonly change: Change; readonly summary: EditSummary },
): WorkspaceEdit {
	const { encoding } = asked.server;
	const shown = (path: string) => asked.displayPath(path);
	const joined = joinEdits(edits);
	const excluded = new Set(summary.excluded.map(shown));
	const isLeftOut = (uri: string) => excluded.has(shown(toPath(uri) ?? uri));
	const befores = new Map(change.files.map(({ path, before }) => [shown(path), before]));
	const needsConfirmation = (id: string | undefined) =>
		id !== undefined && joined.changeAnnotations?.[id]?.needsConfirmation === true;
	const steps = stepsOf(joined).flatMap((step): Step[] => {
		if ("kind" in step) return isLeftOut(step.kind === "rename" ? step.oldUri : step.uri) ? [] : [step];
		const { uri } = step.textDocument;
		const before = befores.get(shown(toPath(uri) ?? uri));
		if (isLeftOut(uri) || !before) return [];
		const lines = linesOf(withoutMark(before.toString("utf8")));
		const plain = (step.edits as TextEdit[])
			.filter((each) => !needsConfirmation((each as { annotationId?: string }).annotationId))
			.map(({ range, newText }) => ({
				range: encoding === "utf-16" ? range : inUtf16(range, lines, encoding),
				newText,
			}));
		remembered.remember(uri, plain, hashOfBytes(before));
		return [{ textDocument: { uri, version: null }, edits: plain }];
	});
	if (steps.some((step) => "kind" in step)) return { documentChanges: steps };
	const changes: Record<string, TextEdit[]> = {};
	for (const step of steps)
		if (!("kind" in step))
			changes[step.textDocument.uri] = [...(changes[step.textDocument.uri] ?? []), ...(step.edits as TextEdit[])];
	return { changes };
}

function inUtf16(range: TextEdit["range"], lines: readonly string[], encoding: PositionEncoding): TextEdit["range"] {
	return toRange(toSpot(range.start, lines, encoding), toSpot(range.end, lines, encoding));
}

export interface GivenEdit {
	readonly change: Change;
	readonly summary: EditSummary;
	/** Absolute. */
	readonly cwd: string;
	/** False if a part was never answered: its text is unknown. */
	readonly isKnown: boolean;
}

/** Rejects with LSP_INVALID_INPUT, LSP_EDIT_REFUSED or LSP_FILE_CHANGED. */
export async function planGiven(call: OperationCall, given: unknown): Promise<GivenEdit> {
	const { directory: cwd, workspace } = await call.settings();
	const edit = workspaceEdit(given);
	let isKnown = true;
	for (const step of stepsOf(edit)) {
		if ("kind" in step) continue;
		const { uri } = step.textDocument;
		const hash = call.service.answeredEdits.hashFor(uri, step.edits as TextEdit[]);
		if (hash === undefined) isKnown = false;
		else await requireHash(uri, hash, cwd);
	}
	const tree = new PlannedTree({ workspace, encoding: "utf-16" });
	const summary = await planEdit(edit, tree, { confirmed: true });
	return { change: await tree.finish("apply an edit"), summary, cwd, isKnown };
}

function workspaceEdit(given: unknown): WorkspaceEdit {
	try {
		const edit = validated<WorkspaceEdit | null>("The caller", "textDocument/rename", given);
		if (edit && (edit.changes || edit.documentChanges)) return edit;
	} catch {
		// The error below says what is expected.
	}
	throw new LspError("LSP_INVALID_INPUT", "The edit is no WorkspaceEdit with `changes` or `documentChanges`.");
}

async function requireHash(uri: string, hash: string, cwd: string): Promise<void> {
	const path = toPath(uri) ?? uri;
	const bytes = await readHead(path, maxSourceBytes + 1);
	if (typeof bytes !== "string" && hashOfBytes(bytes) === hash) return;
	throw new LspError("LSP_FILE_CHANGED", `${displayPath(path, cwd)} has changed since this edit was made.`, {
		file_path: path,
		suggestion: "Nothing was written. Ask for the edit again.",
	});
}
