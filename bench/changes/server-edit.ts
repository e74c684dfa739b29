import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Files } from "../../test/support/workspace.ts";
import type { BareClient } from "../bare-client.ts";

/** The text edits of a server by file; undefined if there are none, or also changes of files. */
export function editsByFile(
	bare: BareClient,
	edit: WorkspaceEdit | null | undefined,
): Map<string, TextEdit[]> | undefined {
	const byFile = new Map<string, TextEdit[]>();
	for (const each of edit?.documentChanges ?? []) {
		if (!("textDocument" in each)) return undefined;
		const path = bare.fileOf(each.textDocument.uri);
		byFile.set(path, [...(byFile.get(path) ?? []), ...((each as TextDocumentEdit).edits as TextEdit[])]);
	}
	if (!edit?.documentChanges)
		for (const [uri, edits] of Object.entries(edit?.changes ?? {})) byFile.set(bare.fileOf(uri), edits);
	for (const [path, edits] of byFile) if (edits.length === 0) byFile.delete(path);
	return byFile.size > 0 ? byFile : undefined;
}

/**
 * The texts after a server's edit, applied by the library that servers use; undefined where the edit leaves the package.
 */
export function textsAfter(bare: BareClient, files: Files, edit: WorkspaceEdit | null | undefined): Files | undefined {
	const byFile = editsByFile(bare, edit);
	if (!byFile || [...byFile.keys()].some((path) => files[path] === undefined)) return undefined;
	const texts = [...byFile].map(([path, edits]) => {
		const document = TextDocument.create(path, "", 1, files[path] ?? "");
		return [path, TextDocument.applyEdits(document, edits)] as const;
	});
	return Object.fromEntries(texts);
}
