import { LspError } from "../contract/errors.ts";
import { LruMap } from "../util/lru-map.ts";

const maxCrashes = 2;
const markedMs = 5 * 60_000;

interface Suspect {
	/** The hash of the text that the server had of the file when it crashed. */
	readonly hash: string;
	readonly crashes: number;
	/** The server that crashed last; it is not kept for that. */
	readonly by: WeakRef<object>;
	readonly at: number;
}

/**
 * The files during whose questions a server crashed. Two crashes with one text mark that text: it is not asked about
 * again before it is another, or five minutes have passed, and the server goes on for all other files.
 */
export class PoisonFiles {
	readonly #files = new LruMap<Suspect>(100);

	/** Counts the crash of a server, once however many were asking it; true if the file is marked by it. */
	crashed(path: string, hash: string, by: object): boolean {
		const known = this.#files.get(path);
		if (known?.hash === hash && known.by.deref() === by) return false;
		const crashes = known?.hash === hash ? known.crashes + 1 : 1;
		this.#files.set(path, { hash, crashes, by: new WeakRef(by), at: Date.now() });
		return crashes >= maxCrashes;
	}

	/** True if a server has crashed on the file, marked or not. */
	knows(path: string): boolean {
		return this.#files.get(path) !== undefined;
	}

	/** Throws LSP_SERVER_UNAVAILABLE if the file is marked and still has that text, which `hashNow` tells. */
	async refuse(id: string, path: string, hashNow: (path: string) => Promise<string | undefined>): Promise<void> {
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
