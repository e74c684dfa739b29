import { LspError } from "../contract/errors.ts";
import { positionAt } from "../util/positions.ts";
import { type Piece, replacePiece, replaceText } from "./find-text.ts";
import { planPatch } from "./patch.ts";
import type { PlannedTree } from "./planned-tree.ts";
import { refused } from "./text-edits.ts";

export interface Replaced {
	readonly old?: string | undefined;
	readonly piece?: Piece | undefined;
	readonly next: string;
}

export interface PartOfEdit {
	readonly file: string | undefined;
	readonly content?: string | undefined;
	readonly isDeleted?: boolean | undefined;
	readonly replaced?: Replaced | undefined;
}

export interface NewText {
	readonly parts?: readonly PartOfEdit[] | undefined;
	readonly patch?: string | undefined;
}

/** Rejects with LSP_INVALID_INPUT or LSP_EDIT_REFUSED. */
export async function planNewText(
	{ parts, patch }: NewText,
	tree: PlannedTree,
	toPath: (name: string) => string,
): Promise<void> {
	if ((parts === undefined) === (patch === undefined)) throw unclear();
	if (patch !== undefined) return planPatch(patch, tree, toPath);
	const changed = new Map<string, boolean>();
	for (const { file, content, isDeleted = false, replaced } of parts ?? []) {
		const ways = [content !== undefined, isDeleted, replaced !== undefined].filter(Boolean).length;
		if (file === undefined || ways !== 1) throw unclear();
		const path = toPath(file);
		const isWhole = replaced === undefined;
		if (changed.has(path) && (isWhole || changed.get(path)))
			throw new LspError("LSP_INVALID_INPUT", `${file} has a whole new text, or is deleted, and is also changed.`);
		changed.set(path, isWhole);
		if (isDeleted) await tree.delete(path);
		else if (content !== undefined) await tree.write(path, content);
		else if ((await tree.textOf(path)) === undefined) throw refused(file, "it does not exist");
		else await planReplaced(tree, path, replaced!, file);
	}
}

function unclear(): LspError {
	return new LspError(
		"LSP_INVALID_INPUT",
		"Give `file` with `content`, with `deleted`, or with `new_text` and the text or the place that it replaces; or `edits`, each of them so; or give `patch` alone.",
	);
}

/** False if white space was ignored. `shown` is for errors. Rejects with LSP_INVALID_INPUT or LSP_EDIT_REFUSED. */
export async function planReplaced(
	tree: PlannedTree,
	path: string,
	{ old, piece, next }: Replaced,
	shown: string,
): Promise<boolean> {
	if ((old === undefined) === (piece === undefined))
		throw new LspError("LSP_INVALID_INPUT", "Give either the text that is replaced, or its place.");
	const text = ((await tree.textOf(path)) ?? "").replace(/\r\n/g, "\n");
	const plain = next.replace(/\r\n/g, "\n");
	const {
		start,
		end,
		text: newText,
		isExact,
	} = old === undefined
		? { ...replacePiece(text, piece as Piece, plain), isExact: true }
		: replaceText(text, old.replace(/\r\n/g, "\n"), plain, shown);
	const range = { start: positionAt(start, text, "utf-16"), end: positionAt(end, text, "utf-16") };
	await tree.edit(path, [{ range, newText }]);
	return isExact;
}
