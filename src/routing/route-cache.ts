import type { CallerConfig } from "../config/caller-config.ts";
import { readSettings, type Settings } from "../config/read-settings.ts";
import { disabled } from "../contract/errors.ts";
import type { EnvironmentSummary } from "../contract/protocol.ts";
import { Directories } from "../project/directories.ts";
import type { DiskNow, FileDependencies } from "../project/file-dependencies.ts";
import { isRemote, type Listing, listingNow, localRealPath, stampNow } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";
import { TurnCache } from "../util/time-slices.ts";
import { type Keep, type Located, locate } from "./locate.ts";
import { RemoteServers } from "./remote-servers.ts";

export interface CallerIdentity {
	readonly cwd: string;
	readonly trust?: boolean | string | undefined;
	readonly sandbox?: string | undefined;
	readonly environment?: EnvironmentSummary | undefined;
	readonly config?: CallerConfig | undefined;
}

export interface LocatedFor {
	readonly settings: Settings;
	readonly located: Located;
}

interface Cached<Value> {
	readonly value: Value;
	readonly dependencies: FileDependencies;
}

/** Calls of one turn of the event loop share a validation: those sent after a change arrive in a later turn. */
export class RouteCache {
	readonly #settings = new LruMap<Cached<Settings>>(100);
	readonly #routes = new WeakMap<Settings, LruMap<Cached<unknown>>>();
	readonly #env: NodeJS.ProcessEnv;
	readonly #turns = new TurnCache<Turn>();
	readonly #remoteServers = new RemoteServers();

	constructor(env: NodeJS.ProcessEnv = process.env) {
		this.#env = env;
	}

	settings(caller: CallerIdentity): Promise<Settings> {
		const { settings } = this.#turn;
		const key = cacheKey(caller);
		const read = (directories: Directories) => this.#readSettings(caller, directories);
		const shared = settings.get(key) ?? this.#cached(this.#settings, key, read);
		settings.set(key, shared);
		return shared;
	}

	/** Rejects like `locate`, and with LSP_DISABLED. */
	async locate(
		file: string,
		caller: CallerIdentity,
		options: { readonly mayBeMissing?: boolean } = {},
	): Promise<LocatedFor> {
		const settings = await this.settings(caller);
		if (!settings.enabled) throw disabled();
		const routes = this.#routes.get(settings) ?? new LruMap<Cached<unknown>>(maxRoutes);
		this.#routes.set(settings, routes);
		const keep: Keep = (about, find) => this.#cached(routes, about, find);
		return { settings, located: await locate(file, settings, { ...options, keep }) };
	}

	connect(workspace: string, id: string, address: string | undefined): boolean {
		if (!this.#remoteServers.set(workspace, id, address)) return false;
		for (const cache of [this.#settings, this.#turn.settings]) cache.clear();
		return true;
	}

	async #readSettings(caller: CallerIdentity, directories: Directories): Promise<Settings> {
		const { cwd, ...by } = caller;
		const settings = await readSettings(cwd, { env: this.#env, ...by }, directories);
		return { ...settings, servers: this.#remoteServers.applyTo(settings.workspace, settings.servers) };
	}

	async #cached<Value>(
		cache: LruMap<Cached<unknown>>,
		key: string,
		compute: (directories: Directories) => Promise<Value>,
	): Promise<Value> {
		const known = cache.get(key);
		if (known && (await known.dependencies.isSame(this.#turn))) return known.value as Value;
		const directories = new Directories();
		const { changes } = this.#remoteServers;
		const value = await compute(directories);
		if (changes === this.#remoteServers.changes) cache.set(key, { value, dependencies: directories.dependencies });
		return value;
	}

	get #turn(): Turn {
		return this.#turns.get("", () => new Turn());
	}
}

function cacheKey({ cwd, trust, sandbox, environment, config }: CallerIdentity): string {
	return JSON.stringify([cwd, trust, sandbox, environment, config]);
}

const maxRoutes = 5000;

class Turn implements DiskNow {
	readonly settings = new Map<string, Promise<Settings>>();
	readonly #stamps = new Map<string, string | undefined>();
	readonly #real = new Map<string, string | undefined>();
	readonly #listings = new Map<string, Listing | undefined>();

	stamp(path: string): string | undefined {
		if (!this.#stamps.has(path)) this.#stamps.set(path, stampNow(path));
		return this.#stamps.get(path);
	}

	real(path: string): string | undefined {
		if (!this.#real.has(path)) this.#real.set(path, isRemote(path) ? "unknown" : localRealPath(path));
		return this.#real.get(path);
	}

	listing(directory: string): Listing | undefined {
		if (!this.#listings.has(directory)) this.#listings.set(directory, listingNow(directory));
		return this.#listings.get(directory);
	}
}
