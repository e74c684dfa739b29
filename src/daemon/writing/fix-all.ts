import type { CodeAction, Diagnostic, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { atServer } from "../../changes/at-server.ts";
import { LspError } from "../../contract/errors.ts";
import { readsDisk } from "../../diagnostics/sources/prove.ts";
import { replaceAll, replacementsOf, withLineEndsOf } from "../../planning/text-edits.ts";
import { stepsOf } from "../../planning/workspace-edit.ts";
import { resolvedAction } from "../../query/code-actions.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { linesOf, toPath } from "../../util/positions.ts";
import type { OperationCall } from "../operation-context.ts";

/** In one call. */
const maxFixes = 100;

export interface Fixing {
	readonly isWanted: (diagnostic: Diagnostic) => boolean;
	/** The one action that mends a diagnostic; undefined if there is none, or if there are several. */
	readonly choose: (actions: readonly CodeAction[]) => CodeAction | undefined;
}

export interface FixedFile {
	readonly asked: FileQuery;
	readonly edit: WorkspaceEdit;
	readonly titles: readonly string[];
	/** How many that were wanted are left. */
	readonly left: number;
}

interface State {
	readonly text: string;
	readonly wanted: readonly Diagnostic[];
	readonly errors: number;
}

/** Works fix by fix on a text that only the server sees. A fix that does not lessen what was wanted, or brings an error, is taken back. */
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
			const target = state.wanted.find((each) => !tried.has(keyOf(each, state.text)));
			if (!target) break;
			const fixed = await withText(state.text, (asked) => textAfterFix(asked, target, choose));
			const next = fixed && (await withText(fixed.text, stateOf));
			if (fixed && next && next.wanted.length < state.wanted.length && next.errors <= state.errors) {
				titles.push(fixed.title);
				state = next;
			} else tried.add(keyOf(target, state.text));
		}
		const { document } = given.asked;
		const range = { start: { line: 0, character: 0 }, end: { line: linesOf(document.text).length, character: 0 } };
		const edit = { changes: state.text === document.text ? {} : { [document.uri]: [{ range, newText: state.text }] } };
		return { asked: given.asked, edit, titles, left: state.wanted.length };
	});
}

/** A diagnostic keeps its key when lines above it come or go. */
function keyOf({ code, message, range }: Diagnostic, text: string): string {
	return `${code} ${message} ${range.start.character} ${linesOf(text)[range.start.line]}`;
}

/** The text after one fix; undefined if there is no single one, or if it changes more than this file. */
async function textAfterFix(
	asked: FileQuery,
	target: Diagnostic,
	choose: Fixing["choose"],
): Promise<{ readonly title: string; readonly text: string } | undefined> {
	const { document, server } = asked;
	const action = choose(await asked.codeActions(target.range, { kind: "quickfix", diagnostics: [target] }));
	const { edit } = action ? await resolvedAction(asked, action) : {};
	const edits = edit && ownEdits(edit, document.path);
	if (!action || !edits) return undefined;
	const kept = edits.map((each) => ({ ...each, newText: withLineEndsOf(document.text, each.newText) }));
	const text = replaceAll(document.text, replacementsOf(document.text, kept, server.encoding, document.path));
	return { title: action.title, text };
}

function ownEdits(edit: WorkspaceEdit, path: string): TextEdit[] | undefined {
	const edits: TextEdit[] = [];
	for (const step of stepsOf(edit)) {
		if ("kind" in step || toPath(step.textDocument.uri) !== path) return undefined;
		for (const each of step.edits)
			if ("newText" in each) edits.push(each);
			else return undefined;
	}
	return edits.length > 0 ? edits : undefined;
}
