import { isData } from "../../impact/index/sources.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { matchesName } from "../../project/file-match.ts";
import { toUri } from "../../util/positions.ts";

/** tombi rereads changed schemas during the requests after the notification (docs/facts.md, 35). */
export class UpdatedSchemas {
	readonly #server: LanguageServer;
	#revision = 0;

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	async read(signal?: AbortSignal): Promise<void> {
		const { snapshot, config } = this.#server;
		const { revision } = snapshot;
		const paths = new Set((snapshot.since(this.#revision) ?? []).map(({ path }) => path));
		const schemas = [...paths].filter((path) => isData(path) && !matchesName(config, path));
		const update = (path: string) => this.#server.request("tombi/updateSchema", { uri: toUri(path) }, signal);
		await Promise.all(schemas.map((path) => update(path).catch(() => signal?.throwIfAborted())));
		this.#revision = Math.max(this.#revision, revision);
	}
}
