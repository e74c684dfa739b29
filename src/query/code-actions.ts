import type { CodeAction, Command, Diagnostic, Range } from "vscode-languageserver-protocol";
import { CodeActionTriggerKind } from "../contract/protocol-kinds.ts";
import { strategyOf } from "../diagnostics/sources/prove.ts";
import type { FileQuery } from "./file-query.ts";
import { tsserverRefactoring, tsserverRefactoringEdit } from "./tsserver-refactoring.ts";

const method = "textDocument/codeAction";
/** Each repetition takes the server 500 ms. */
const maxAgain = 4;
const triggerKind = CodeActionTriggerKind.Invoked;

export interface ActionQuestion {
	readonly kind?: string | undefined;
	/** Default: those in the range, the only ones with quick fixes. */
	readonly diagnostics?: readonly Diagnostic[];
}

export async function codeActionsIn(
	query: FileQuery,
	range: Range,
	{ kind, diagnostics }: ActionQuestion,
): Promise<CodeAction[]> {
	query.server.require(method);
	const known = diagnostics ?? (await query.diagnostics()).filter((found) => overlaps(found.range, range));
	const context = { diagnostics: known, triggerKind, ...(kind === undefined ? {} : { only: [kind] }) };
	const ask = () => query.request<(Command | CodeAction)[] | null>(method, undefined, { range, context });
	let actions = await ask();
	// typescript-language-server's own diagnostics may come later (docs/facts.md, 19).
	const isLate = strategyOf(query.server) === "tsserver" && known.length > 0;
	for (let again = 0; isLate && again < maxAgain && !actions?.length; again++) actions = await ask();
	return (actions ?? [])
		.map((action) => (isCommand(action) ? { title: action.title, command: action } : action))
		.filter((action) => kind === undefined || action.kind === kind || action.kind?.startsWith(`${kind}.`));
}

function isCommand(action: Command | CodeAction): action is Command {
	return typeof action.command === "string";
}

export async function resolvedAction(query: FileQuery, action: CodeAction): Promise<CodeAction> {
	const { server, signal } = query;
	const refactoring = tsserverRefactoring(action);
	if (refactoring) return { ...action, edit: await tsserverRefactoringEdit(query, refactoring) };
	const { codeActionProvider } = server.capabilities;
	const registered = [...server.registrations.values()].filter((each) => each.method === method);
	const providers = [codeActionProvider, ...registered.map(({ registerOptions }) => registerOptions)];
	const resolves = providers.some((each) => (each as { resolveProvider?: boolean } | undefined)?.resolveProvider);
	if (action.edit || !resolves) return action;
	return (await server.request<CodeAction | null>("codeAction/resolve", action, signal)) ?? action;
}

function overlaps(one: Range, other: Range): boolean {
	const isBefore = (a: Range["start"], b: Range["start"]) =>
		a.line < b.line || (a.line === b.line && a.character < b.character);
	return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}
