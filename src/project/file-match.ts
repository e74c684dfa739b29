import { basename, extname } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { readHead } from "../util/read-file.ts";
import { fits } from "./wildcard.ts";

/** True if a server is for files of this name: by extension, whole name or pattern. */
export function matchesName(config: ServerConfig, path: string): boolean {
	const { match, names, patterns = [] } = config;
	if (patterns.some((pattern) => pattern.startsWith("!") && fitsPath(path, pattern.slice(1)))) return false;
	return (
		match.includes(extensionOf(path)) ||
		names?.includes(basename(path)) === true ||
		patterns.some((pattern) => fitsPath(path, pattern))
	);
}

/** The language id of a file for a server: what is known of its name, then its pattern, extension, interpreter, then the rest. */
export function languageOf({ languageId, id }: ServerConfig, path: string, interpreter?: string): string {
	if (typeof languageId === "string") return languageId;
	const pattern = Object.keys(languageId).find((key) => key.length > 1 && key.includes("*") && fitsPath(path, key));
	return (
		own(languageId, basename(path)) ??
		own(languageId, pattern) ??
		own(languageId, extensionOf(path)) ??
		own(languageId, interpreter && `#!${interpreter}`) ??
		own(languageId, "*") ??
		id
	);
}

/** True if a language is the one that somebody asked for: TypeScript and JavaScript with JSX are no others. */
export function isLanguage(languageId: string, wanted: string): boolean {
	return languageId === wanted || languageId === `${wanted}react`;
}

/** True if a server has files of a language. */
export function speaks({ languageId }: ServerConfig, wanted: string): boolean {
	const spoken = typeof languageId === "string" ? [languageId] : Object.values(languageId);
	return spoken.some((id) => isLanguage(id, wanted));
}

/** The first line of a script that names its interpreter is not longer than this. */
const shebangBytes = 128;

/**
 * The program that the first line of a script names, without its directory and its version: `bash` for
 * `#!/usr/bin/env -S bash -e`, `python` for `#!/usr/bin/python3.12`. Undefined for anything else.
 */
export async function interpreterOf(path: string): Promise<string | undefined> {
	const head = await readHead(path, shebangBytes);
	const line = /^(?:\ufeff)?#![ \t]*([^\r\n]*)/.exec(head.toString("utf8"))?.[1] ?? "";
	const words = line.split(/[ \t]+/).filter(Boolean);
	if (basename(words[0] ?? "") === "env") {
		words.shift();
		while (words[0]?.startsWith("-") || words[0]?.includes("=")) words.shift();
	}
	const name = basename(words[0] ?? "").replace(/[-\d.]+$/, "");
	return name || undefined;
}

/** An extension without its dot, in lower case. */
function extensionOf(path: string): string {
	return extname(path).slice(1).toLowerCase();
}

/** A pattern without a slash is for the name, one with a slash for as much of the end of the path as it names. */
function fitsPath(path: string, pattern: string): boolean {
	return fits(pattern.includes("/") ? path : basename(path), pattern.includes("/") ? `**/${pattern}` : pattern);
}

function own(record: Readonly<Record<string, string>>, key: string | undefined): string | undefined {
	return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
