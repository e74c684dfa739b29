import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { pathToFileURL } from "node:url";

export interface Call {
	readonly name: string;
	readonly arguments: object;
}

interface Message {
	readonly id?: unknown;
	readonly method?: string;
	readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
	readonly error?: { readonly message: string };
}

interface Answered {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly message: Message | undefined;
}

const clientInfo = { name: "bench", version: "1" };
const [newest, older] = ["2026-07-28", "2025-11-25"];
const envelope = {
	"io.modelcontextprotocol/protocolVersion": newest,
	"io.modelcontextprotocol/clientInfo": clientInfo,
	"io.modelcontextprotocol/clientCapabilities": {},
};

/**
 * A client over one kept connection, with only the necessary part of the protocol: an official client would use more
 * processor time than the server.
 */
export class HttpClient {
	readonly #url: URL;
	readonly #headers: Readonly<Record<string, string>>;
	/** Of a client of the older revisions; undefined for the newest, which has no session. */
	readonly #root: string | undefined;
	readonly #agent = new Agent({ keepAlive: true });
	#session: string | undefined;
	#next = 1;

	constructor(url: URL, token: string, root?: string) {
		this.#url = url;
		this.#root = root;
		this.#headers = {
			Authorization: `Bearer ${token}`,
			"Content-Type": "application/json",
			Accept: "application/json, text/event-stream",
		};
	}

	async open(): Promise<void> {
		if (this.#root === undefined) return;
		const params = { protocolVersion: older, capabilities: { roots: {} }, clientInfo };
		const { headers } = await this.#post({ id: this.#next++, method: "initialize", params });
		this.#session = String(headers["mcp-session-id"]);
		await this.#post({ method: "notifications/initialized" });
	}

	/** The text for the model. Rejects for any other answer than a result. */
	async call(call: Call): Promise<string> {
		const id = this.#next++;
		const params = this.#root === undefined ? { ...call, _meta: envelope } : call;
		const headers = this.#root === undefined ? { "Mcp-Method": "tools/call", "Mcp-Name": call.name } : {};
		const { status, message } = await this.#post({ id, method: "tools/call", params }, headers);
		if (message?.id !== id || !message.result || message.result.isError)
			throw new Error(`${status}: ${JSON.stringify(message).slice(0, 200)}`);
		return message.result.content?.map(({ text = "" }) => text).join("\n") ?? "";
	}

	/** Resolves to true if an ended session is still answered. */
	async close(): Promise<boolean> {
		if (this.#session === undefined) {
			this.#agent.destroy();
			return false;
		}
		await this.#send("DELETE", undefined, {});
		const { status } = await this.#post({ id: this.#next++, method: "ping" });
		this.#agent.destroy();
		return status !== 404;
	}

	#post(message: object, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
		return this.#send("POST", JSON.stringify({ jsonrpc: "2.0", ...message }), headers);
	}

	#send(method: string, body: string | undefined, more: Readonly<Record<string, string>>): Promise<Answered> {
		const version = this.#root === undefined ? newest : older;
		const session = this.#session === undefined ? {} : { "Mcp-Session-Id": this.#session };
		const headers = { ...this.#headers, "MCP-Protocol-Version": version, ...session, ...more };
		return new Promise((resolve, reject) => {
			const sent = request(this.#url, { method, headers, agent: this.#agent }, (answer) => {
				let text = "";
				let last: Message | undefined;
				const isStream = answer.headers["content-type"] === "text/event-stream";
				answer.setEncoding("utf8").on("data", (piece: string) => {
					text += piece;
					if (!isStream) return;
					const events = text.split("\n\n");
					text = events.pop() ?? "";
					for (const event of events) last = this.#receive(event) ?? last;
				});
				answer.once("error", reject);
				answer.once("end", () => {
					const message = isStream ? last : text.startsWith("{") ? (JSON.parse(text) as Message) : undefined;
					resolve({ status: answer.statusCode ?? 0, headers: answer.headers, message });
				});
			});
			sent.once("error", reject).end(body);
		});
	}

	/** The message of an event; the server's request for the roots is answered instead. */
	#receive(event: string): Message | undefined {
		const data = /^data: (.*)$/m.exec(event)?.[1];
		if (data === undefined) return undefined;
		const message = JSON.parse(data) as Message;
		if (message.method === undefined) return message;
		if (message.method === "roots/list" && this.#root !== undefined) {
			const roots = [{ uri: pathToFileURL(this.#root).href }];
			// The calls fail then too.
			this.#post({ id: message.id, result: { roots } }).catch(() => {});
		}
		return undefined;
	}
}
