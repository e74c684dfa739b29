import { LspError } from "../../contract/errors.ts";
import { type Piece, replacePiece, replaceText } from "../../planning/find-text.ts";
import { PlannedTree } from "../../planning/planned-tree.ts";
import { resolveFile } from "../../routing/locate.ts";
import { positionAt } from "../../util/positions.ts";
import { maxSourceBytes, readHead } from "../../util/read-file.ts";
import type { Change } from "../../writer/change.ts";
import { hashOfBytes } from "../../writer/record.ts";
import type { OperationCall } from "../operation-context.ts";

/** What is to be replaced: a text of the file, or a piece of it by its place. */
export interface TextOrder {
	readonly old?: string | undefined;
	readonly piece?: Piece | undefined;
	readonly next: string;
	/** The SHA-256 of the file that the caller means, or its first 8 digits or more. */
	readonly hash?: string | undefined;
}

export interface TextChange {
	readonly change: Change;
	/** Absolute. */
	readonly cwd: string;
	/** False if white space was passed over. */
	readonly isExact: boolean;
}

/**
 * Makes the change of a file that no server need know. Rejects with LSP_FILE_NOT_FOUND, LSP_FILE_CHANGED, LSP_INVALID_INPUT or
 * LSP_EDIT_REFUSED.
 */
export async function changeText(call: OperationCall, file: string, order: TextOrder): Promise<TextChange> {
	const settings = await call.settings();
	const cwd = settings.directory;
	const { path, display, workspace } = await resolveFile(file, cwd, settings);
	const tree = new PlannedTree({ workspace, encoding: "utf-16" });
	const whole = await tree.textOf(path);
	if (whole === undefined) throw new LspError("LSP_FILE_NOT_FOUND", `${display} does not exist.`, { file_path: path });
	const { old, piece, next, hash } = order;
	if (hash !== undefined) await requireHash(path, display, hash);
	if ((old === undefined) === (piece === undefined))
		throw new LspError("LSP_INVALID_INPUT", "Give either the text that is replaced, or its place.");
	const text = whole.replace(/\r\n/g, "\n");
	const plain = next.replace(/\r\n/g, "\n");
	const found =
		old === undefined
			? { ...replacePiece(text, piece as Piece, plain), isExact: true }
			: replaceText(text, old.replace(/\r\n/g, "\n"), plain, display);
	const { start, end, text: newText, isExact } = found;
	const range = { start: positionAt(start, text, "utf-16"), end: positionAt(end, text, "utf-16") };
	await tree.edit(path, [{ range, newText }]);
	return { change: tree.finish(`edit ${display}`), cwd, isExact };
}

async function requireHash(path: string, display: string, hash: string): Promise<void> {
	if (!/^[0-9a-f]{8,64}$/i.test(hash))
		throw new LspError("LSP_INVALID_INPUT", "`hash` is the SHA-256 of the file, or its first 8 digits or more.");
	const bytes = await readHead(path, maxSourceBytes + 1);
	if (typeof bytes !== "string" && hashOfBytes(bytes).startsWith(hash.toLowerCase())) return;
	throw new LspError("LSP_FILE_CHANGED", `${display} has another content than the one that was meant.`, {
		file_path: path,
	});
}
