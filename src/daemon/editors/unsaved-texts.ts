import { basename, dirname, join, resolve } from "node:path";
import { LspError } from "../../contract/errors.ts";
import type { UnsavedTexts } from "../../contract/protocol.ts";
import { realPathOf } from "../../util/files.ts";
import { withoutMark } from "../../util/read-file.ts";

/** By real path. Rejects with LSP_INVALID_INPUT or LSP_FILE_TOO_LARGE. */
export async function unsavedTexts(
	given: UnsavedTexts = {},
	{ cwd, maxBytes }: { readonly cwd: string; readonly maxBytes: number },
): Promise<ReadonlyMap<string, string>> {
	const texts = new Map<string, string>();
	for (const [file, text] of Object.entries(given)) {
		if (typeof text !== "string") throw new LspError("LSP_INVALID_INPUT", "texts: Expected strings.");
		const path = await realPath(resolve(cwd, file));
		if (Buffer.byteLength(text) > maxBytes)
			throw new LspError("LSP_FILE_TOO_LARGE", `${path} has more than ${maxBytes} bytes.`, { file_path: path });
		texts.set(path, withoutMark(text));
	}
	return texts;
}

/** With the links of the existing part resolved. */
async function realPath(path: string): Promise<string> {
	const real = await realPathOf(path);
	if (real !== undefined) return real;
	const parent = dirname(path);
	return parent === path ? path : join(await realPath(parent), basename(path));
}
