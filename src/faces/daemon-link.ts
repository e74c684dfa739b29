import { LspError } from "../contract/errors.ts";
import type { BaselineParams } from "../contract/protocol.ts";
import { logPath, openLog } from "../daemon/lifecycle/address.ts";
import { connectDaemon, type DaemonClient, findDaemon } from "../daemon/lifecycle/connect.ts";
import { Log } from "../util/log.ts";
import { LruMap } from "../util/lru-map.ts";

/** Each edit would wait for another start. */
const giveUpMs = 5000;

const maxAnnounced = 200;

interface Announced {
	readonly baseline: BaselineParams;
	client: DaemonClient | undefined;
}

export class DaemonLink {
	#client: Promise<DaemonClient> | undefined;
	#reached: DaemonClient | undefined;
	readonly #announced = new LruMap<Announced>(maxAnnounced);
	#failure: Error | undefined;
	#failedAt = 0;
	/** The host trusts it and all below. */
	trusted: string | undefined;

	warm(): void {
		this.get().catch(() => {});
	}

	/** Starts no daemon. */
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

	async get(): Promise<DaemonClient> {
		const client = await this.#living();
		this.#reached = client;
		for (const announced of this.#announced.values()) {
			if (announced.client === client) continue;
			announced.client = client;
			client.notify("baseline", this.withTrust(announced.baseline));
		}
		return client;
	}

	#living(): Promise<DaemonClient> {
		if (this.failure) return Promise.reject(this.failure);
		if (!this.#client) return this.#connect();
		return this.#client.then((client) => {
			if (!client.closed) return client;
			client.close();
			return this.#connect();
		});
	}

	/** Makes no connection. */
	async current(): Promise<DaemonClient | undefined> {
		const client = await this.#client?.catch(() => undefined);
		return client?.closed ? undefined : client;
	}

	get failure(): Error | undefined {
		return this.#failure && Date.now() - this.#failedAt < giveUpMs ? this.#failure : undefined;
	}

	async call<Result>(method: string, params: unknown, signal?: AbortSignal): Promise<Result> {
		try {
			return await (await this.get()).call<Result>(method, this.withTrust(params), signal);
		} catch (error) {
			if (!(error instanceof LspError) || error.code !== "LSP_CONNECTION_LOST" || signal?.aborted) throw error;
			return (await this.get()).call<Result>(method, this.withTrust(params), signal);
		}
	}

	withTrust(params: unknown): unknown {
		if (this.trusted === undefined || typeof params !== "object" || params === null || !("cwd" in params))
			return params;
		return { ...params, trust: this.trusted };
	}

	announce(baseline: BaselineParams, isSent = false): void {
		const { session, call, file } = baseline;
		const client = isSent ? this.#reached : undefined;
		this.#announced.set(JSON.stringify([session, call, file]), { baseline, client });
		this.warm();
	}

	endCall(call: string): void {
		for (const [key, { baseline }] of [...this.#announced]) if (baseline.call === call) this.#announced.delete(key);
	}

	close(): void {
		this.#client?.then(
			(client) => client.close(),
			() => {},
		);
		this.#client = undefined;
	}

	#connect(): Promise<DaemonClient> {
		const client = connectDaemon();
		this.#client = client;
		this.#failure = undefined;
		client.catch((error: Error) => {
			this.#failure = error;
			this.#failedAt = Date.now();
			if (process.env.LSP_DEBUG) new Log(logPath(), openLog).write("LSP unavailable", { reason: error.message });
			if (this.#client === client) this.#client = undefined;
		});
		return client;
	}
}
