import type { CodeAction, Command, WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
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
import { displayPath } from "../../routing/locate.ts";
import type { OperationCall } from "../operation-context.ts";
import { realDirectory } from "../service.ts";
import { type PreviewOptions, previewChange } from "../simulation/preview-change.ts";
import { actionEdits, requireTrust } from "./action-edits.ts";
import { answeredEdit, planGiven } from "./answered-edits.ts";
import { type ExtractOrder, planExtraction } from "./extract.ts";
import { type FixedFile, type Fixing, fixAll, requireFixedTexts } from "./fix-all.ts";
import { keepEdit, keepPlan, planEdits } from "./keep-plan.ts";
import { planMove } from "./move-files.ts";
import { planSymbolMove, type SymbolMoveOrder } from "./move-symbol.ts";
import { changeFor, matcher, type PlanOptions, planTexts, requireKnownTexts, requireSyntax } from "./plan-change.ts";
import { planSymbol, type SymbolOrder } from "./symbol-edits.ts";
import { changeText, type TextOrder } from "./text-edits.ts";

export function editControl(call: OperationCall) {
	const { service } = call;
	const records = async () => {
		const cwd = await realDirectory(call.params.cwd);
		const found = await service.changes.list(await workspaceOf(cwd));
		const isUndone = (name: string): boolean =>
			found.some(({ name: other, undoes }) => undoes === name && !isUndone(other));
		return { cwd, found, isUndone };
	};
	const answer = async (asked: FileQuery, edits: readonly WorkspaceEdit[], options: PlanOptions) => {
		const made = await changeFor(asked, edits, options);
		const edit = answeredEdit(service.answeredEdits, asked, edits, made);
		return { ...(await keepEdit(call, made, { cwd: asked.cwd, dryRun: true })), edit };
	};
	return {
		answer,
		withRequiredUses,
		requireTrust: (command: string) => requireTrust(call, command),
		plan: (asked: FileQuery, edits: readonly WorkspaceEdit[], options: PlanOptions) =>
			planEdits(call, asked, edits, options),
		symbol: (order: SymbolOrder) => planSymbol(call, order),
		extract: (order: ExtractOrder) => planExtraction(call, order),
		moveSymbol: (order: SymbolMoveOrder) => planSymbolMove(call, order),
		fixAll: (file: string, fixing: Fixing) => fixAll(call, file, fixing),
		/** With its command's edits. Rejects like `planEdits` and `actionEdits`. */
		async planAction(asked: FileQuery, action: CodeAction, options: PlanOptions) {
			return planEdits(call, asked, await actionEdits(call, asked, action), options);
		},
		/** The edit for `given`, else the command; neither if it cannot be planned. */
		async answerAction(
			asked: FileQuery,
			action: CodeAction,
		): Promise<{ readonly edit?: WorkspaceEdit; readonly command?: Command }> {
			try {
				const { edit, command, title } = await resolvedAction(asked, action);
				if (edit) return { edit: (await answer(asked, [edit], { title, confirmed: true })).edit };
				return command ? { command } : {};
			} catch (thrown) {
				if (thrown instanceof LspError && thrown.code === "LSP_EDIT_REFUSED") return {};
				throw thrown;
			}
		},
		/** Throws LSP_INVALID_INPUT for an unknown name. */
		offered(name: string): OfferedFix {
			const fix = service.offeredFixes.get(name);
			if (fix) return fix;
			throw new LspError("LSP_INVALID_INPUT", `There is no fix ${name} any more.`, {
				suggestion: "Name the file and the line: {{fix}}.",
			});
		},
		async planFixes(fixed: readonly [FixedFile, ...FixedFile[]], options: PlanOptions) {
			const [{ asked }] = fixed;
			const edits = fixed.map(({ edit }) => edit);
			const made = await changeFor(asked, edits, options);
			requireFixedTexts(made.change, fixed);
			return keepEdit(call, made, { cwd: asked.cwd, dryRun: options.dryRun });
		},
		/** Rejects like `changeText`. */
		async text(file: string, order: TextOrder, dryRun?: boolean) {
			const { change, cwd, isExact } = await changeText(call, file, order);
			return { ...(await keepPlan(call, change, { cwd, dryRun })), isExact };
		},
		/** Rejects like `planGiven`. */
		async given(edit: unknown, dryRun?: boolean) {
			const { cwd, isKnown, ...made } = await planGiven(call, edit);
			// The positions may be of another text.
			if (!isKnown) for (const file of made.change.files) await requireSyntax(file, displayPath(file.path, cwd));
			return { ...(await keepEdit(call, made, { cwd, dryRun })), isKnown };
		},
		/** With servers' edits. Rejects with LSP_FILE_NOT_FOUND or LSP_EDIT_REFUSED. */
		async move(given: string, target: string, { exclude = [], confirmed, dryRun }: Omit<PlanOptions, "title">) {
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
			return { ...(await keepEdit(call, { change, summary }, { cwd, dryRun })), ...shown, notes };
		},
		/** `write` keeps it for `commit`. Rejects with LSP_INVALID_INPUT or LSP_EDIT_REFUSED. */
		async preview(edit: NewText, { title, ...options }: PreviewOptions & { readonly title: string }) {
			const { cwd, change } = await planTexts(call, edit, title);
			return {
				...(await previewChange(call, change, options)),
				write: (dryRun?: boolean) => keepPlan(call, change, { cwd, dryRun }),
			};
		},
		/** Last first; `at` is in milliseconds since 1970. */
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
		/** Default: the last change. Rejects with LSP_INVALID_INPUT or LSP_UNDO_BLOCKED. */
		async undo(id?: string, dryRun?: boolean) {
			const { cwd, found, isUndone } = await records();
			const record = found.find(({ name, undoes }) => (id === undefined ? !undoes && !isUndone(name) : name === id));
			if (!record) throw nothingToUndo(id);
			if (isUndone(record.name)) throw new LspError("LSP_INVALID_INPUT", `${record.name} is taken back already.`);
			const written = { ...(await service.changes.change(record)), name: record.name, made: record.made };
			const shown = (path: string) => displayPath(path, cwd);
			const { change, merged } = await planUndo(written, shown);
			return { ...(await keepPlan(call, change, { cwd, dryRun })), title: record.title, merged: merged.map(shown) };
		},
	};
}

function nothingToUndo(id: string | undefined): LspError {
	const suggestion = "{{undo list}} shows what can be taken back.";
	if (id !== undefined)
		return new LspError("LSP_INVALID_INPUT", `There is no change ${id} in this workspace.`, { suggestion });
	return new LspError("LSP_INVALID_INPUT", "Nothing was changed here that could be taken back.", { suggestion });
}
