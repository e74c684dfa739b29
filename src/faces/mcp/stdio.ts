import {
	type JSONRPCMessage,
	type McpRequestContext,
	PROTOCOL_VERSION_META_KEY,
	parseJSONRPCMessage,
	type Server,
	SUBSCRIPTION_ID_META_KEY,
	type SubscriptionFilter,
	type Transport,
	UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LineSplitter } from "../../jsonrpc/line-splitter.ts";
import { refusedAsNoJson, refusedAsNoMessage, refusedAsTooLong } from "../../jsonrpc/refusals.ts";
import { attempt } from "../../util/attempt.ts";

const statelessRevisions = ["2026-07-28"];
const maxLineBytes = 16 * 1024 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Only messages show the SDK's subscriptions. */
interface Listening {
	listen(id: unknown, filter: SubscriptionFilter): void;
	unlisten(id: unknown): void;
}

export async function serveStandardStreams(
	serverFor: (context: Pick<McpRequestContext, "era">) => Server,
	listening: () => Listening | undefined,
): Promise<void> {
	const { close } = serveStdio(serverFor, { transport: new StdioTransport(listening) });
	await new Promise<void>((end) => {
		const ended = () => end();
		// StdioTransport does not report these.
		process.stdin.once("end", ended).once("close", ended);
		process.stdout.on("error", ended);
		process.once("SIGINT", ended).once("SIGTERM", ended);
	});
	await close();
}

/** Answers an invalid line with an error; the SDK's ends at a message of 10 MB. */
class StdioTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: (message: JSONRPCMessage) => void;
	readonly #lines = new LineSplitter(maxLineBytes, {
		line: (bytes) => this.#line(bytes),
		tooLong: (head, tail) => this.#write(refusedAsTooLong(head, tail, maxLineBytes)),
	});
	readonly #onData = (chunk: Buffer) => this.#lines.feed(chunk);
	readonly #onError = (error: Error) => this.onerror?.(error);

	readonly #listening: () => Listening | undefined;

	constructor(listening: () => Listening | undefined) {
		this.#listening = listening;
	}

	async start(): Promise<void> {
		process.stdin.on("data", this.#onData).on("error", this.#onError);
	}

	async send(message: JSONRPCMessage): Promise<void> {
		const { method, params } = message as SubscriptionMessage;
		if (method === "notifications/subscriptions/acknowledged")
			this.#listening()?.listen(params?._meta?.[SUBSCRIPTION_ID_META_KEY], params?.notifications ?? {});
		await this.#write(message);
	}

	async close(): Promise<void> {
		process.stdin.off("data", this.#onData).off("error", this.#onError).pause();
		this.#lines.forget();
		this.onclose?.();
	}

	#line(bytes: Buffer): void {
		let value: unknown;
		try {
			value = JSON.parse(utf8.decode(bytes));
		} catch {
			return void this.#write(refusedAsNoJson());
		}
		const message = messageOf(value);
		const { method, params } = (message ?? {}) as SubscriptionMessage;
		if (method === "notifications/cancelled") this.#listening()?.unlisten(params?.requestId);
		if (!message) return void this.#write(refusedAsNoMessage(value));
		const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
		// The SDK reads the revision of the first request only.
		if ("id" in message && typeof requested === "string" && !statelessRevisions.includes(requested)) {
			const {
				code,
				message: words,
				data,
			} = new UnsupportedProtocolVersionError({ supported: statelessRevisions, requested });
			return void this.#write({ jsonrpc: "2.0", id: message.id, error: { code, message: words, data } });
		}
		this.onmessage?.(message);
	}

	#write(message: object): Promise<void> {
		return new Promise((resolve) => {
			if (process.stdout.write(`${JSON.stringify(message)}\n`)) resolve();
			else process.stdout.once("drain", resolve);
		});
	}
}

interface SubscriptionMessage {
	readonly method?: string;
	readonly params?: {
		readonly requestId?: unknown;
		readonly notifications?: SubscriptionFilter;
		readonly _meta?: Readonly<Record<string, unknown>>;
	};
}

function messageOf(value: unknown): JSONRPCMessage | undefined {
	return attempt(() => parseJSONRPCMessage(value));
}
