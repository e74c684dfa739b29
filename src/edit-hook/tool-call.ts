import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { read } from "../util/read-file.ts";

export interface ToolCall {
	readonly id: string;
	readonly tool: string;
	/** `other`: only a tool of `mutatingTools` changes files. */
	readonly kind: "edit" | "write" | "command" | "other";
	readonly files: readonly string[];
	readonly command?: string;
	/** Milliseconds since 1970; default: now. */
	readonly at?: number;
	/** Null for a missing file. */
	readonly texts?: ReadonlyMap<string, string | null>;
	/** For the server to look ahead; the check reads the disk. */
	textAfter?(file: string, before: string | null): string | undefined;
}

export function absolutePath(path: string, cwd: string): string {
	return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(cwd, path);
}

/** Null for no file, undefined if unreadable. */
export async function textBefore(path: string, maxBytes: number): Promise<string | null | undefined> {
	const content = await read(path, { maxBytes, within: "anywhere" });
	if ("text" in content) return content.text;
	return content.refused === "missing" ? null : undefined;
}
