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

/**
 * Limits the schemas that a server reads to the workspace: those that it requests from the client, and without trust
 * those that documents name. Such a document is then refused with LSP_SERVER_UNTRUSTED.
 */
export function limitSchemas(server: LanguageServer, { config, trusted }: Route, workspace: string): void {
	server.schemas.textOf = (uri) => schemaInside(uri, workspace);
	if (!trusted && config.restricted?.readsNamedSchemas)
		server.documents.examine = (path, text) => refuseSchemaOutside(config, path, text, workspace);
}

function refuseSchemaOutside(config: ServerConfig, path: string, text: string, workspace: string): void {
	const schema = schemaOutside(path, text, workspace);
	if (schema === undefined) return;
	const message = `The file's schema is outside of the workspace: ${schema.slice(0, 200)}.`;
	throw new LspError("LSP_SERVER_UNTRUSTED", message, { ...aboutServer(config), suggestion: trustSuggestion });
}

/** The text of a schema in the workspace. Any other schema is undefined: it is neither read nor fetched. */
export async function schemaInside(uri: string, workspace: string): Promise<string | undefined> {
	const path = toPath(uri.replace(/#.*/, ""));
	return path === undefined ? undefined : readText(path, { maxBytes: maxManifestBytes, within: workspace });
}

/** The name of a schema in YAML, after a comment for the server or a key; before the name a tag or an anchor may stand. */
const schemaName = /\$schema(?:=|["']?\s*:)\s*(?:[&!]\S+\s+)*(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))?/g;
/** PATH_MAX of Linux. */
const maxPathLength = 4096;
/** A key with an escape, which may stand for any letter of `$schema`. */
const escapedKey = /"[^"\n]*\\[xuU][^"\n]*"\s*:/;

/**
 * The schema outside of the workspace that a YAML text names. yaml-language-server would read that file itself, even a
 * device or a pipe. A name that cannot be resolved counts as outside.
 */
export function schemaOutside(path: string, text: string, workspace: string): string | undefined {
	if (escapedKey.test(text)) return "a name with escapes";
	for (const [, double, single, plain] of text.matchAll(schemaName)) {
		const name = double ?? single ?? plain ?? "";
		if (name === "" || /^https?:\/\//.test(name)) continue;
		// A name longer than any path may still lead to a file when the server has normalized it.
		if (/^[*|>]/.test(name) || double?.includes("\\") || name.length > maxPathLength) return name;
		const bare = name.replace(/#.*/, "");
		// The server resolves some names against the document's directory, and some against its root.
		const files = bare.startsWith("file:") ? [toPath(bare)] : [resolve(dirname(path), bare), resolve(workspace, bare)];
		if (files.some((file) => file === undefined || leadsOutside(file, workspace))) return name;
	}
	return undefined;
}

/** True if a file exists and is not a regular file of the workspace. */
function leadsOutside(file: string, workspace: string): boolean {
	try {
		const real = realpathSync.native(file);
		return !isInside(real, workspace) || !statSync(real).isFile();
	} catch {
		return false;
	}
}
