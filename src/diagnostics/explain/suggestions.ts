import type { CodeAction, CodeActionParams } from "vscode-languageserver-protocol";
import type { Diagnostic } from "../../contract/check-report.ts";
import { preferredAction, type TitledAction } from "../../contract/preferred-action.ts";
import { CodeActionTriggerKind, DiagnosticSeverity } from "../../contract/protocol-kinds.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { deadline, waitOrAbort } from "../../util/abort.ts";
import { linesOf, toPosition } from "../../util/positions.ts";
import { type Proof, strategyOf } from "../sources/prove.ts";
import { tsserverFixes } from "../sources/tsserver.ts";
import { suggestionFrom } from "./fix-titles.ts";

const maxAsked = 3;
export const explainMs = 150;

const unknownNames = new Set([
	// TypeScript
	...["2304", "2305", "2318", "2339", "2503", "2551", "2552", "2614", "2686", "2693", "2724", "18004"],
	...["reportUndefinedVariable", "reportAttributeAccessIssue"],
	// rustc
	...["E0405", "E0412", "E0425", "E0432", "E0433", "E0560", "E0599", "E0609"],
]);
const unknownModules = new Set(["2307", "2792", "2834", "reportMissingImports"]);

const saysUnknown =
	/\b(?:undefined|undeclared|unresolved|unknown)\b|\bnot (?:found|defined|declared)\b|\b(?:can ?not|can't|could not) (?:find|resolve)\b|\bno (?:member|field|method|attribute)\b/i;
const alreadySuggests = /\b(?:did|do) you mean\b|\bsimilar name\b/i;

/** Of a text with this hash. */
export interface OfferedFix {
	readonly path: string;
	readonly hash: string;
	readonly server: string;
	readonly title: string;
	/** Of the error; 1-based, in UTF-16 units. */
	readonly line: number;
	readonly column: number;
	readonly code: string;
}

interface Asking {
	readonly signal: AbortSignal;
	readonly ms?: number;
	readonly offer?: ((fix: OfferedFix) => string) | undefined;
}

export async function withSuggestions(
	server: LanguageServer,
	{ proof: { path, hash }, diagnostics }: { readonly proof: Proof; readonly diagnostics: readonly Diagnostic[] },
	{ signal, ms = explainMs, offer }: Asking,
	inTurn = (work: () => Promise<void>) => server.turns.read(work),
): Promise<readonly Diagnostic[]> {
	const wanted = worthAsking(diagnostics);
	if (wanted.length === 0 || ms <= 0 || signal.aborted || !offersFixes(server)) return diagnostics;
	const found = new Map<Diagnostic, Pick<Diagnostic, "suggestion" | "fix">>();
	const limit = deadline(ms, () => new Error("too late for a suggestion"), signal);
	const isCurrent = () => !limit.signal.aborted && server.documents.get(path)?.hash === hash;
	const ask = async (document: OpenDocument, diagnostic: Diagnostic) => {
		// Not cancelled when late: basedpyright prepares its list of imports.
		const fixes = await fixesFor(server, document, diagnostic, signal);
		if (!isCurrent()) return;
		const suggestion = suggestionFrom(fixes.map(({ title }) => title));
		const title = offer && preferredAction(fixes)?.title;
		const { line, column, code = "" } = diagnostic;
		const about = { path, hash, server: server.config.id, line, column, code };
		found.set(diagnostic, {
			...(suggestion === undefined ? {} : { suggestion }),
			...(offer && title !== undefined ? { fix: { name: offer({ ...about, title }), title } } : {}),
		});
	};
	const asked = inTurn(async () => {
		const document = server.documents.get(path);
		if (!document || !isCurrent()) return;
		const asks = wanted.map((diagnostic) => ask(document, diagnostic).catch(() => {}));
		await waitOrAbort(Promise.all(asks), limit.signal);
	});
	await waitOrAbort(asked, limit.signal).catch(() => {});
	limit.abort();
	return diagnostics.map((diagnostic) => ({ ...diagnostic, ...found.get(diagnostic) }));
}

function worthAsking(diagnostics: readonly Diagnostic[]): Diagnostic[] {
	const byMessage = new Map<string, Diagnostic>();
	for (const diagnostic of diagnostics) {
		const { severity, message, new: isNew } = diagnostic;
		if (severity !== "error" || isNew === false || alreadySuggests.test(message) || !isUnknown(diagnostic)) continue;
		if (!byMessage.has(message)) byMessage.set(message, diagnostic);
	}
	const isModule = ({ code = "" }: Diagnostic) => Number(unknownModules.has(code));
	return [...byMessage.values()].sort((a, b) => isModule(a) - isModule(b)).slice(0, maxAsked);
}

function isUnknown({ code = "", source, message }: Diagnostic): boolean {
	if (unknownNames.has(code) || unknownModules.has(code)) return true;
	return source !== "ts" && saysUnknown.test(message);
}

function offersFixes(server: LanguageServer): boolean {
	const { codeActionProvider } = server.capabilities;
	const kinds = typeof codeActionProvider === "object" ? codeActionProvider.codeActionKinds : undefined;
	if (kinds && !kinds.some((kind) => kind === "" || kind.startsWith("quickfix"))) return false;
	return server.offers("textDocument/codeAction");
}

async function fixesFor(
	server: LanguageServer,
	document: OpenDocument,
	diagnostic: Diagnostic,
	signal: AbortSignal,
): Promise<TitledAction[]> {
	if (strategyOf(server) === "tsserver") return tsserverFixes(server, document, diagnostic, signal);
	const params = codeActionParams(server, document, diagnostic);
	const actions = await server.request<unknown>("textDocument/codeAction", params, signal);
	if (!Array.isArray(actions)) return [];
	const usable = (actions as readonly (Partial<CodeAction> | null)[]).flatMap((action) =>
		typeof action?.title === "string" && !action.disabled ? { ...action, title: action.title } : [],
	);
	usable.sort((a, b) => Number(b.isPreferred === true) - Number(a.isPreferred === true));
	return usable;
}

function codeActionParams(
	server: LanguageServer,
	{ uri, text }: OpenDocument,
	diagnostic: Diagnostic,
): CodeActionParams {
	const { line, column, endLine, endColumn, code, source, message } = diagnostic;
	const lines = linesOf(text);
	const range = {
		start: toPosition({ line, column }, lines, server.encoding),
		end: toPosition({ line: endLine, column: endColumn }, lines, server.encoding),
	};
	const item = {
		range,
		severity: DiagnosticSeverity.Error,
		message,
		...(code === undefined ? {} : { code: /^\d+$/.test(code) ? Number(code) : code }),
		...(source === undefined ? {} : { source }),
	};
	return {
		textDocument: { uri },
		range,
		context: { diagnostics: [item], only: ["quickfix"], triggerKind: CodeActionTriggerKind.Invoked },
	};
}
