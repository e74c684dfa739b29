import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import { toUri } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { Recent } from "../util/recent.ts";

/** An answer that carried a resultId: what `unchanged` refers to. */
export interface Result {
	readonly resultId: string;
	readonly items: readonly ProtocolDiagnostic[];
}

interface Kept extends Result {
	readonly opening: number | undefined;
}

const mostKept = 500;

/** By server, so that nothing is left of one that was started again. */
const resultsOf = new WeakMap<LanguageServer, Results>();

/** The last results of one server's providers, by document. */
class Results {
	readonly #server: LanguageServer;
	readonly #kept = new Recent<Kept>(mostKept);

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

export function resultsFrom(server: LanguageServer): Results {
	const results = resultsOf.get(server) ?? new Results(server);
	resultsOf.set(server, results);
	return results;
}

function keyOf(path: string, identifier = ""): string {
	return `${identifier} ${toUri(path)}`;
}
