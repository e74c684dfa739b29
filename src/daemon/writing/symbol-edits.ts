import type { Diagnostic } from "vscode-languageserver-protocol";
import { atServer } from "../../changes/at-server.ts";
import { deleteSymbol, insertAfter, insertBefore, replaceSymbol } from "../../planning/symbols/place-code.ts";
import { readCode } from "../../planning/symbols/syntax.ts";
import { type Replacement, replaceAll, textEditsOf } from "../../planning/text-edits.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { askFirst } from "../../query/run.ts";
import type { OperationCall } from "../operation-context.ts";
import { deletedElsewhere } from "./delete-symbol.ts";
import { type PlannedEdit, planEdits } from "./keep-plan.ts";
import { declared, refused, requireOwn, selectSpans } from "./select-symbol.ts";

type SymbolChange =
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
	/** A name, a dotted path or `LINE:NAME`; `[1]` means the second declaration. */
	readonly symbol: string;
	readonly change: SymbolChange;
	readonly dryRun: boolean | undefined;
}

const words = { replace: "replace", before: "insert before", after: "insert after", delete: "delete" } as const;
const places = { replace: "in place of", before: "before", after: "after" } as const;

/** Rejects like `planEdits`, and with LSP_SYMBOL_NOT_FOUND or LSP_SYMBOL_AMBIGUOUS. */
export async function planSymbol(
	call: OperationCall,
	{ file, symbol, change, dryRun }: SymbolOrder,
): Promise<PlannedSymbol> {
	const { located } = await call.service.locate(file, call.params);
	const context = await call.context();
	const { incomplete, how, before, after, isRead, ...planned } = await askFirst(context, {
		located,
		options: { whole: change.kind === "delete" },
		answer: async (asked) => {
			const selected = await selectSpans(asked, symbol, change.kind);
			const { group, text, parsed, spans } = selected;
			const [first, last] = [spans[0]!, spans.at(-1)!];
			const { path, kind } = group[0]!;
			const isPython = parsed?.family === "python";
			if (change.kind === "replace" || change.kind === "delete") requireOwn(selected);
			const others = change.kind === "delete" ? await deletedElsewhere(selected) : {};
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
			const { uri } = asked.document;
			const changes = {
				...others,
				[uri]: [...(others[uri] ?? []), ...textEditsOf(edits, text, asked.server.encoding)],
			};
			const title = `${words[change.kind]} ${path}`;
			const symbolOnLine = declared(group[change.kind === "after" ? group.length - 1 : 0]!, asked);
			const how =
				change.kind === "delete" ? `without ${symbolOnLine}` : `with this ${places[change.kind]} ${symbolOnLine}`;
			const options = { title, dryRun, mustParse: how };
			const found = await planEdits(call, asked, [{ changes }], options);
			const next = replaceAll(
				text,
				[...edits].sort((a, b) => a.start - b.start),
			);
			return { ...found, symbol: path, kind, how, before: text, after: next, isRead: parsed !== undefined };
		},
	});
	const notes = incomplete === undefined ? [] : [`Users of it may be unknown: ${incomplete}`];
	if (isRead || before === after) return { ...planned, notes };
	const [old, next] = await atServer(context, located, async (server) => [
		await server.onDisk((asked) => syntaxErrors(asked)),
		await server.withText(after, (asked) => syntaxErrors(asked)),
	]);
	if (!old || !next) return { ...planned, notes: [...notes, "Whether it parses was not checked before."] };
	if (next.length > old.length)
		throw refused(`${located.display} would not parse any more ${how}: ${next[0]?.message}`);
	return { ...planned, notes };
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
