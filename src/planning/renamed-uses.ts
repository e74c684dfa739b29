import type { TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { type ParsedFile, parseFile } from "../impact/outline/parse-file.ts";
import { type RequiredUses, startOf } from "../query/users/required-uses.ts";
import { type Step, stepsOf } from "./workspace-edit.ts";

/** Unless the exported name stays. A name taken out of `require` keeps its own in the file. */
export async function withRequiredUses(
	edit: WorkspaceEdit,
	{ uses }: RequiredUses,
	newName: string,
): Promise<WorkspaceEdit> {
	const steps = stepsOf(edit);
	const edited = steps.flatMap((step) =>
		"kind" in step ? [] : step.edits.map((each) => ({ ...each, uri: step.textDocument.uri })),
	);
	const isPlain = (each: (typeof edited)[number]) => "newText" in each && each.newText === newName;
	const renamed = new Set(edited.filter(isPlain).map(startOf));
	// `module.exports = { name }` becomes `{ name: newName }`.
	const kept = new Set(edited.filter((each) => !isPlain(each)).map(startOf));
	const more = new Map<string, TextEdit[]>();
	const parsed = new Map<string, ReturnType<typeof parseFile>>();
	for (const { location, document, offset, definitions } of uses) {
		const { uri, range } = location;
		const starts = [location, ...definitions].map(startOf);
		const [own = ""] = starts;
		if (renamed.has(own) || starts.some((start) => kept.has(start))) continue;
		if (!starts.some((start) => renamed.has(start))) continue;
		const { path, text } = document;
		const syntax = parsed.get(path) ?? parseFile(path, text);
		parsed.set(path, syntax);
		const newText = renamedUse(await syntax, offset, newName);
		if (newText !== undefined) more.set(uri, [...(more.get(uri) ?? []), { range, newText }]);
	}
	if (more.size === 0) return edit;
	const joined = steps.map((step): Step => {
		if ("kind" in step) return step;
		const { uri } = step.textDocument;
		const own = more.get(uri) ?? [];
		more.delete(uri);
		return { ...step, edits: [...step.edits, ...own] };
	});
	const others = [...more].map(([uri, edits]): Step => ({ textDocument: { uri, version: null }, edits }));
	const { changes: _, ...rest } = edit;
	return { ...rest, documentChanges: [...joined, ...others] };
}

function renamedUse(parsed: ParsedFile | undefined, offset: number, newName: string): string | undefined {
	const node = parsed?.root.all().findLast(({ start, end }) => start <= offset && offset < end);
	if (node?.type === "shorthand_property_identifier_pattern") return `${newName}: ${node.text}`;
	return node?.type === "identifier" || node?.type === "shorthand_property_identifier" ? undefined : newName;
}
