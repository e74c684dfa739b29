import type { ChangeAnnotation, TextDocumentEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { type Step, stepsOf } from "./workspace-edit.ts";

/** Throws LSP_EDIT_REFUSED if two edits change one file. */
export function joinEdits(edits: readonly WorkspaceEdit[]): WorkspaceEdit {
	if (edits.length < 2) return edits[0] ?? {};
	const owners = new Map<string, number>();
	const changeAnnotations: Record<string, ChangeAnnotation> = {};
	const documentChanges = edits.flatMap((edit, index) => {
		const prefixed = (id: string) => `${index} ${id}`;
		for (const [id, annotation] of Object.entries(edit.changeAnnotations ?? {}))
			changeAnnotations[prefixed(id)] = annotation;
		return stepsOf(edit).map((step) => {
			for (const uri of urisOf(step)) {
				if ((owners.get(uri) ?? index) !== index)
					throw new LspError("LSP_EDIT_REFUSED", `${uri} cannot be changed: the server changes it twice.`);
				owners.set(uri, index);
			}
			return withIds(step, prefixed);
		});
	});
	return { documentChanges, changeAnnotations };
}

function urisOf(step: Step): string[] {
	if (!("kind" in step)) return [step.textDocument.uri];
	return step.kind === "rename" ? [step.oldUri, step.newUri] : [step.uri];
}

function withIds(step: Step, prefixed: (id: string) => string): Step {
	const annotated = <Each extends object>(each: Each): Each => {
		const { annotationId: id } = each as { readonly annotationId?: string };
		return id === undefined ? each : { ...each, annotationId: prefixed(id) };
	};
	return "kind" in step ? annotated(step) : { ...step, edits: step.edits.map(annotated) as TextDocumentEdit["edits"] };
}
