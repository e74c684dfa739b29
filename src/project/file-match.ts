import { basename, extname } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { readHead } from "../util/read-file.ts";
import { matchesWildcard } from "./wildcard.ts";

export function matchesName(config: ServerConfig, path: string): boolean {
	return nameTest(path)(config);
}

export function nameTest(path: string): (config: Pick<ServerConfig, "match" | "names" | "patterns">) => boolean {
	const [extension, name] = [extensionOf(path), basename(path)];
	return ({ match, names, patterns }) => {
		if (patterns?.some((pattern) => pattern.startsWith("!") && fitsPath(path, pattern.slice(1)))) return false;
		return (
			match.includes(extension) ||
			names?.includes(name) === true ||
			patterns?.some((pattern) => fitsPath(path, pattern)) === true
		);
	};
}

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

/** TypeScript and JavaScript include JSX. */
export function isLanguage(languageId: string, wanted: string): boolean {
	return languageId === wanted || languageId === `${wanted}react`;
}

const dataLanguages =
	/^(?:jsonc?|yaml|toml|xml|markdown|mdx?|html|css|scss|less|sass|dockerfile|ini|properties|plaintext|csv|svg|dotenv|gitignore|editorconfig|make|makefile|shellscript|restructuredtext|latex|graphql|proto3?)$/;

export function isData(languageId: string): boolean {
	return dataLanguages.test(languageId);
}

export function speaks({ languageId }: ServerConfig, wanted: string): boolean {
	const spoken = typeof languageId === "string" ? [languageId] : Object.values(languageId);
	return spoken.some((id) => isLanguage(id, wanted));
}

const shebangBytes = 128;

/** `bash` for `#!/usr/bin/env -S bash -e`. */
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

function extensionOf(path: string): string {
	return extname(path).slice(1).toLowerCase();
}

/** A pattern with a slash means the end of the path. */
function fitsPath(path: string, pattern: string): boolean {
	return matchesWildcard(
		pattern.includes("/") ? path : basename(path),
		pattern.includes("/") ? `**/${pattern}` : pattern,
	);
}

function own(record: Readonly<Record<string, string>>, key: string | undefined): string | undefined {
	return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
