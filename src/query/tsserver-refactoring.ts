import type { CodeAction, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { configureFormat, requestTsserver } from "../diagnostics/sources/tsserver.ts";
import { TsserverLines, type TsserverPosition } from "../lsp/tsserver-lines.ts";
import { toRange, toUri } from "../util/positions.ts";
import { anySource, readText } from "../util/read-file.ts";
import type { FileQuery } from "./file-query.ts";

/** typescript-language-server would create files itself (docs/facts.md, 30). */
const applyCommand = "_typescript.applyRefactoring";

/** Arguments of tsserver's `getEditsForRefactor`. */
export interface TsserverRefactoring {
	/** Absolute. */
	readonly file: string;
	readonly startLine: number;
	readonly startOffset: number;
	readonly endLine: number;
	readonly endOffset: number;
	readonly refactor: string;
	readonly action: string;
	/** For "Move to file". */
	readonly interactiveRefactorArguments?: { readonly targetFile: string };
}

interface RefactoringEdits {
	readonly edits: readonly {
		readonly fileName: string;
		readonly textChanges: readonly {
			readonly start: TsserverPosition;
			readonly end: TsserverPosition;
			readonly newText: string;
		}[];
	}[];
	readonly notApplicableReason?: string | null;
}

export function tsserverRefactoring({ command }: CodeAction): TsserverRefactoring | undefined {
	if (command?.command !== applyCommand) return undefined;
	return command.arguments?.[0] as TsserverRefactoring | undefined;
}

/** tsserver writes nothing. Rejects with LSP_EDIT_REFUSED or LSP_SERVER_ERROR. */
export async function tsserverRefactoringEdit(
	query: FileQuery,
	refactoring: TsserverRefactoring,
): Promise<WorkspaceEdit> {
	const { server, signal, document } = query;
	const refused = (why: string) =>
		new LspError("LSP_EDIT_REFUSED", `"${refactoring.action}" is not possible here: ${why}`);
	await configureFormat(server, document.path, await query.formatting(), signal);
	const found = await requestTsserver<RefactoringEdits>(server, "getEditsForRefactor", refactoring, signal);
	if (found.notApplicableReason) throw refused(found.notApplicableReason);
	if (found.edits.length === 0) throw refused(`${server.config.id} changes nothing.`);
	const documentChanges: NonNullable<WorkspaceEdit["documentChanges"]> = [];
	for (const { fileName, textChanges } of found.edits) {
		const uri = toUri(fileName);
		// Lines count from 1, but a new file has the line 0.
		const isNew = textChanges.some(({ start }) => start.line === 0);
		if (isNew) documentChanges.push({ kind: "create", uri });
		const text = isNew ? "" : (server.documents.get(fileName)?.text ?? (await readText(fileName, anySource)) ?? "");
		const lines = new TsserverLines(text);
		const edits = textChanges.map(({ start, end, newText }): TextEdit => {
			const top = { line: 1, column: 1 };
			const range = isNew ? toRange(top, top) : toRange(lines.fromTsserver(start), lines.fromTsserver(end));
			return { range, newText };
		});
		documentChanges.push({ textDocument: { uri, version: null }, edits });
	}
	return { documentChanges };
}
