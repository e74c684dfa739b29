import { realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isInside } from "../util/paths.ts";
import { toPath } from "../util/positions.ts";
import { maxManifestBytes, readText } from "../util/read-file.ts";

/** The text of a schema that lies in the workspace; undefined for any other, which is not read and not fetched. */
export async function schemaInside(uri: string, workspace: string): Promise<string | undefined> {
	const path = toPath(uri.replace(/#.*/, ""));
	return path === undefined ? undefined : readText(path, { maxBytes: maxManifestBytes, within: workspace });
}

/** Where a schema's name stands in YAML: a comment for the server, or a key; and what may stand in front of its value. */
const named = /\$schema(?:=|["']?\s*:)\s*(?:[&!]\S+\s+)*(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))?/g;
/** No system opens a longer one. */
const longestPath = 4096;
/** A key in which an escape may stand for any letter. */
const escapedKey = /"[^"\n]*\\[xuU][^"\n]*"\s*:/;

/**
 * The file outside of the workspace that a YAML text names as its schema, which yaml-language-server reads by itself,
 * whatever it is: a device, a pipe, a key. What cannot be told counts as outside.
 */
export function schemaOutside(path: string, text: string, workspace: string): string | undefined {
	if (!text.includes("$schema") && !escapedKey.test(text)) return undefined;
	if (escapedKey.test(text)) return "a name with escapes";
	for (const [, double, single, plain] of text.matchAll(named)) {
		const name = double ?? single ?? plain ?? "";
		if (name === "" || /^https?:\/\//.test(name)) continue;
		// A path that is longer than any file's may lead to a file all the same, when it has been shortened.
		if (/^[*|>]/.test(name) || double?.includes("\\") || name.length > longestPath) return name;
		const bare = name.replace(/#.*/, "");
		const uri = bare.startsWith("file:");
		// The server takes some names from the document's directory, and some from its root.
		const files = uri ? [toPath(bare)] : [resolve(dirname(path), bare), resolve(workspace, bare)];
		if (files.some((file) => file === undefined || leadsOutside(file, workspace))) return name;
	}
	return undefined;
}

/** True for what is there, and is no regular file of the workspace. */
function leadsOutside(file: string, workspace: string): boolean {
	try {
		const real = realpathSync.native(file);
		return !isInside(real, workspace) || !statSync(real).isFile();
	} catch {
		return false;
	}
}
