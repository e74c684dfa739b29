import { extname } from "node:path";
import type { TextEdit } from "vscode-languageserver-protocol";
import { atServer } from "../../changes/at-server.ts";
import { type ChangeScope, gitChanges } from "../../changes/git-changes.ts";
import { asLspError } from "../../contract/errors.ts";
import { replaceAll, replacementsOf } from "../../planning/text-edits.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { OperationCall } from "../operation-context.ts";

const formatting = "textDocument/formatting";
/** With one format for everybody: new files count too. */
const common = new Set([".go", ".rs", ".zig", ".gleam", ".elm"]);
const filesAtOnce = 4;

/** Displayed paths: the formatter would change them now, but not before. Rejects like `gitChanges`. */
export async function unformattedFiles(call: OperationCall, scope: ChangeScope): Promise<string[]> {
	const { directory: cwd, workspace, maxFileBytes: maxBytes } = await call.settings();
	const { signal } = call;
	const { files } = await gitChanges(scope, { cwd, workspace, env: await call.env(), signal, maxBytes });
	const found: string[] = [];
	for (let at = 0; at < files.length; at += filesAtOnce) {
		signal.throwIfAborted();
		const some = files.slice(at, at + filesAtOnce).map(async ({ path, before, after }) => {
			if (after === undefined || (before === undefined && !common.has(extname(path)))) return [];
			try {
				const { located } = await call.service.locate(path, call.params);
				const context = { service: call.service, cwd, env: call.env, signal };
				const isWorse = await atServer(context, located, async ({ server, onDisk, withText }) => {
					if (!server.offers(formatting) || (await onDisk(isFormatted))) return false;
					return before === undefined || (await withText(before, isFormatted));
				});
				return isWorse ? [located.display] : [];
			} catch (thrown) {
				signal.throwIfAborted();
				// Diagnostics report a file without a server or with a syntax error.
				asLspError(thrown);
				return [];
			}
		});
		found.push(...(await Promise.all(some)).flat());
	}
	return found;
}

async function isFormatted(query: FileQuery): Promise<boolean> {
	const options = await query.formatting();
	const edits = (await query.request<TextEdit[] | null>(formatting, undefined, { options })) ?? [];
	const { text, path } = query.document;
	return edits.length === 0 || replaceAll(text, replacementsOf(text, edits, query.server.encoding, path)) === text;
}
