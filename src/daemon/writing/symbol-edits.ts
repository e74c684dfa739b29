import type { Diagnostic, Location } from "vscode-languageserver-protocol";
import { atServer } from "../../changes/at-server.ts";
import { LspError } from "../../contract/errors.ts";
import { deleteSymbol, insertAfter, insertBefore, replaceSymbol } from "../../planning/symbols/place-code.ts";
import type { SymbolSpan } from "../../planning/symbols/symbol-span.ts";
import { readCode } from "../../planning/symbols/syntax.ts";
import { type Replacement, replaceAll } from "../../planning/text-edits.ts";
import type { DocumentSymbolEntry } from "../../query/document-symbols.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { nameStart } from "../../query/find-symbol.ts";
import { askFirst } from "../../query/run.ts";
import { positionAt } from "../../util/positions.ts";
import type { OperationCall } from "../operation-context.ts";
import type { EditControl, PlannedEdit } from "./edit-control.ts";
import { offsets, type Reading, refused, requireOwn, selectSpans } from "./select-symbol.ts";

export type SymbolChange =
	| { readonly kind: "replace" | "before" | "after"; readonly code: string }
	| { readonly kind: "delete" };

export interface PlannedSymbol extends PlannedEdit {
	/** Dotted path. */
	readonly symbol: string;
	readonly kind: string;
	readonly notes: readonly string[];
}

export interface SymbolOrder {
	readonly file: string;
	/** A name, a dotted path or `LINE:NAME`; `[1]` selects the second declaration. */
	readonly symbol: string;
	readonly change: SymbolChange;
	readonly dryRun: boolean | undefined;
}

const words = { replace: "replace", before: "insert before", after: "insert after", delete: "delete" } as const;

/** Rejects like `EditControl.symbol`. */
export async function planSymbol(
	call: OperationCall,
	plan: EditControl["plan"],
	{ file, symbol, change, dryRun }: SymbolOrder,
): Promise<PlannedSymbol> {
	const { located } = await call.service.locate(file, call.params);
	const context = await call.context();
	const { incomplete, before, after, isRead, ...planned } = await askFirst(context, {
		located,
		options: { whole: change.kind === "delete" },
		answer: async (asked) => {
			const selected = await selectSpans(asked, symbol, change.kind);
			const { group, text, parsed, spans } = selected;
			const [first, last] = [spans[0]!, spans.at(-1)!];
			const { path, kind } = group[0]!;
			const isPython = parsed?.family === "python";
			if (change.kind === "replace" || change.kind === "delete") requireOwn(spans, path);
			if (change.kind === "delete") await requireUnused(selected, group[0]!, spans);
			const code = change.kind === "delete" ? undefined : await readCode(asked.document.path, change.code);
			if (code?.text === "") throw refused("There is no code to write.");
			const { tabSize = 4, insertSpaces } = code ? await asked.configuredFormat() : {};
			const configured = insertSpaces === undefined ? undefined : { tabSize, insertSpaces };
			const edits: Replacement[] = !code
				? spans.flatMap((span) => deleteSymbol({ text, span, isPython }))
				: change.kind === "replace"
					? replaceSymbol({ text, span: first, isPython, configured }, code)
					: change.kind === "before"
						? insertBefore({ text, span: first, isPython, configured }, code)
						: insertAfter({ text, span: last, isPython, configured }, code);
			const { encoding } = asked.server;
			const changes = edits.map(({ start, end, text: newText }) => ({
				range: { start: positionAt(start, text, encoding), end: positionAt(end, text, encoding) },
				newText,
			}));
			const title = `${words[change.kind]} ${path}`;
			const options = { title, dryRun, mustParse: true };
			const found = await plan(asked, [{ changes: { [asked.document.uri]: changes } }], options);
			const next = replaceAll(
				text,
				[...edits].sort((a, b) => a.start - b.start),
			);
			return { ...found, symbol: path, kind, before: text, after: next, isRead: parsed !== undefined };
		},
	});
	const notes = incomplete === undefined ? [] : [`Users of it may be unknown: ${incomplete}`];
	if (isRead || before === after) return { ...planned, notes };
	const [old, next] = await atServer(context, located, async (server) => [
		await server.onDisk((asked) => syntaxErrors(asked)),
		await server.withText(after, (asked) => syntaxErrors(asked)),
	]);
	if (!old || !next) return { ...planned, notes: [...notes, "Whether it parses was not checked before."] };
	if (next.length > old.length) throw refused(`${located.display} would not parse any more: ${next[0]?.message}`);
	return { ...planned, notes };
}

const maxNamed = 10;

async function requireUnused(
	{ asked, text }: Reading,
	entry: DocumentSymbolEntry,
	spans: readonly SymbolSpan[],
): Promise<void> {
	const { busy } = asked.server.readiness;
	const { id } = asked.server.config;
	if (busy !== undefined)
		throw new LspError("LSP_FILE_NOT_INDEXED", `${id} is still busy (${busy}) and might miss users of it.`);
	// TypeScript 7 counts names in imports among declarations.
	const context = { includeDeclaration: true };
	const found = await asked.request<Location[] | null>("textDocument/references", nameStart(entry, asked.lines), {
		context,
	});
	const own = asked.document.uri;
	const offsetOf = offsets(text);
	const isWithin = ({ uri, range }: Location) => {
		const offset = offsetOf(asked.toSpot(range.start));
		return uri === own && spans.some(({ top, closed }) => top <= offset && offset < closed);
	};
	const users = (found ?? []).filter((location) => !isWithin(location));
	if (users.length === 0) return;
	const { places } = await asked.locations(users);
	const named = places.slice(0, maxNamed).map((place) => `${place.path}:${place.line}`);
	const more = users.length > named.length ? ` and ${users.length - named.length} more` : "";
	const what = users.length === 1 ? "one place refers" : `${users.length} places refer`;
	throw new LspError("LSP_EDIT_REFUSED", `${entry.path} is not deleted: ${what} to it: ${named.join(", ")}${more}.`, {
		references: places.slice(0, maxNamed),
		suggestion: "Nothing was written. Change these places first.",
	});
}

async function syntaxErrors(asked: FileQuery): Promise<Diagnostic[] | undefined> {
	const found = await asked.diagnostics().catch(() => undefined);
	return found?.filter(isSyntaxError);
}

function isSyntaxError({ severity, source = "", code = "", message }: Diagnostic): boolean {
	if (severity !== undefined && severity !== 1) return false;
	const words = typeof message === "string" ? message : message.value;
	return (
		/syntax|pars/i.test(`${source} ${code}`) ||
		/syntax error|\bunexpected|\bexpect(?:ed|ing)\b|unterminated|unclosed|unmatched/i.test(words)
	);
}
