import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../../lsp/server.ts";
import { LruMap } from "../../util/lru-map.ts";
import { toUri } from "../../util/positions.ts";

/** An answer that carried a resultId: what `unchanged` refers to. */
export interface Result {
	readonly resultId: string;
	readonly items: readonly ProtocolDiagnostic[];
}

interface Kept extends Result {
	readonly opening: number | undefined;
}

const maxKept = 500;

/** The last results of one server's providers, by document. */
export class Results {
	readonly #server: LanguageServer;
	readonly #kept = new LruMap<Kept>(maxKept);

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	/** The last result, unless the document was closed or opened since: a server may then have forgotten it. */
	last(path: string, identifier: string | undefined): Result | undefined {
		const kept = this.#kept.get(keyOf(path, identifier));
		return kept && kept.opening === this.#server.documents.opening(path) ? kept : undefined;
	}

	/** Keeps a result in place of the one before; without a resultId there is nothing that could be referred to. */
	keep(path: string, identifier: string | undefined, items: readonly ProtocolDiagnostic[], resultId?: string): void {
		const key = keyOf(path, identifier);
		if (resultId === undefined) this.#kept.delete(key);
		else this.#kept.set(key, { resultId, items, opening: this.#server.documents.opening(path) });
	}
}

function keyOf(path: string, identifier = ""): string {
	return `${identifier} ${toUri(path)}`;
}
