import type { CodeAction, CodeActionOptions } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../lsp/server.ts";

const method = "textDocument/codeAction";
/** gopls moves declarations to a new file of their package. */
export const toNewFile = "refactor.extract.toNewFile";

export type Refactoring = "extract" | "inline";

export function offersRefactoring(server: LanguageServer, what: Refactoring): boolean {
	if (!server.offers(method)) return false;
	const kinds = announcedKinds(server);
	return kinds.length === 0 || kinds.some((kind) => isWithin(kind, `refactor.${what}`) || kind === "refactor");
}

export function movesSymbols(server: LanguageServer): boolean {
	return server.config.strategy === "tsserver" || announcedKinds(server).includes(toNewFile);
}

/** clangd has one kind for all. */
export function refactoringsIn(actions: readonly CodeAction[], what: Refactoring): CodeAction[] {
	return actions.filter(
		({ kind = "", title }) =>
			(isWithin(kind, `refactor.${what}`) && kind !== toNewFile) ||
			(kind === "refactor" && title.toLowerCase().startsWith(`${what} `)),
	);
}

function isWithin(kind: string, parent: string): boolean {
	return kind === parent || kind.startsWith(`${parent}.`);
}

function announcedKinds(server: LanguageServer): readonly string[] {
	const registered = [...server.registrations.values()].filter((each) => each.method === method);
	const options = [server.capabilities.codeActionProvider, ...registered.map(({ registerOptions }) => registerOptions)];
	return options.flatMap((each) => (each as CodeActionOptions | undefined)?.codeActionKinds ?? []);
}
