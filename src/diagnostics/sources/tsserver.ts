import type { FormattingOptions, Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { Diagnostic } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import type { TitledAction } from "../../contract/preferred-action.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { TsserverLines, type TsserverPosition } from "../../lsp/tsserver-lines.ts";
import { validated } from "../../lsp/validate-result.ts";
import { toRange } from "../../util/positions.ts";

interface TsserverDiagnostic {
	readonly start: TsserverPosition;
	readonly end: TsserverPosition;
	readonly text: string;
	readonly code?: number;
	readonly category: string;
	readonly source?: string;
}

const severity: Readonly<Record<string, 1 | 2 | 3 | 4>> = { error: 1, warning: 2, message: 3, suggestion: 4 };

const maxLinkLength = 200;

/**
 * Strategy `tsserver` (docs/facts.md, 11). Rejects with LSP_SERVER_ERROR for a file of no project, or one to be opened
 * first.
 */
export async function tsserverDiagnostics(
	server: LanguageServer,
	{ path, text: content }: Pick<OpenDocument, "path" | "text">,
	{ hints = false, signal }: { readonly hints?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<ProtocolDiagnostic[]> {
	const commands = [
		"syntacticDiagnosticsSync",
		"semanticDiagnosticsSync",
		...(hints ? ["suggestionDiagnosticsSync"] : []),
	];
	const ask = async () => {
		const answers = await Promise.all(
			commands.map((command) => requestTsserver<TsserverDiagnostic[]>(server, command, { file: path }, signal)),
		);
		return answers.flat();
	};
	let found = await ask();
	if (found.length === 0) return [];
	const lines = new TsserverLines(content);
	if (found.some(({ start }) => isInLink(content, lines.offsetOf(start)))) {
		// A question may have left the error (docs/facts.md, 29).
		if (!server.documents.resend(path)) throw new LspError("LSP_SERVER_ERROR", `${path} is to be opened first.`);
		found = await ask();
	}
	return found.map(({ start, end, text, code, category, source = "typescript" }) => ({
		range: toRange(lines.fromTsserver(start), lines.fromTsserver(end)),
		severity: severity[category] ?? 1,
		...(code === undefined ? {} : { code }),
		source: source === "typescript" ? "ts" : source,
		message: text,
	}));
}

/** The compiler checks no links in comments. */
function isInLink(text: string, offset: number): boolean {
	return /\{@link(?:code|plain)?\s[^}]*$|@see\s+[\w$.#]*$/.test(
		text.slice(Math.max(offset - maxLinkLength, 0), offset),
	);
}

/** typescript-language-server delays fixes (docs/facts.md, 19); tsserver prefers none. */
export async function tsserverFixes(
	server: LanguageServer,
	{ path, text }: Pick<OpenDocument, "path" | "text">,
	{ line, column, endLine, endColumn, code }: Diagnostic,
	signal?: AbortSignal,
): Promise<TitledAction[]> {
	const lines = new TsserverLines(text);
	const start = lines.toTsserver({ line, column });
	const end = lines.toTsserver({ line: endLine, column: endColumn });
	const range = { startLine: start.line, startOffset: start.offset, endLine: end.line, endOffset: end.offset };
	const args = { file: path, ...range, errorCodes: [Number(code)] };
	const fixes = await requestTsserver<{ readonly description?: string; readonly fixName?: string }[]>(
		server,
		"getCodeFixes",
		args,
		signal,
	);
	// typescript-language-server prefers a sole import, whatever else mends the error.
	const isPreferred = fixes.filter(({ fixName }) => fixName === "import").length === 1;
	return fixes.flatMap(({ description, fixName }) =>
		description ? { title: description, isPreferred: isPreferred && fixName === "import" } : [],
	);
}

export async function configureFormat(
	server: Pick<LanguageServer, "config" | "request">,
	file: string,
	{ tabSize, insertSpaces }: Pick<FormattingOptions, "tabSize" | "insertSpaces">,
	signal?: AbortSignal,
): Promise<void> {
	const formatOptions = { tabSize, indentSize: tabSize, convertTabsToSpaces: insertSpaces };
	await sendTsserver(server, "configure", { file, formatOptions }, signal);
}

export async function requestTsserver<Body>(
	server: Pick<LanguageServer, "config" | "request">,
	command: string,
	args: object,
	signal?: AbortSignal,
): Promise<Body> {
	const answer = await sendTsserver(server, command, args, signal);
	if (!answer?.body)
		throw new LspError("LSP_SERVER_ERROR", `${server.config.id}: ${command}: ${answer?.message ?? "no answer"}`);
	return validated<Body>(server.config.id, `tsserver ${command}`, answer.body);
}

function sendTsserver(
	server: Pick<LanguageServer, "request">,
	command: string,
	args: object,
	signal: AbortSignal | undefined,
): Promise<{ readonly message?: string; readonly body?: unknown } | null> {
	const given = [command, args, { isAsync: false }];
	return server.request(
		"workspace/executeCommand",
		{ command: "typescript.tsserverRequest", arguments: given },
		signal,
	);
}
