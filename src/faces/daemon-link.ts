import { LspError } from "../contract/errors.ts";
import { connectDaemon, type DaemonClient, findDaemon } from "../daemon/lifecycle/connect.ts";

const giveUpMs = 5000;

/**
 * The one connection of a face to the daemon, made at the first use, made again when it was lost. After a start that
 * failed nobody tries again for some seconds: every edit would wait for it.
 */
export class DaemonLink {
	#client: Promise<DaemonClient> | undefined;
	#failedAt = 0;
	/** In and below this directory the person has allowed what a repository brings, in the host's own way. */
	trusted: string | undefined;
	#failure: Error | undefined;

	/** Connects in advance; a failure shows at the next use. */
	warm(): void {
		this.get().catch(() => {});
	}

	/** Joins a daemon that is there already; none is started. A session's first edit then finds the connection made. */
	join(): void {
		if (this.#client) return;
		findDaemon().then(
			(client) => {
				if (!client) return;
				if (this.#client) client.close();
				else this.#client = Promise.resolve(client);
			},
			() => {},
		);
	}

	get(): Promise<DaemonClient> {
		if (this.failure) return Promise.reject(this.failure);
		if (this.#client) return this.#client.then((client) => (client.closed ? this.#reconnect(client) : client));
		return this.#connect();
	}

	/** The connection that is there; none is made. */
	async current(): Promise<DaemonClient | undefined> {
		const client = await this.#client?.catch(() => undefined);
		return client?.closed ? undefined : client;
	}

	/** Why the daemon cannot be used, while nobody tries again. */
	get failure(): Error | undefined {
		return this.#failure && Date.now() - this.#failedAt < giveUpMs ? this.#failure : undefined;
	}

	/** Calls a method; once more on a new connection if the daemon went away, for calls that only read. */
	async call<Result>(method: string, params: unknown, signal?: AbortSignal): Promise<Result> {
		try {
			return await (await this.get()).call<Result>(method, this.withTrust(params), signal);
		} catch (error) {
			if (!(error instanceof LspError) || error.code !== "LSP_CONNECTION_LOST" || signal?.aborted) throw error;
			return (await this.get()).call<Result>(method, this.withTrust(params), signal);
		}
	}

	/** What the person has allowed, with every call that names a directory. */
	withTrust(params: unknown): unknown {
		if (this.trusted === undefined || typeof params !== "object" || params === null || !("cwd" in params))
			return params;
		return { ...params, trust: this.trusted };
	}

	/** Sends a notification when the connection is there; never throws. */
	notify(method: string, params: unknown): void {
		this.get().then(
			(client) => client.notify(method, this.withTrust(params)),
			() => {},
		);
	}

	close(): void {
		this.#client?.then(
			(client) => client.close(),
			() => {},
		);
		this.#client = undefined;
	}

	#reconnect(lost: DaemonClient): Promise<DaemonClient> {
		lost.close();
		return this.#connect();
	}

	#connect(): Promise<DaemonClient> {
		const client = connectDaemon();
		this.#client = client;
		this.#failure = undefined;
		client.catch((error: Error) => {
			this.#failure = error;
			this.#failedAt = Date.now();
			if (this.#client === client) this.#client = undefined;
		});
		return client;
	}
}
