import type { CodeAction, WorkspaceEdit } from "vscode-languageserver-protocol";
import { trustSuggestion } from "../../config/trust.ts";
import { LspError } from "../../contract/errors.ts";
import { resolvedAction } from "../../query/code-actions.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { OperationCall } from "../operation-context.ts";

/** With its command's edits. Rejects with LSP_EDIT_REFUSED or LSP_SERVER_UNTRUSTED. */
export async function actionEdits(
	call: OperationCall,
	asked: FileQuery,
	action: CodeAction,
): Promise<readonly WorkspaceEdit[]> {
	// A command that comes with an edit is for the server's own editor.
	const { edit, command, title } = await resolvedAction(asked, action);
	if (edit) return [edit];
	if (!command) throw new LspError("LSP_EDIT_REFUSED", `${asked.server.config.id} has no edit for "${title}".`);
	await requireTrust(call, `"${title}"`);
	if (!asked.commands.includes(command.command))
		throw new LspError("LSP_EDIT_REFUSED", `"${title}" is a command for an editor: ${command.command}.`);
	return (await asked.execute(command)).edits;
}

/** Commands may do more than edit. Rejects with LSP_SERVER_UNTRUSTED. */
export async function requireTrust(call: OperationCall, command: string): Promise<void> {
	const { trusted } = await call.settings();
	const message = `${command} may do anything, and the repository is not trusted.`;
	if (!trusted) throw new LspError("LSP_SERVER_UNTRUSTED", message, { suggestion: trustSuggestion });
}
