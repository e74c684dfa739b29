import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { read } from "../../util/read-file.ts";

const known = new Set(["edit", "write", "apply_patch", "multi_edit"]);

/** True for a tool that changes the files that its input names. */
export function isMutating(tool: string, more: readonly string[] = []): boolean {
	return known.has(tool) || more.includes(tool);
}

/**
 * The files that a call of a mutating tool names, as the model wrote them but for an `@` in front, which pi takes off
 * whether there is a file of that name or not.
 */
export function pathsOf(input: Readonly<Record<string, unknown>>): string[] {
	return namedIn(input).map((path) => (path.startsWith("@") ? path.slice(1) : path));
}

function namedIn(input: Readonly<Record<string, unknown>>): string[] {
	const named = [input.path, input.file_path, input.filePath, input.file].find((value) => typeof value === "string");
	if (typeof named === "string") return [named];
	const patch = [input.patch, input.input].find((value) => typeof value === "string");
	if (typeof patch !== "string") return [];
	const headers = patch.matchAll(/^(?:\*\*\* (?:Add|Update) File: |\*\*\* Move to: |\+\+\+ b\/)(.+)$/gm);
	return [
		...new Set([...headers].map((match) => (match[1] ?? "").trim()).filter((path) => path && path !== "/dev/null")),
	];
}

/** The absolute path of what a model wrote: `~/a.ts`, or relative to the working directory. */
export function absolutePath(path: string, cwd: string): string {
	return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(cwd, path);
}

/** A file's text before a call changes it; null if it is not there, undefined if it is none of our business. */
export async function textBefore(path: string, maxBytes: number): Promise<string | null | undefined> {
	const content = await read(path, { maxBytes: maxBytes, within: "anywhere" });
	if ("text" in content) return content.text;
	return content.refused === "missing" ? null : undefined;
}

/**
 * What the file will hold after the call, where the input says so: a `write` has it whole, an `edit` if every old text
 * stands exactly once. Only a hint: what the edit touches, and what the server may look at ahead; what is checked is read
 * from the disk afterwards.
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
