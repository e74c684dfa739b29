import type { ServerCapabilities } from "vscode-languageserver-protocol";

/** LSP's TextDocumentSyncKind as far as it matters here: 1 whole text, 2 changed range. */
export function changeKindOf({ textDocumentSync }: ServerCapabilities): 1 | 2 {
	const kind = typeof textDocumentSync === "object" ? textDocumentSync.change : textDocumentSync;
	return kind === 2 ? 2 : 1;
}

/**
 * Whether `didSave` carries the text; undefined if the server wants to hear of no save. One that names only the kind of its
 * changes hears of saves, too: so do editors understand it.
 */
export function saveWithText({ textDocumentSync }: ServerCapabilities): boolean | undefined {
	const save = typeof textDocumentSync === "object" ? textDocumentSync.save : textDocumentSync !== undefined;
	if (!save) return undefined;
	return typeof save === "object" && save.includeText === true;
}
