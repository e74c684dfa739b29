import type { CodeAction, Range, WorkspaceEdit } from "vscode-languageserver-protocol";
import { atServer } from "../../changes/at-server.ts";
import { LspError } from "../../contract/errors.ts";
import { type GivenText, rangeOfText } from "../../planning/range-of-text.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { askFirst } from "../../query/run.ts";
import type { Located } from "../../routing/locate.ts";
import { type Spot, spotsAlong } from "../../util/positions.ts";
import type { OperationCall } from "../operation-context.ts";
import { actionEdits } from "./action-edits.ts";
import { type PlannedEdit, planEdits } from "./keep-plan.ts";
import { textAfter, wholeTextEdit } from "./own-edits.ts";

export interface ExtractOrder {
	readonly file: string;
	readonly given?: GivenText | undefined;
	place(asked: FileQuery): Promise<Range>;
	choose(asked: FileQuery, range: Range): Promise<CodeAction>;
	readonly name: string | undefined;
	readonly dryRun: boolean | undefined;
}

export interface PlannedExtraction extends PlannedEdit {
	readonly title: string;
	readonly name: string | undefined;
}

const maxCandidates = 8;
const word = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu;

/** Rejects like `planEdits` and `actionEdits`. */
export async function planExtraction(
	call: OperationCall,
	{ file, given: text, place, choose, name, dryRun }: ExtractOrder,
): Promise<PlannedExtraction> {
	const { located } = await call.service.locate(file, call.params);
	const { asked, edits, title } = await askFirst(await call.context(), {
		located,
		// Without the project some servers extract nothing.
		options: { linters: true, whole: true },
		answer: async (asked) => {
			if (name !== undefined && wordsOf(asked.document.text).has(name))
				throw refused(`${name} stands in ${located.display} already: it might be taken for that.`);
			const range = text ? rangeOfText(asked, text) : await place(asked);
			const action = await choose(asked, range);
			return { asked, edits: await actionEdits(call, asked, action), title: action.title };
		},
	});
	const [edit] = edits;
	const after = edits.length === 1 && edit ? textAfter(asked, edit) : undefined;
	const known = after === undefined ? undefined : await renamedIn(call, { located, asked, text: after, name });
	if (name !== undefined && !known)
		throw refused(
			`${asked.server.config.id} extracts it, but how to name it ${name} is not known.`,
			"Leave `name` out, and rename it then.",
		);
	const final = known?.text === undefined ? edits : [wholeTextEdit(asked.document, known.text)];
	return { ...(await planEdits(call, asked, final, { title, dryRun })), title, name: known?.name };
}

interface Extracted {
	readonly located: Located;
	readonly asked: FileQuery;
	readonly text: string;
	readonly name: string | undefined;
}

interface Named {
	readonly name: string;
	readonly text?: string;
}

/** The text is only the server's; undefined if the extracted name is unknown. */
async function renamedIn(call: OperationCall, { located, asked, text, name }: Extracted): Promise<Named | undefined> {
	return atServer(await call.context(), located, async ({ server, withText }) => {
		if (server !== asked.server) return undefined;
		return withText(text, async (after): Promise<Named | undefined> => {
			const found: [string, Spot][] = [];
			for (const [candidate, spot] of newNames(asked.document.text, text))
				if (await isRenamable(after, spot)) found.push([candidate, spot]);
			const [only] = found;
			if (!only || found.length > 1) return undefined;
			if (name === undefined) return { name: only[0] };
			const edit = await after.request<WorkspaceEdit | null>("textDocument/rename", only[1], { newName: name });
			const renamed = edit && textAfter(after, edit);
			return renamed === null || renamed === undefined ? undefined : { name, text: renamed };
		});
	});
}

function newNames(before: string, after: string): [string, Spot][] {
	const known = wordsOf(before);
	const places = new Map<string, number[]>();
	for (const { 0: found, index } of after.matchAll(word))
		if (!known.has(found)) places.set(found, [...(places.get(found) ?? []), index]);
	const several = [...places].filter(([, indexes]) => indexes.length > 1).slice(0, maxCandidates);
	return several.map(([name, indexes]) => [name, spotsAlong(after)(indexes[0]!)]);
}

function wordsOf(text: string): ReadonlySet<string> {
	return new Set(text.match(word));
}

async function isRenamable(asked: FileQuery, spot: Spot): Promise<boolean> {
	const method = "textDocument/prepareRename";
	if (!asked.server.offers("textDocument/rename")) return false;
	if (!asked.server.offers(method)) return true;
	return (await asked.request<object | null>(method, spot, {}).catch(() => null)) !== null;
}

function refused(message: string, suggestion?: string): LspError {
	return new LspError("LSP_EDIT_REFUSED", message, {
		suggestion: `Nothing was written. ${suggestion ?? "Choose another name."}`,
	});
}
