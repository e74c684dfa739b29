import type { CodeAction, Diagnostic, WorkspaceEdit } from "vscode-languageserver-protocol";
import { atServer } from "../../changes/at-server.ts";
import { LspError } from "../../contract/errors.ts";
import { readsDisk } from "../../diagnostics/sources/prove.ts";
import { resolvedAction } from "../../query/code-actions.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { linesOf } from "../../util/positions.ts";
import { withoutMark } from "../../util/read-file.ts";
import type { Change } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";
import { textAfter, wholeTextEdit } from "./own-edits.ts";

const maxFixes = 100;

export interface Fixing {
	readonly isWanted: (diagnostic: Diagnostic) => boolean;
	readonly choose: (actions: readonly CodeAction[]) => CodeAction | undefined;
}

export interface FixedFile {
	readonly asked: FileQuery;
	readonly edit: WorkspaceEdit;
	readonly titles: readonly string[];
	readonly left: number;
}

/** Throws LSP_FILE_CHANGED: fixes are for the texts they were tried on. */
export function requireFixedTexts({ files }: Change, fixed: readonly FixedFile[]): void {
	for (const { asked } of fixed) {
		const { path, text } = asked.document;
		const file = files.find((each) => each.path === path);
		if (!file || withoutMark(file.before?.toString("utf8") ?? "") === text) continue;
		const message = `${asked.displayPath(path)} has changed while its errors were fixed. Nothing was written.`;
		throw new LspError("LSP_FILE_CHANGED", message, { file_path: path });
	}
}

interface State {
	readonly text: string;
	readonly wanted: readonly Diagnostic[];
	readonly errors: number;
}

/** On a text that only the server sees; takes back a fix that mends nothing, or brings an error. */
export async function fixAll(call: OperationCall, file: string, { isWanted, choose }: Fixing): Promise<FixedFile> {
	const { located, settings } = await call.service.locate(file, call.params);
	const { service, env, signal } = call;
	const context = { service, cwd: settings.directory, env, signal };
	return atServer(context, located, async ({ server, onDisk, withText }) => {
		if (readsDisk(server))
			throw new LspError(
				"LSP_UNSUPPORTED_REQUEST",
				`${server.config.id} checks only what is on disk: fix one at a time.`,
			);
		const stateOf = async (asked: FileQuery): Promise<State> => {
			const found = await asked.diagnostics();
			const errors = found.filter(({ severity = 1 }) => severity === 1).length;
			return { text: asked.document.text, wanted: found.filter(isWanted), errors };
		};
		const given = await onDisk(async (asked) => ({ asked, state: await stateOf(asked) }));
		const titles: string[] = [];
		const tried = new Set<string>();
		let state = given.state;
		while (titles.length < maxFixes && !signal.aborted) {
			const target = state.wanted.find((each) => !tried.has(fixKey(each, state.text)));
			if (!target) break;
			const fixed = await withText(state.text, (asked) => textAfterFix(asked, target, choose));
			const next = fixed && (await withText(fixed.text, stateOf));
			if (fixed && next && next.wanted.length < state.wanted.length && next.errors <= state.errors) {
				titles.push(fixed.title);
				state = next;
			} else tried.add(fixKey(target, state.text));
		}
		const { document } = given.asked;
		const edit = state.text === document.text ? { changes: {} } : wholeTextEdit(document, state.text);
		return { asked: given.asked, edit, titles, left: state.wanted.length };
	});
}

function fixKey({ code, message, range }: Diagnostic, text: string): string {
	return `${code} ${message} ${range.start.character} ${linesOf(text)[range.start.line]}`;
}

async function textAfterFix(
	asked: FileQuery,
	target: Diagnostic,
	choose: Fixing["choose"],
): Promise<{ readonly title: string; readonly text: string } | undefined> {
	const action = choose(await asked.codeActions(target.range, { kind: "quickfix", diagnostics: [target] }));
	const { edit } = action ? await resolvedAction(asked, action) : {};
	const text = edit && textAfter(asked, edit);
	return !action || text === undefined ? undefined : { title: action.title, text };
}
