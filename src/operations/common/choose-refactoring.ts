import type { CodeAction, Range } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { offersRefactoring, type Refactoring, refactoringsIn } from "../../contract/refactorings.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { actionCalled, titlesOf } from "./choose-action.ts";

/** By a part of the title. Rejects with LSP_UNSUPPORTED_REQUEST or LSP_EDIT_REFUSED. */
export async function chooseRefactoring(
	query: FileQuery,
	what: Refactoring,
	range: Range,
	title: string | undefined,
): Promise<CodeAction> {
	const { server } = query;
	const { id } = server.config;
	if (!offersRefactoring(server, what))
		throw new LspError("LSP_UNSUPPORTED_REQUEST", `${id} cannot ${what} anything.`, {
			suggestion: "Nothing was written. Make the change with {{apply_edit}}.",
		});
	const found = refactoringsIn(await query.codeActions(range, { kind: "refactor", diagnostics: [] }), what);
	const possible = found.filter(({ disabled }) => !disabled);
	if (title !== undefined) return actionCalled(title, found, query);
	if (new Set(possible.map((each) => each.title)).size > 1)
		throw new LspError("LSP_EDIT_REFUSED", `${id} has several ways to ${what} this: ${titlesOf(possible)}.`, {
			suggestion: "Nothing was written. Give `as`: enough of one of these titles.",
		});
	const [action] = possible;
	if (action) return action;
	const reasons = [...new Set(found.map(({ disabled }) => disabled?.reason))].slice(0, 3).join(" ");
	throw new LspError("LSP_EDIT_REFUSED", `${id} can ${what} nothing here${reasons ? `: ${reasons}` : "."}`);
}
