import type { Diagnostic } from "../../contract/check-report.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { isOurs } from "../../project/root.ts";
import { deadline, waitOrAbort } from "../../util/abort.ts";
import { type LocationResult, linesOf, locationsIn, type Spot, toPath, toPosition } from "../../util/positions.ts";
import { anySource, readText } from "../../util/read-file.ts";
import type { Proof } from "../sources/prove.ts";
import { declarationLine } from "./declaration-line.ts";
import { calleeAt, calleeBefore } from "./named-in-error.ts";

const maxAsked = 3;

/** The error stands at the argument. */
const argumentCodes = new Set(["2345", "2769", "reportArgumentType", "IncompatibleAssign", "E0308"]);
/** The error stands at the function's name or brackets. */
const countCodes = new Set(["2554", "2555", "2575", "reportCallIssue", "WrongArgCount", "E0061"]);
const typeCodes = new Set(["2322", "2353", "2561", "2739", "2740", "2741", "E0560"]);

const assignedToPrimitive = /assignable to type '(?:string|number|boolean|bigint|symbol|undefined|null|void|never)'/;

const definition = "textDocument/definition";
const typeDefinition = "textDocument/typeDefinition";

export async function withDeclarations(
	server: LanguageServer,
	{ proof: { path, hash }, diagnostics }: { readonly proof: Proof; readonly diagnostics: readonly Diagnostic[] },
	{ workspace, ms, signal }: { readonly workspace: string; readonly ms: number; readonly signal: AbortSignal },
	inTurn = (work: () => Promise<void>) => server.turns.read(work),
): Promise<readonly Diagnostic[]> {
	const wanted = diagnostics.filter(isAboutDeclaration).slice(0, maxAsked);
	if (wanted.length === 0 || ms <= 0 || signal.aborted) return diagnostics;
	const found = new Map<Diagnostic, Diagnostic["declared"]>();
	const limit = deadline(ms, () => new Error("too late for a declaration"), signal);
	const asked = inTurn(async () => {
		const document = server.documents.get(path);
		if (document?.hash !== hash) return;
		const ask = async (diagnostic: Diagnostic) => {
			const declared = await declarationOf(server, document, diagnostic, { workspace, signal: limit.signal });
			if (declared && !limit.signal.aborted) found.set(diagnostic, declared);
		};
		await waitOrAbort(Promise.all(wanted.map((diagnostic) => ask(diagnostic).catch(() => {}))), limit.signal);
	});
	await waitOrAbort(asked, limit.signal).catch(() => {});
	limit.abort();
	return diagnostics.map((diagnostic) => {
		const declared = found.get(diagnostic);
		return declared === undefined ? diagnostic : { ...diagnostic, declared };
	});
}

function isAboutDeclaration({ severity, new: isNew, code = "", message }: Diagnostic): boolean {
	if (severity !== "error" || isNew === false) return false;
	if (typeCodes.has(code)) return !assignedToPrimitive.test(message);
	return argumentCodes.has(code) || countCodes.has(code);
}

async function declarationOf(
	server: LanguageServer,
	document: OpenDocument,
	diagnostic: Diagnostic,
	{ workspace, signal }: { readonly workspace: string; readonly signal: AbortSignal },
): Promise<Diagnostic["declared"]> {
	const lines = linesOf(document.text);
	const { code = "" } = diagnostic;
	const isType = typeCodes.has(code);
	const named = countCodes.has(code) ? calleeAt(lines, diagnostic) : undefined;
	const spot: Spot | undefined = isType ? diagnostic : (named ?? calleeBefore(lines, diagnostic));
	const method = isType ? typeDefinition : definition;
	if (!spot || !server.offers(method)) return undefined;
	const place = { textDocument: { uri: document.uri }, position: toPosition(spot, lines, server.encoding) };
	const [at] = locationsIn(await server.request<LocationResult>(method, place, signal));
	const path = at && toPath(at.uri);
	if (!at || path === undefined || !isOurs(path, workspace)) return undefined;
	const own = path === document.path;
	const overlaid = server.documents.isOverlaid(path) ? server.documents.get(path) : undefined;
	const text = own ? document.text : (overlaid?.text ?? (await readText(path, anySource)));
	const line = at.range.start.line + 1;
	if (text === undefined || (own && Math.abs(line - diagnostic.line) < 3)) return undefined;
	const declared = declarationLine(linesOf(text), at.range.start);
	return declared === "" ? undefined : { text: declared, path, line };
}
