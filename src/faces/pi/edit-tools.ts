import { pathsOfPatch } from "../../edit-hook/patch.ts";
import type { ToolCall } from "../../edit-hook/tool-call.ts";

export interface ToolEvent {
	readonly toolName: string;
	readonly toolCallId: string;
	readonly input: Readonly<Record<string, unknown>>;
}

const kinds: Readonly<Record<string, ToolCall["kind"]>> = {
	edit: "edit",
	write: "write",
	apply_patch: "write",
	multi_edit: "write",
	bash: "command",
};

export function toolCallOf({ toolName: tool, toolCallId: id, input }: ToolEvent): ToolCall {
	const kind = Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : "other";
	if (kind === "command")
		return { id, tool, kind, files: [], ...(typeof input.command === "string" ? { command: input.command } : {}) };
	return { id, tool, kind, files: pathsOf(input), textAfter: (_file, before) => textAfter(input, before) };
}

/** pi removes a leading `@` even from a file's name (docs/facts.md, 13). */
function pathsOf(input: ToolEvent["input"]): string[] {
	return pathsIn(input).map((path) => (path.startsWith("@") ? path.slice(1) : path));
}

function pathsIn(input: ToolEvent["input"]): string[] {
	const path = pathIn(input);
	if (path !== undefined) return [path];
	const edits = Array.isArray(input.edits) ? input.edits.flatMap((edit) => pathIn(edit ?? {}) ?? []) : [];
	if (edits.length > 0) return [...new Set(edits)];
	const patch = [input.patch, input.input, input.patchText].find((value) => typeof value === "string");
	return typeof patch === "string" ? pathsOfPatch(patch) : [];
}

function pathIn({ path, file_path, filePath, file }: ToolEvent["input"]): string | undefined {
	const found = [path, file_path, filePath, file].find((value) => typeof value === "string");
	return typeof found === "string" ? found : undefined;
}

export function textAfter(input: ToolEvent["input"], before: string | null): string | undefined {
	if (typeof input.content === "string") return input.content;
	const edits = Array.isArray(input.edits) ? input.edits : [input];
	let text = before ?? "";
	for (const edit of edits as { oldText?: unknown; newText?: unknown }[]) {
		const { oldText, newText } = edit ?? {};
		if (typeof oldText !== "string" || typeof newText !== "string" || oldText === "") return undefined;
		const at = text.indexOf(oldText);
		if (at < 0 || text.indexOf(oldText, at + 1) >= 0) return undefined;
		text = text.slice(0, at) + newText + text.slice(at + oldText.length);
	}
	return text;
}
