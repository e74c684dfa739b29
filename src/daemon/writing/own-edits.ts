import type { TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import type { OpenDocument } from "../../lsp/documents.ts";
import { replaceAll, replacementsOf, withLineEndsOf } from "../../planning/text-edits.ts";
import { stepsOf } from "../../planning/workspace-edit.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { linesOf, toPath } from "../../util/positions.ts";

/** Undefined unless exactly this file changes. Throws LSP_EDIT_REFUSED. */
export function textAfter({ document, server }: FileQuery, edit: WorkspaceEdit): string | undefined {
	const { path, text } = document;
	const edits = ownEdits(edit, path);
	const kept = edits?.map((each) => ({ ...each, newText: withLineEndsOf(text, each.newText) }));
	return kept && replaceAll(text, replacementsOf(text, kept, server.encoding, path));
}

export function wholeTextEdit({ uri, text }: Pick<OpenDocument, "uri" | "text">, newText: string): WorkspaceEdit {
	const range = { start: { line: 0, character: 0 }, end: { line: linesOf(text).length, character: 0 } };
	return { changes: { [uri]: [{ range, newText }] } };
}

function ownEdits(edit: WorkspaceEdit, path: string): TextEdit[] | undefined {
	const edits: TextEdit[] = [];
	for (const step of stepsOf(edit)) {
		if ("kind" in step || toPath(step.textDocument.uri) !== path) return undefined;
		for (const each of step.edits)
			if ("newText" in each) edits.push(each);
			else return undefined;
	}
	return edits.length > 0 ? edits : undefined;
}
