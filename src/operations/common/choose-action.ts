import type { CodeAction } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import type { FileQuery } from "../../query/file-query.ts";

const maxTitles = 10;

/** By a part of the title. Throws LSP_UNSUPPORTED_REQUEST or LSP_EDIT_REFUSED. */
export function actionCalled(title: string, actions: readonly CodeAction[], { server }: FileQuery): CodeAction {
	const wanted = title.toLowerCase();
	const exact = actions.filter((action) => action.title === title);
	const similar = actions.filter((action) => action.title.toLowerCase().includes(wanted));
	const found = exact.length > 0 ? exact : similar;
	const [action] = found;
	if (!action)
		throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} has no action "${title}" here.`, {
			suggestion: `It has: ${titlesOf(actions)}.`,
		});
	if (new Set(found.map((each) => each.title)).size > 1)
		throw new LspError("LSP_EDIT_REFUSED", `"${title}" means several: ${titlesOf(found)}.`);
	if (action.disabled)
		throw new LspError("LSP_EDIT_REFUSED", `"${action.title}" is not possible here: ${action.disabled.reason}`);
	return action;
}

export function titlesOf(actions: readonly CodeAction[]): string {
	const titles = [...new Set(actions.filter(({ disabled }) => !disabled).map(({ title }) => `"${title}"`))];
	const more = titles.length > maxTitles ? ` and ${titles.length - maxTitles} more` : "";
	return titles.length > 0 ? titles.slice(0, maxTitles).join(", ") + more : "none";
}
