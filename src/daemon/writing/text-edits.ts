import { LspError } from "../../contract/errors.ts";
import { planReplaced, type Replaced } from "../../planning/new-text.ts";
import { PlannedTree } from "../../planning/planned-tree.ts";
import { resolveFile } from "../../routing/locate.ts";
import { maxSourceBytes, readHead } from "../../util/read-file.ts";
import type { Change } from "../../writer/change.ts";
import { hashOfBytes } from "../../writer/record.ts";
import type { OperationCall } from "../operation-context.ts";

export interface TextOrder extends Replaced {
	/** SHA-256, or at least its first 8 digits. */
	readonly hash?: string | undefined;
}

export interface TextChange {
	readonly change: Change;
	/** Absolute. */
	readonly cwd: string;
	/** False if white space was ignored. */
	readonly isExact: boolean;
}

/** Rejects with LSP_FILE_NOT_FOUND, LSP_FILE_CHANGED, LSP_INVALID_INPUT or LSP_EDIT_REFUSED. */
export async function changeText(call: OperationCall, file: string, order: TextOrder): Promise<TextChange> {
	const settings = await call.settings();
	const cwd = settings.directory;
	const { path, display, workspace } = await resolveFile(file, settings);
	const tree = new PlannedTree({ workspace, encoding: "utf-16" });
	if ((await tree.textOf(path)) === undefined)
		throw new LspError("LSP_FILE_NOT_FOUND", `${display} does not exist.`, { file_path: path });
	const { hash, ...replaced } = order;
	if (hash !== undefined) await requireHash(path, display, hash);
	const isExact = await planReplaced(tree, path, replaced, display);
	return { change: await tree.finish(`edit ${display}`), cwd, isExact };
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
