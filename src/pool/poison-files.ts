import { LspError } from "../contract/errors.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { hashOf } from "../util/hash.ts";
import { LruMap } from "../util/lru-map.ts";
import { anySource, readText } from "../util/read-file.ts";

const maxCrashes = 2;
const markedMs = 5 * 60_000;

interface Suspect {
	/** The hash of the text that the server had when it crashed. */
	readonly hash: string;
	readonly crashes: number;
	/** The server that crashed last. */
	readonly server: WeakRef<object>;
	readonly at: number;
}

/**
 * The files during whose requests a server crashed. After two crashes with one text the file is refused until its text is
 * another, or for five minutes. The server goes on for all other files.
 */
export class PoisonFiles {
	readonly #files = new LruMap<Suspect>(100);

	/** Counts the crash of a server during a request about a file. True if the file is refused from now on. */
	serverCrashed(path: string, server: LanguageServer): boolean {
		const hash = server.wasStopped ? undefined : server.documents.get(path)?.hash;
		return hash !== undefined && this.crashed(path, hash, server);
	}

	/** Concurrent requests report the crash of one server several times; it counts once. */
	crashed(path: string, hash: string, server: object): boolean {
		const known = this.#files.get(path);
		if (known?.hash === hash && known.server.deref() === server) return false;
		const crashes = known?.hash === hash ? known.crashes + 1 : 1;
		this.#files.set(path, { hash, crashes, server: new WeakRef(server), at: Date.now() });
		return crashes >= maxCrashes;
	}

	/** Throws LSP_SERVER_UNAVAILABLE if the file is refused and still has the text of the crashes. */
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
