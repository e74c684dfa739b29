import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { realPathNow } from "../../util/files.ts";
import { maxSourceBytes, readHead } from "../../util/read-file.ts";
import { ownDirectory } from "../../util/xdg.ts";
import type { FileChange } from "../../writer/change.ts";
import { Changes } from "../../writer/changes.ts";
import type { Part, Setting } from "./host.ts";

/** A file that `pi-lsp init` has written, as it was and as it became. */
export interface LedgerFile {
	readonly host: string;
	/** As the host names it: it may be a link. */
	readonly path: string;
	readonly parts: readonly Part[];
	/** The project that it belongs to; null for the person's own. */
	readonly project: string | null;
	/** Null if there was none. Only this user can read the ledger. */
	readonly before: string | null;
	readonly after: string;
	/** Directories that were made for it. */
	readonly made: readonly string[];
}

type Env = Setting["env"];

/** What was written for which host. It changes together with the files, or not at all. */
export class Ledger {
	readonly #directory: string;

	constructor(env: Env) {
		const state = ownDirectory("XDG_STATE_HOME", env);
		this.#directory = join(realPathNow(state) ?? state, "agents");
	}

	get #file(): string {
		return join(this.#directory, "ledger.json");
	}

	async read(): Promise<readonly LedgerFile[]> {
		const bytes = await this.#bytes();
		return bytes ? ((JSON.parse(bytes.toString("utf8")) as { readonly files: readonly LedgerFile[] }).files ?? []) : [];
	}

	/** Writes the files of one host, and `kept` instead of what the ledger said of it. Rejects like `Changes.write`. */
	async write(host: string, change: HostChange, kept: readonly LedgerFile[]): Promise<void> {
		const before = await this.#bytes();
		const others = (await this.read()).filter((file) => file.host !== host);
		const files = [...others, ...kept];
		const text = `${JSON.stringify({ files }, null, "\t")}\n`;
		const after = files.length > 0 ? Buffer.from(text) : undefined;
		const own = before || after ? [{ path: this.#file, before, after, mode: 0o600 }] : [];
		const root = dirname(this.#directory);
		await new Changes(this.#directory).write(
			{ title: `set up ${host}`, root, moves: [], files: [...change.files, ...own], emptied: change.emptied },
			host,
		);
		// What took a half-written change back has the texts of all files too.
		if (!after) await rm(this.#directory, { recursive: true, force: true });
	}

	async #bytes(): Promise<Buffer | undefined> {
		if (!existsSync(this.#file)) return undefined;
		const found = await readHead(this.#file, maxSourceBytes);
		if (typeof found === "string") throw new Error(`${this.#file}: ${found}`);
		return found;
	}
}

export interface HostChange {
	readonly files: readonly FileChange[];
	readonly emptied: readonly string[];
}
