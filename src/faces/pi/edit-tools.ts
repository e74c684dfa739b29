import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { read } from "../../util/read-file.ts";

const editTools = new Set(["edit", "write", "apply_patch", "multi_edit"]);

export function isMutating(tool: string, more: readonly string[] = []): boolean {
	return editTools.has(tool) || more.includes(tool);
}

/** Without an `@` in front, which pi takes off even if a file has that name (docs/facts.md, 13). */
export function pathsOf(input: Readonly<Record<string, unknown>>): string[] {
	return pathsIn(input).map((path) => (path.startsWith("@") ? path.slice(1) : path));
}

function pathsIn(input: Readonly<Record<string, unknown>>): string[] {
	const path = [input.path, input.file_path, input.filePath, input.file].find((value) => typeof value === "string");
	if (typeof path === "string") return [path];
	const patch = [input.patch, input.input].find((value) => typeof value === "string");
	if (typeof patch !== "string") return [];
	const headers = patch.matchAll(/^(?:\*\*\* (?:Add|Update) File: |\*\*\* Move to: |\+\+\+ b\/)(.+)$/gm);
	return [
		...new Set([...headers].map((match) => (match[1] ?? "").trim()).filter((path) => path && path !== "/dev/null")),
	];
}

export function absolutePath(path: string, cwd: string): string {
	return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(cwd, path);
}

/** Null if there is no file, undefined if it cannot be read. */
export async function textBefore(path: string, maxBytes: number): Promise<string | null | undefined> {
	const content = await read(path, { maxBytes, within: "anywhere" });
	if ("text" in content) return content.text;
	return content.refused === "missing" ? null : undefined;
}

/**
 * The text after a `write`, or after an `edit` whose old texts each occur once. The server may look at it ahead; the check
 * reads the disk.
 */
export function textAfter(input: Readonly<Record<string, unknown>>, before: string | null): string | undefined {
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
