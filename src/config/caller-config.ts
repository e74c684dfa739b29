import { dirname } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { LspError } from "../contract/errors.ts";
import { type Disk, plainDisk } from "../util/files.ts";
import { type ConfigFile, readConfig } from "./config-file.ts";
import { readServers } from "./read-servers.ts";
import type { Author } from "./servers.ts";

/** It counts like the user's file. */
export interface CallerConfig {
	/** `--config FILE`, absolute. */
	readonly file?: string;
	/** As agent-lsp: `go:gopls`, `typescript:typescript-language-server,--stdio`. */
	readonly servers?: readonly string[];
	/** Absolute; `./PROGRAM` is relative to it. */
	readonly directory: string;
}

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

/** Arguments override the file. Rejects with LSP_CONFIG_INVALID for a missing file. */
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
		parts.push({
			file: { path: "arguments", fields: {}, servers: entries, problems },
			author: { who: "caller", directory, trusted: true },
		});
	}
	return parts;
}
