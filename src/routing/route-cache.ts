import type { CallerConfig } from "../config/caller-config.ts";
import { readSettings, type Settings } from "../config/read-settings.ts";
import { disabled } from "../contract/errors.ts";
import { Directories } from "../project/directories.ts";
import type { DiskNow, FileDependencies } from "../project/file-dependencies.ts";
import { realPathNow, stampNow } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";
import { inspect, type Located, locate } from "./locate.ts";
import { Connections } from "./remote-servers.ts";

/** A caller, as far as its settings depend on it. */
export interface Caller {
	readonly cwd: string;
	readonly trust?: boolean | string | undefined;
	readonly sandbox?: string | undefined;
	/** What it was started with. */
	readonly config?: CallerConfig | undefined;
}

/** A file for a caller, with the settings by which its servers were chosen. */
export interface LocatedFor {
	readonly settings: Settings;
	readonly located: Located;
}

interface Known<Value> {
	readonly value: Value;
	readonly looked: FileDependencies;
}

/**
 * The settings of callers, and where files are and which servers answer for them. To find that out takes some twenty
 * looks at the disk and half a millisecond, as long as a server takes for its answer; so what was found is kept with all
 * that was looked at, and holds while none of that has changed.
 *
 * Calls of one turn of the event loop share a look: a crowd of callers has the same directories. What was changed before a
 * call was sent is seen: a call that comes later is heard in a later turn.
 */
export class RouteCache {
	readonly #settings = new LruMap<Known<Settings>>(100);
	readonly #files = new LruMap<Known<LocatedFor>>(1000);
	readonly #env: NodeJS.ProcessEnv;
	/** What was found in this turn. */
	readonly #turn = new Map<string, Promise<unknown>>();
	readonly #disk = new DiskOfTurn();
	readonly #connections = new Connections();

	constructor(env: NodeJS.ProcessEnv = process.env) {
		this.#env = env;
	}

	/** The settings for a caller. */
	settings(caller: Caller): Promise<Settings> {
		return this.#once(keyOf(caller), async (key) => {
			const known = this.#settings.get(key);
			if (known?.looked.isSame(this.#disk)) return known.value;
			const directories = new Directories();
			const { changes } = this.#connections;
			const value = await this.#readSettings(caller, directories);
			if (changes === this.#connections.changes) this.#settings.set(key, { value, looked: directories.looked });
			return value;
		});
	}

	/** A file for a caller. Rejects as `locate`, and with LSP_DISABLED where everything is switched off. */
	locate(
		file: string,
		caller: Caller,
		{ mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
	): Promise<LocatedFor> {
		return this.#once(keyOf(caller, file, mayBeMissing), async (key) => {
			const known = this.#files.get(key);
			if (known?.looked.isSame(this.#disk)) {
				const { settings, located } = known.value;
				// An edit moves what the file itself looks like, and nothing else.
				const missing = !(await inspect(located, settings, mayBeMissing));
				return { settings, located: { ...located, missing } };
			}
			const directories = new Directories();
			const { changes } = this.#connections;
			const settings = await this.#readSettings(caller, directories);
			if (!settings.enabled) throw disabled();
			const value = { settings, located: await locate(file, caller.cwd, settings, { mayBeMissing, directories }) };
			if (changes === this.#connections.changes) this.#files.set(key, { value, looked: directories.looked });
			return value;
		});
	}

	/** See `Connections.set`: what was found so far is found anew. */
	connect(workspace: string, id: string, address: string | undefined): boolean {
		if (!this.#connections.set(workspace, id, address)) return false;
		for (const known of [this.#settings, this.#files, this.#turn]) known.clear();
		return true;
	}

	async #readSettings(caller: Caller, directories: Directories): Promise<Settings> {
		const { cwd, trust, sandbox, config } = caller;
		const settings = await readSettings(cwd, { env: this.#env, trust, sandbox, config }, directories);
		return { ...settings, servers: this.#connections.over(settings.workspace, settings.servers) };
	}

	#once<Value>(key: string, find: (key: string) => Promise<Value>): Promise<Value> {
		const shared = (this.#turn.get(key) as Promise<Value> | undefined) ?? find(key);
		if (this.#turn.size === 0)
			setImmediate(() => {
				this.#turn.clear();
				this.#disk.forget();
			});
		this.#turn.set(key, shared);
		return shared;
	}
}

function keyOf({ cwd, trust, sandbox, config }: Caller, ...more: unknown[]): string {
	return JSON.stringify([cwd, trust, sandbox, config, ...more]);
}

/** What the disk says, each thing asked once a turn. */
class DiskOfTurn implements DiskNow {
	readonly #stamps = new Map<string, string | undefined>();
	readonly #real = new Map<string, string | undefined>();

	stamp(path: string): string | undefined {
		if (!this.#stamps.has(path)) this.#stamps.set(path, stampNow(path));
		return this.#stamps.get(path);
	}

	real(path: string): string | undefined {
		if (!this.#real.has(path)) this.#real.set(path, realPathNow(path));
		return this.#real.get(path);
	}

	forget(): void {
		this.#stamps.clear();
		this.#real.clear();
	}
}
