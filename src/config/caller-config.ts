import { dirname } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { LspError } from "../contract/errors.ts";
import { type Disk, plainDisk } from "../util/files.ts";
import { type ConfigFile, readConfig } from "./config-file.ts";
import { type Author, readServers } from "./servers.ts";

/** A configuration that a caller was started with: it is typed by a person, like the user's own, and counts like it. */
export interface CallerConfig {
	/** `--config FILE`, absolute: ours, or agent-lsp's. */
	readonly file?: string;
	/** agent-lsp's arguments: `go:gopls`, `typescript:typescript-language-server,--stdio`. */
	readonly servers?: readonly string[];
	/** Where it was started, absolute: from there a program that begins with `./` is taken in `servers`. */
	readonly directory: string;
}

/** A part of what a caller was started with, as it is laid over the other configurations. */
export interface CallerPart {
	readonly file: ConfigFile;
	readonly author: Author;
}

export function isCallerConfig(value: unknown): value is CallerConfig {
	if (typeof value !== "object" || value === null) return false;
	const { file, servers: list, directory } = value as Readonly<Record<string, unknown>>;
	const isList = Array.isArray(list) && list.every((item) => typeof item === "string");
	return (
		typeof directory === "string" && ["undefined", "string"].includes(typeof file) && (list === undefined || isList)
	);
}

/**
 * Reads what a caller was started with: the file first, the arguments over it. A mistake in it is among the problems, as
 * in any configuration; rejects with LSP_CONFIG_INVALID if there is no such file, since it was asked for by its name.
 */
export async function callerParts(
	{ file, servers = [], directory }: CallerConfig,
	known: readonly ServerConfig[],
	disk: Disk = plainDisk,
): Promise<CallerPart[]> {
	const parts: CallerPart[] = [];
	if (file !== undefined) {
		const read = await readConfig(file, "user", disk);
		if (!read) throw new LspError("LSP_CONFIG_INVALID", `${file}: no such file.`);
		parts.push({ file: read, author: { who: "caller", directory: dirname(file), trusted: true } });
	}
	if (servers.length > 0) {
		const problems: string[] = [];
		const entries = readServers(servers, [], known, (_, message) => problems.push(`an argument: ${message}`));
		const stamp = JSON.stringify([directory, servers]);
		parts.push({
			file: { path: "arguments", stamp, fields: {}, servers: entries, problems },
			author: { who: "caller", directory, trusted: true },
		});
	}
	return parts;
}
