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

export interface NewText {
	readonly file?: string | undefined;
	readonly content?: string | undefined;
	/** All refer to the text as it is. */
	readonly replaced?: readonly Replaced[] | undefined;
	readonly patch?: string | undefined;
}

/** Rejects with LSP_INVALID_INPUT or LSP_EDIT_REFUSED. */
export async function planNewText(edit: NewText, tree: PlannedTree, toPath: (name: string) => string): Promise<void> {
	const { file, content, replaced, patch } = edit;
	const ways = [content, replaced, patch].filter((each) => each !== undefined).length;
	if (ways !== 1 || (file === undefined) !== (patch !== undefined))
		throw new LspError(
			"LSP_INVALID_INPUT",
			"Give `file` with `content`, with `edits`, or with `new_text` and the text or the place that it replaces; or give `patch` alone.",
		);
	if (patch !== undefined) return planPatch(patch, tree, toPath);
	const name = file!;
	const path = toPath(name);
	if (content !== undefined) return tree.write(path, content);
	if ((await tree.textOf(path)) === undefined) throw refused(name, "it does not exist");
	for (const part of replaced!) await planReplaced(tree, path, part, name);
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
