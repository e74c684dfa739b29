import type {
	AnnotatedTextEdit,
	CreateFile,
	DeleteFile,
	RenameFile,
	SnippetTextEdit,
	TextDocumentEdit,
	WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { toPath } from "../util/positions.ts";
import { TimeSlices } from "../util/time-slices.ts";
import type { PlannedTree } from "./planned-tree.ts";
import { refused } from "./text-edits.ts";

type Edit = TextDocumentEdit["edits"][number];
export type Step = NonNullable<WorkspaceEdit["documentChanges"]>[number];
type Operation = CreateFile | RenameFile | DeleteFile;

export interface EditOptions {
	readonly versionOf?: (path: string) => number | undefined;
	readonly excludes?: (path: string) => boolean;
	readonly confirmed?: boolean;
}

export interface EditSummary {
	/** By path as the server names it. */
	readonly places: ReadonlyMap<string, number>;
	/** Of edits left out unconfirmed. */
	readonly unconfirmed: readonly string[];
	readonly excluded: readonly string[];
}

/** Rejects with LSP_EDIT_REFUSED; the tree is then useless. */
export async function planEdit(
	edit: WorkspaceEdit,
	tree: PlannedTree,
	{ versionOf, excludes = () => false, confirmed = false }: EditOptions,
): Promise<EditSummary> {
	const places = new Map<string, number>();
	const unconfirmed = new Set<string>();
	const excluded = new Set<string>();
	const isWithheld = (id: string | undefined) => {
		const annotation = id === undefined ? undefined : edit.changeAnnotations?.[id];
		if (confirmed || !annotation?.needsConfirmation) return false;
		unconfirmed.add(annotation.label);
		return true;
	};
	const editFile = async (uri: string, edits: readonly Edit[], version?: number | null) => {
		const path = pathOf(uri);
		if (excludes(path)) return void excluded.add(path);
		const open = versionOf?.(path);
		// Servers write 0 and null for an unknown version.
		if (version && open !== undefined && open !== version)
			throw refused(path, `the server means version ${version} of it, and has ${open}`);
		const plain = edits.map((each) => plainEdit(each, path)).filter(({ annotationId }) => !isWithheld(annotationId));
		if (plain.length === 0) return;
		await tree.edit(path, plain);
		places.set(path, (places.get(path) ?? 0) + plain.length);
	};
	const slices = new TimeSlices();
	for (const step of stepsOf(edit)) {
		if (slices.isOver) await slices.next();
		if (!("kind" in step)) await editFile(step.textDocument.uri, step.edits, step.textDocument.version);
		else if (!isWithheld(step.annotationId)) await operate(step, tree, excludes, excluded);
	}
	return { places, unconfirmed: [...unconfirmed], excluded: [...excluded] };
}

export function stepsOf({ documentChanges, changes = {} }: WorkspaceEdit): readonly Step[] {
	if (documentChanges) return documentChanges;
	return Object.entries(changes).map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
}

async function operate(
	step: Operation,
	tree: PlannedTree,
	excludes: (path: string) => boolean,
	excluded: Set<string>,
): Promise<void> {
	const path = pathOf(step.kind === "rename" ? step.oldUri : step.uri);
	if (excludes(path)) return void excluded.add(path);
	if (step.kind === "create") return tree.create(path, step.options);
	if (step.kind === "delete") return tree.delete(path, step.options);
	return tree.move(path, pathOf(step.newUri), step.options);
}

function plainEdit(edit: Edit, path: string): AnnotatedTextEdit | (Edit & { annotationId?: string; newText: string }) {
	if ("snippet" in (edit as SnippetTextEdit) || !("newText" in edit))
		throw refused(path, "the server answers with a snippet, which has holes for a person to fill");
	return edit;
}

function pathOf(uri: string): string {
	const path = toPath(uri);
	if (path !== undefined) return path;
	throw new LspError("LSP_EDIT_REFUSED", `${uri} cannot be changed: it is no file.`);
}
