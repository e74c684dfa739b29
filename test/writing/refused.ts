import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Workspace } from "../support/workspace.ts";

/** The files of a workspace that are no directories, with their texts. */
export function treeOf(ws: Workspace): Record<string, string> {
	const names = readdirSync(ws.root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
	const paths = names.map(({ parentPath, name }) => join(parentPath, name)).sort();
	return Object.fromEntries(paths.map((path) => [path, readFileSync(path, "utf8")]));
}

/** Fails unless a command is refused with a message, and nothing is written. */
export async function isRefused(ws: Workspace, words: readonly string[], message: string): Promise<void> {
	const before = treeOf(ws);
	const { code, stdout, stderr } = await ws.cli(words);
	expect(stderr).toContain(message);
	expect(stdout).toBe("");
	expect(code).toBe(2);
	expect(treeOf(ws)).toEqual(before);
	expect((await ws.cli(["undo", "--list"])).stdout).toContain("Nothing was changed here");
}
