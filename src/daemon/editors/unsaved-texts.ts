import { basename, dirname, join, resolve } from "node:path";
import { LspError } from "../../contract/errors.ts";
import type { UnsavedTexts } from "../../contract/protocol.ts";
import { realPathOf } from "../../util/files.ts";
import { withoutMark } from "../../util/read-file.ts";

interface Texts {
	/** By real path. */
	readonly texts: ReadonlyMap<string, string>;
	/** Throws LSP_FILE_TOO_LARGE. */
	check(path: string): void;
}

/** Rejects with LSP_INVALID_INPUT. */
export async function unsavedTexts(
	given: UnsavedTexts = {},
	{ cwd, maxBytes }: { readonly cwd: string; readonly maxBytes: number },
): Promise<Texts> {
	const texts = new Map<string, string>();
	const tooLarge = new Set<string>();
	for (const [file, text] of Object.entries(given)) {
		if (typeof text !== "string") throw new LspError("LSP_INVALID_INPUT", "texts: Expected strings.");
		const path = await realPath(resolve(cwd, file));
		if (Buffer.byteLength(text) > maxBytes) tooLarge.add(path);
		else texts.set(path, withoutMark(text));
	}
	const check = (path: string) => {
		if (tooLarge.has(path))
			throw new LspError("LSP_FILE_TOO_LARGE", `${path} has more than ${maxBytes} bytes.`, { file_path: path });
	};
	return { texts, check };
}

async function realPath(path: string): Promise<string> {
	const real = await realPathOf(path);
	if (real !== undefined) return real;
	const parent = dirname(path);
	return parent === path ? path : join(await realPath(parent), basename(path));
}
