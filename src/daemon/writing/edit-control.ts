import type { CodeAction, Command, WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import type { Planned } from "../../contract/planned.ts";
import type { OfferedFix } from "../../diagnostics/explain/suggestions.ts";
import { joinEdits } from "../../planning/join-edits.ts";
import type { NewText } from "../../planning/new-text.ts";
import { PlannedTree } from "../../planning/planned-tree.ts";
import { withRequiredUses } from "../../planning/renamed-uses.ts";
import { planUndo } from "../../planning/undo.ts";
import { planEdit } from "../../planning/workspace-edit.ts";
import { workspaceOf } from "../../project/root.ts";
import { resolvedAction } from "../../query/code-actions.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { RequiredUses } from "../../query/users/required-uses.ts";
import { displayPath } from "../../routing/locate.ts";
import type { OperationCall } from "../operation-context.ts";
import { realDirectory } from "../service.ts";
import { type PreviewOptions, previewChange } from "../simulation/preview-change.ts";
import type { Preview } from "../simulation/preview-report.ts";
import { actionEdits, requireTrust } from "./action-edits.ts";
import { answeredEdit, planGiven } from "./answered-edits.ts";
import { type ExtractOrder, type PlannedExtraction, planExtraction } from "./extract.ts";
import { type FixedFile, type Fixing, fixAll, requireFixedTexts } from "./fix-all.ts";
import { keepPlan } from "./keep-plan.ts";
import { planMove } from "./move-files.ts";
import { type PlannedSymbolMove, planSymbolMove, type SymbolMoveOrder } from "./move-symbol.ts";
import {
	changeFor,
	matcher,
	type PlanOptions,
	planTexts,
	requireKnownTexts,
	requireSyntax,
	summaryFor,
} from "./plan-change.ts";
import { type PlannedSymbol, planSymbol, type SymbolChange } from "./symbol-edits.ts";
import { changeText, type TextOrder } from "./text-edits.ts";

export interface PlannedEdit extends Planned {
	readonly places: Readonly<Record<string, number>>;
	readonly unconfirmed: readonly string[];
	readonly excluded: readonly string[];
}

interface PlannedFileMove extends PlannedEdit {
	readonly from: string;
	readonly to: string;
	readonly notes: readonly string[];
}

export interface EditControl {
	/** Rejects with LSP_SERVER_UNTRUSTED. */
	requireTrust(command: string): Promise<void>;
	/** Rejects with LSP_EDIT_REFUSED or LSP_FILE_CHANGED. */
	plan(asked: FileQuery, edits: readonly WorkspaceEdit[], options: PlanOptions): Promise<PlannedEdit>;
	answer(
		asked: FileQuery,
		edits: readonly WorkspaceEdit[],
		options: PlanOptions,
	): Promise<PlannedEdit & { readonly edit: WorkspaceEdit }>;
	withRequiredUses(rename: WorkspaceEdit, required: RequiredUses, newName: string): Promise<WorkspaceEdit>;
	/** The edit for `given`, else the command; neither if it cannot be planned. */
	answerAction(
		asked: FileQuery,
		action: CodeAction,
	): Promise<{ readonly edit?: WorkspaceEdit; readonly command?: Command }>;
	/** Rejects like `planGiven`. */
	given(edit: unknown, dryRun?: boolean): Promise<PlannedEdit & { readonly isKnown: boolean }>;
	/** Rejects like `plan`, and with LSP_SYMBOL_NOT_FOUND or LSP_SYMBOL_AMBIGUOUS. */
	symbol(file: string, symbol: string, change: SymbolChange, dryRun?: boolean): Promise<PlannedSymbol>;
	/** With its command's edits. Rejects like `plan`, and with LSP_SERVER_UNTRUSTED. */
	planAction(asked: FileQuery, action: CodeAction, options: PlanOptions): Promise<PlannedEdit>;
	extract(order: ExtractOrder): Promise<PlannedExtraction>;
	moveSymbol(order: SymbolMoveOrder): Promise<PlannedSymbolMove>;
	/** Throws LSP_INVALID_INPUT for an unknown name. */
	offered(name: string): OfferedFix;
	fixAll(file: string, fixing: Fixing): Promise<FixedFile>;
	/** Rejects like `plan`. */
	planFixes(fixed: readonly [FixedFile, ...FixedFile[]], options: PlanOptions): Promise<PlannedEdit>;
	/** With servers' edits. Rejects with LSP_FILE_NOT_FOUND or LSP_EDIT_REFUSED. */
	move(from: string, to: string, options: Omit<PlanOptions, "title">): Promise<PlannedFileMove>;
	/** Rejects like `changeText`. */
	text(file: string, order: TextOrder, dryRun?: boolean): Promise<Planned & { readonly isExact: boolean }>;
	/** `write` keeps it for `commit`. Rejects with LSP_INVALID_INPUT or LSP_EDIT_REFUSED. */
	preview(
		edit: NewText,
		options: PreviewOptions & { readonly title: string },
	): Promise<Preview & { write(dryRun?: boolean): Promise<Planned> }>;
	/** Last first. */
	list(): Promise<WrittenChange[]>;
	/** Default: the last change. Rejects with LSP_INVALID_INPUT or LSP_UNDO_BLOCKED. */
	undo(
		id?: string,
		dryRun?: boolean,
	): Promise<Planned & { readonly title: string; readonly merged: readonly string[] }>;
}

interface WrittenChange {
	readonly id: string;
	readonly title: string;
	readonly files: number;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly undone?: boolean;
}

export function editControl(call: OperationCall): EditControl {
	const { service } = call;
	const records = async () => {
		const cwd = await realDirectory(call.params.cwd);
		const found = await service.changes.list(await workspaceOf(cwd));
		const isUndone = (name: string): boolean =>
			found.some(({ name: other, undoes }) => undoes === name && !isUndone(other));
		return { cwd, found, isUndone };
	};
	const control: EditControl = {
		symbol: (file, symbol, change, dryRun) => planSymbol(call, control.plan, { file, symbol, change, dryRun }),
		async planAction(asked, action, options) {
			return control.plan(asked, await actionEdits(call, asked, action), options);
		},
		extract: (order) => planExtraction(call, control.plan, order),
		moveSymbol: (order) => planSymbolMove(call, control.plan, order),
		offered(name) {
			const fix = service.offeredFixes.get(name);
			if (fix) return fix;
			throw new LspError("LSP_INVALID_INPUT", `There is no fix ${name} any more.`, {
				suggestion: "Name the file and the line: {{fix}}.",
			});
		},
		fixAll: (file, fixing) => fixAll(call, file, fixing),
		async planFixes(fixed, options) {
			const [{ asked }] = fixed;
			const edits = fixed.map(({ edit }) => edit);
			const { change, summary } = await changeFor(asked, edits, options);
			requireFixedTexts(change, fixed);
			const { cwd } = asked;
			return { ...(await keepPlan(call, change, { cwd, dryRun: options.dryRun })), ...summaryFor(summary, cwd) };
		},
		requireTrust: (command) => requireTrust(call, command),
		withRequiredUses,
		async text(file, order, dryRun) {
			const { change, cwd, isExact } = await changeText(call, file, order);
			return { ...(await keepPlan(call, change, { cwd, dryRun })), isExact };
		},
		async list() {
			const { found, isUndone } = await records();
			return found.map(({ name, title, moves, files, at }) => ({
				id: name,
				title,
				files: moves.length + files.length,
				at,
				...(isUndone(name) ? { undone: true } : {}),
			}));
		},
		async undo(id, dryRun) {
			const { cwd, found, isUndone } = await records();
			const record = found.find(({ name, undoes }) => (id === undefined ? !undoes && !isUndone(name) : name === id));
			if (!record) throw nothingToUndo(id);
			if (isUndone(record.name)) throw new LspError("LSP_INVALID_INPUT", `${record.name} is taken back already.`);
			const written = { ...(await service.changes.change(record)), name: record.name, made: record.made };
			const shown = (path: string) => displayPath(path, cwd);
			const { change, merged } = await planUndo(written, shown);
			return { ...(await keepPlan(call, change, { cwd, dryRun })), title: record.title, merged: merged.map(shown) };
		},
		async preview(edit, { title, ...options }) {
			const { cwd, change } = await planTexts(call, edit, title);
			return {
				...(await previewChange(call, change, options)),
				write: (dryRun) => keepPlan(call, change, { cwd, dryRun }),
			};
		},
		async plan(asked, edits, options) {
			const { change, summary } = await changeFor(asked, edits, options);
			const { cwd } = asked;
			return { ...(await keepPlan(call, change, { cwd, dryRun: options.dryRun })), ...summaryFor(summary, cwd) };
		},
		async answer(asked, edits, options) {
			const made = await changeFor(asked, edits, options);
			const { cwd } = asked;
			const edit = answeredEdit(service.answeredEdits, asked, edits, made);
			return { ...(await keepPlan(call, made.change, { cwd, dryRun: true })), ...summaryFor(made.summary, cwd), edit };
		},
		async answerAction(asked, action) {
			try {
				const { edit, command, title } = await resolvedAction(asked, action);
				if (edit) return { edit: (await control.answer(asked, [edit], { title, confirmed: true })).edit };
				return command ? { command } : {};
			} catch (thrown) {
				if (thrown instanceof LspError && thrown.code === "LSP_EDIT_REFUSED") return {};
				throw thrown;
			}
		},
		async given(edit, dryRun) {
			const { change, summary, cwd, isKnown } = await planGiven(call, edit);
			// The positions may be of another text.
			if (!isKnown) for (const file of change.files) await requireSyntax(file, displayPath(file.path, cwd));
			return { ...(await keepPlan(call, change, { cwd, dryRun })), ...summaryFor(summary, cwd), isKnown };
		},
		async move(given, target, { exclude = [], confirmed, dryRun }) {
			const { from, to, cwd, workspace, answers, notes } = await planMove(call, given, target);
			const encodings = new Set(answers.map(({ asked }) => asked.server.encoding));
			if (encodings.size > 1)
				throw new LspError(
					"LSP_EDIT_REFUSED",
					`The servers of ${given} count columns differently; move its files apart.`,
				);
			const tree = new PlannedTree({ workspace, encoding: answers[0]?.asked.server.encoding ?? "utf-16" });
			const summary = await planEdit(joinEdits(answers.map(({ edit }) => edit)), tree, {
				excludes: matcher(exclude, workspace, cwd),
				...(confirmed ? { confirmed } : {}),
			});
			await tree.move(from, to);
			const shown = { from: displayPath(from, cwd), to: displayPath(to, cwd) };
			const change = await tree.finish(`move ${shown.from} → ${shown.to}`);
			for (const { asked } of answers) requireKnownTexts(change, asked);
			return { ...(await keepPlan(call, change, { cwd, dryRun })), ...summaryFor(summary, cwd), ...shown, notes };
		},
	};
	return control;
}

function nothingToUndo(id: string | undefined): LspError {
	const suggestion = "{{undo list}} shows what can be taken back.";
	if (id !== undefined)
		return new LspError("LSP_INVALID_INPUT", `There is no change ${id} in this workspace.`, { suggestion });
	return new LspError("LSP_INVALID_INPUT", "Nothing was changed here that could be taken back.", { suggestion });
}
