import { familyOf } from "../impact/index/sources.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { LruMap } from "../util/lru-map.ts";
import type { DocumentSymbolEntry } from "./document-symbols.ts";

type Tree = readonly DocumentSymbolEntry[];

const maxTrees = 300;
const maxCharacters = 256 * 1024;

export class SymbolTrees {
	readonly #server: LanguageServer;
	readonly #kept = new LruMap<{ readonly hash: string; readonly languageId: string; readonly tree: Tree }>(maxTrees);

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	known({ path, hash, languageId }: OpenDocument): Tree | undefined {
		const kept = this.#kept.get(path);
		return kept?.hash === hash && kept.languageId === languageId ? kept.tree : undefined;
	}

	/** A server that reads the project may list less. */
	keep({ path, hash, languageId, text }: OpenDocument, tree: Tree): void {
		const isPremature = tree.length === 0 || this.#server.readiness.busy !== undefined;
		// Preprocessed texts depend on included files.
		if (isPremature || text.length > maxCharacters || familyOf(path) === "c") return;
		this.#kept.set(path, { hash, languageId, tree });
	}
}
