import { dirname, resolve } from "node:path";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { movesSymbols, toNewFile } from "../../contract/refactorings.ts";
import { TsserverLines } from "../../lsp/tsserver-lines.ts";
import { stepsOf } from "../../planning/workspace-edit.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { askFirst } from "../../query/run.ts";
import { tsserverRefactoringEdit } from "../../query/tsserver-refactoring.ts";
import { statOf } from "../../util/files.ts";
import { type Spot, spotsAlong, toPath, toUri } from "../../util/positions.ts";
import type { OperationCall } from "../operation-context.ts";
import { actionEdits } from "./action-edits.ts";
import { type PlannedEdit, planEdits } from "./keep-plan.ts";
import { refused, requireOwn, selectSpans } from "./select-symbol.ts";

export interface SymbolMoveOrder {
	readonly file: string;
	readonly symbol: string;
	/** Relative to the caller; without it the server names a new file. */
	readonly to: string | undefined;
	readonly dryRun: boolean | undefined;
}

export interface PlannedSymbolMove extends PlannedEdit {
	/** Dotted path. */
	readonly symbol: string;
	readonly to?: string;
	readonly notes: readonly string[];
}

/** Rejects with LSP_UNSUPPORTED_REQUEST, or like `planSymbol`. */
export async function planSymbolMove(
	call: OperationCall,
	{ file, symbol, to, dryRun }: SymbolMoveOrder,
): Promise<PlannedSymbolMove> {
	const { located } = await call.service.locate(file, call.params);
	const context = await call.context();
	const target = to === undefined ? undefined : resolve(context.cwd, to);
	if (target !== undefined && (await statOf(target))?.isDirectory())
		throw new LspError("LSP_INVALID_INPUT", `${to} is a directory: name the file.`);
	const { incomplete, ...planned } = await askFirst(context, {
		located,
		options: { whole: true },
		answer: async (asked) => {
			if (!movesSymbols(asked.server)) throw unsupported(asked);
			if (target === asked.document.path) throw refused(`${symbol} stands in ${to} already.`);
			const selected = await selectSpans(asked, symbol);
			requireOwn(selected);
			const { group, text, spans } = selected;
			const { path } = group[0]!;
			const toSpot = spotsAlong(text);
			const [start, end] = [toSpot(spans[0]!.start), toSpot(spans.at(-1)!.closed)];
			const edits =
				asked.server.config.strategy === "tsserver"
					? [await movedByTsserver(asked, { start, end }, target)]
					: await movedToNewFile(call, asked, { start, end }, target);
			const [created] = edits.flatMap(createdBy);
			const where = target ?? created;
			const shown = where === undefined ? undefined : asked.displayPath(where);
			const title = `move ${path} → ${shown ?? "another file"}`;
			const found = await planEdits(call, asked, edits, { title, dryRun });
			return { ...found, symbol: path, ...(shown === undefined ? {} : { to: shown }) };
		},
	});
	return { ...planned, notes: incomplete === undefined ? [] : [`Users of it may be unknown: ${incomplete}`] };
}

interface Spots {
	readonly start: Spot;
	readonly end: Spot;
}

/** tsserver takes the target as an argument that editors ask their users for. */
function movedByTsserver(asked: FileQuery, { start, end }: Spots, target: string | undefined): Promise<WorkspaceEdit> {
	const { path, text } = asked.document;
	const lines = new TsserverLines(text);
	const [from, until] = [lines.toTsserver(start), lines.toTsserver(end)];
	const name = target === undefined ? "Move to a new file" : "Move to file";
	return tsserverRefactoringEdit(asked, {
		file: path,
		startLine: from.line,
		startOffset: from.offset,
		endLine: until.line,
		endOffset: until.offset,
		refactor: name,
		action: name,
		...(target === undefined ? {} : { interactiveRefactorArguments: { targetFile: target } }),
	});
}

/** gopls names the file after its first declaration. */
async function movedToNewFile(
	call: OperationCall,
	asked: FileQuery,
	{ start, end }: Spots,
	target: string | undefined,
): Promise<readonly WorkspaceEdit[]> {
	const { id } = asked.server.config;
	const range = { start: await asked.position(start), end: await asked.position(end) };
	const [action] = await asked.codeActions(range, { kind: toNewFile, diagnostics: [] });
	if (!action || action.disabled)
		throw refused(`${id} moves nothing from here${action?.disabled ? `: ${action.disabled.reason}` : "."}`);
	const edits = await actionEdits(call, asked, action);
	const [created] = edits.flatMap(createdBy);
	if (target === undefined || created === undefined) return edits;
	if (dirname(target) !== dirname(created))
		throw refused(`${id} moves a symbol only to a new file of the same directory.`);
	const moved = (uri: string) => (toPath(uri) === created ? toUri(target) : uri);
	return edits.map((edit) => ({
		...edit,
		documentChanges: stepsOf(edit).map((step) =>
			"kind" in step
				? step.kind === "create"
					? { ...step, uri: moved(step.uri) }
					: step
				: { ...step, textDocument: { ...step.textDocument, uri: moved(step.textDocument.uri) } },
		),
	}));
}

function createdBy(edit: WorkspaceEdit): string[] {
	return stepsOf(edit).flatMap((step) => ("kind" in step && step.kind === "create" ? (toPath(step.uri) ?? []) : []));
}

function unsupported({ server }: FileQuery): LspError {
	const { id } = server.config;
	return new LspError("LSP_UNSUPPORTED_REQUEST", `${id} cannot move a symbol to another file.`, {
		suggestion: "Nothing was written. {{move_file}} moves whole files.",
	});
}
