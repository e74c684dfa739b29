import { LspError } from "../contract/errors.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { hashOf } from "../util/hash.ts";
import { LruMap } from "../util/lru-map.ts";
import { anySource, readText } from "../util/read-file.ts";

const maxCrashes = 2;
const markedMs = 5 * 60_000;

interface Suspect {
	readonly hash: string;
	readonly crashes: number;
	readonly server: WeakRef<object>;
	readonly at: number;
}

/** After two crashes with one text the file is refused with it, at most for five minutes. */
export class CrashFiles {
	readonly #files = new LruMap<Suspect>(100);

	serverCrashed(path: string, server: LanguageServer): boolean {
		const hash = server.wasStopped ? undefined : server.documents.get(path)?.hash;
		return hash !== undefined && this.crashed(path, hash, server);
	}

	/** A crash counts once, though each concurrent request reports it. */
	crashed(path: string, hash: string, server: object): boolean {
		const known = this.#files.get(path);
		if (known?.hash === hash && known.server.deref() === server) return false;
		const crashes = known?.hash === hash ? known.crashes + 1 : 1;
		this.#files.set(path, { hash, crashes, server: new WeakRef(server), at: Date.now() });
		return crashes >= maxCrashes;
	}

	/** Rejects with LSP_SERVER_UNAVAILABLE. */
	async refuse(id: string, path: string, hashNow = hashOnDisk): Promise<void> {
		const suspect = this.#files.get(path);
		if (!suspect || suspect.crashes < maxCrashes) return;
		if (Date.now() - suspect.at > markedMs || (await hashNow(path)) !== suspect.hash) {
			this.#files.delete(path);
			return;
		}
		throw new LspError("LSP_SERVER_UNAVAILABLE", `${id} crashed ${suspect.crashes} times on the text of this file.`, {
			language: id,
			file: path,
			suggestion: "Change the file, or use {{restart}} to try again now.",
		});
	}

	clear(): void {
		this.#files.clear();
	}
}

async function hashOnDisk(path: string): Promise<string | undefined> {
	const text = await readText(path, anySource);
	return text === undefined ? undefined : hashOf(text);
}
