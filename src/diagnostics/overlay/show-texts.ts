import { extname } from "node:path";
import { isData } from "../../impact/index/sources.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { languageOf, matchesName } from "../../project/file-match.ts";
import { toUri } from "../../util/positions.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { documentOnDisk } from "../sources/prove.ts";
import { SchemaFiles } from "../sources/schema-files.ts";

interface Overlay {
	readonly isWhole: boolean;
	restore(): Promise<void>;
}

const foreignLanguages: Readonly<Record<string, string>> = {
	".ts": "typescript",
	".mts": "typescript",
	".cts": "typescript",
	".tsx": "typescriptreact",
	".js": "javascript",
	".mjs": "javascript",
	".cjs": "javascript",
	".jsx": "javascriptreact",
	".json": "json",
};

/** svelteserver learns of a script only from the disk and this notification. */
const scriptChanged: Readonly<Record<string, string>> = { "svelte-language-server": "$/onDidChangeTsOrJsFile" };

/** Without `schemas` the texts judge no file. */
export async function showTexts(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	{ schemas = true }: { readonly schemas?: boolean } = {},
): Promise<Overlay> {
	const { config } = server;
	const isOwn = (path: string) => matchesName(config, path);
	const notification = scriptChanged[config.id];
	const isNotified = (path: string) => notification !== undefined && !isOwn(path);
	// YAML's server takes no schema in JSON.
	const isOther = (path: string) => config.keepsSchemas === true && !isOwn(path);
	const notify = (path: string, text: string) =>
		server.notify(notification ?? "", { uri: toUri(path), changes: [{ text }] });
	if ([...texts.keys()].some((path) => isReadOnDisk(server, path))) return { isWhole: false, restore: async () => {} };
	const notified = [...texts].filter(([path]) => isNotified(path));
	const opened = new Map([...texts].filter(([path]) => !isNotified(path) && !isOther(path)));
	// Volar's servers keep the last text of a closed document.
	for (const path of opened.keys())
		if (!isOwn(path)) await documentOnDisk(server, path, languageIn(server, path)).catch(() => {});
	const restore = server.documents.overlay(opened, (path) => languageIn(server, path));
	for (const [path, text] of notified) notify(path, text);
	let restoreSchemas: (() => Promise<void>) | undefined = async () => {};
	try {
		if (config.keepsSchemas && schemas) restoreSchemas = await server.part(SchemaFiles).overlay(texts);
	} catch (error) {
		restore();
		throw error;
	}
	return {
		isWhole: restoreSchemas !== undefined,
		async restore() {
			restore();
			await restoreSchemas?.();
			for (const [path] of notified) notify(path, (await readText(path, anySource)) ?? "");
		},
	};
}

export function languageIn({ config }: LanguageServer, path: string): string {
	const foreign = foreignLanguages[extname(path)];
	return foreign !== undefined && !matchesName(config, path) ? foreign : languageOf(config, path);
}

export function mayBeShown({ config }: LanguageServer, path: string): boolean {
	return matchesName(config, path) || foreignLanguages[extname(path)] !== undefined || isData(path);
}

/** tombi's schemas are; typescript-language-server opens no JSON. */
function isReadOnDisk({ config }: LanguageServer, path: string): boolean {
	const isForeign = !matchesName(config, path);
	return isForeign && (config.offlineSchemas === true || (config.strategy === "tsserver" && isData(path)));
}
