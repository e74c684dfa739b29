import { realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { trustSuggestion } from "../config/trust.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Route } from "../routing/locate.ts";
import { isInside } from "../util/paths.ts";
import { toPath } from "../util/positions.ts";
import { maxManifestBytes, readText } from "../util/read-file.ts";
import { schemaByUrl, tomlSchemas } from "./toml-schemas.ts";

/** Without trust, documents that name schemas outside the workspace fail with LSP_SERVER_UNTRUSTED. */
export function limitSchemas(server: LanguageServer, { config, trusted }: Route, workspace: string): void {
	server.schemas.textOf = (uri) => schemaInside(uri, workspace);
	if (config.offlineSchemas) server.schemas.unfetchedFor = schemaByUrl;
	if (!trusted && config.restricted?.readsNamedSchemas)
		server.documents.examine = (path, text) => refuseSchemaOutside(config, path, text, workspace);
}

function refuseSchemaOutside(config: ServerConfig, path: string, text: string, workspace: string): void {
	const find = config.offlineSchemas ? tomlSchemaOutside : schemaOutside;
	const schema = find(path, text, workspace);
	if (schema === undefined) return;
	const message = `The file's schema is outside of the workspace: ${schema.slice(0, 200)}.`;
	throw new LspError("LSP_SERVER_UNTRUSTED", message, { ...aboutServer(config), suggestion: trustSuggestion });
}

export async function schemaInside(uri: string, workspace: string): Promise<string | undefined> {
	const path = toPath(uri.replace(/#.*/, ""));
	return path === undefined ? undefined : readText(path, { maxBytes: maxManifestBytes, within: workspace });
}

const schemaName = /\$schema(?:=|["']?\s*:)\s*(?:[&!]\S+\s+)*(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))?/g;
/** PATH_MAX of Linux. */
const maxPathLength = 4096;
/** The escape may mean a letter of `$schema`. */
const escapedKey = /"[^"\n]*\\[xuU][^"\n]*"\s*:/;

/** yaml-language-server would read it. */
export function schemaOutside(path: string, text: string, workspace: string): string | undefined {
	if (escapedKey.test(text)) return "a name with escapes";
	for (const [, double, single, plain] of text.matchAll(schemaName)) {
		const name = double ?? single ?? plain ?? "";
		if (name === "" || /^https?:\/\//.test(name)) continue;
		// A longer name may become a path when normalized.
		if (/^[*|>]/.test(name) || double?.includes("\\") || name.length > maxPathLength) return name;
		const bare = name.replace(/#.*/, "");
		const files = bare.startsWith("file:") ? [toPath(bare)] : [resolve(dirname(path), bare), resolve(workspace, bare)];
		if (files.some((file) => file === undefined || leadsOutside(file, workspace))) return name;
	}
	return undefined;
}

/** tombi would read it. */
function tomlSchemaOutside(path: string, text: string, workspace: string): string | undefined {
	return tomlSchemas(path, text).find(({ file }) => file !== undefined && leadsOutside(file, workspace))?.name;
}

function leadsOutside(file: string, workspace: string): boolean {
	try {
		const real = realpathSync.native(file);
		return !isInside(real, workspace) || !statSync(real).isFile();
	} catch {
		return false;
	}
}
