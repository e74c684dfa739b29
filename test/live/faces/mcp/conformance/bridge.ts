import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Gate } from "../../../../../src/faces/mcp/http-gate.ts";

/**
 * The official suite speaks HTTP alone. This program passes its messages to servers on standard streams, and theirs
 * to it: `bridge.ts PROGRAM ARGS…`. Hosts, headers and statuses are its own, and prove nothing about the product.
 */

interface Message {
	readonly id?: unknown;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> };
	readonly error?: { readonly code: number };
}

interface Asked {
	readonly id: unknown;
	readonly method: string | undefined;
	readonly progressToken: unknown;
	send(message: Message, isLast: boolean): void;
}

const modern = "2026-07-28";
const versionKey = "io.modelcontextprotocol/protocolVersion";
const envelope = { [versionKey]: modern, "io.modelcontextprotocol/clientCapabilities": {} };

/** Of the errors for which the newest revision has one; the others come with 200. */
const statuses: Readonly<Record<number, number>> = {
	[-32020]: 400,
	[-32021]: 400,
	[-32022]: 400,
	[-32600]: 400,
	[-32601]: 404,
	[-32602]: 400,
};

/** One server. Requests of several clients may have the same id, so each gets another one for the server. */
class ServerOnStreams {
	readonly #child: ChildProcessByStdio<Writable, Readable, null>;
	readonly #asked = new Map<unknown, Asked>();
	#next = 1;
	/** Receives messages that belong to no request in flight. */
	other: (message: Message) => void = () => {};

	constructor([program = "", ...args]: readonly string[]) {
		this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
		createInterface({ input: this.#child.stdout }).on("line", (line) => this.#heard(JSON.parse(line) as Message));
	}

	/** Calls `send` with all messages of the request. The result cancels it. */
	ask(message: Message, send: Asked["send"]): () => void {
		const id = this.#next++;
		const { method, params } = message;
		this.#asked.set(id, { id: message.id, method, progressToken: params?._meta?.progressToken, send });
		this.tell({ ...message, id });
		return () => {
			if (!this.#asked.delete(id)) return;
			this.tell({ method: "notifications/cancelled", params: { requestId: id } });
		};
	}

	/** For a notification, or an answer to the server. */
	tell(message: Message): void {
		this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	}

	end(): void {
		this.#child.kill();
	}

	#heard(message: Message): void {
		const own = message.method === undefined ? this.#asked.get(message.id) : undefined;
		if (own) {
			this.#asked.delete(message.id);
			own.send({ ...message, id: own.id }, true);
			return;
		}
		const about = this.#about(message);
		if (about) about.send(message, false);
		else this.other(message);
	}

	/** Only progress and what is subscribed to names its request: all else is of the newest one. */
	#about({ params }: Message): Asked | undefined {
		const subscription = params?._meta?.["io.modelcontextprotocol/subscriptionId"];
		if (subscription !== undefined) return this.#asked.get(subscription);
		const open = [...this.#asked.values()].filter(({ method }) => method !== "subscriptions/listen");
		const token = params?.progressToken;
		return token === undefined ? open.at(-1) : open.find(({ progressToken }) => progressToken === token);
	}
}

const command = process.argv.slice(2);
const gate = new Gate({ address: "127.0.0.1", scheme: "http", token: undefined, hosts: [] });
const sessions = new Map<string, ServerOnStreams>();
let shared: ServerOnStreams | undefined;

/** The first message selects the revision of a connection, so it must not be one that the suite malforms on purpose. */
function stateless(): ServerOnStreams {
	if (shared) return shared;
	shared = new ServerOnStreams(command);
	shared.ask({ id: 0, method: "tools/list", params: { _meta: envelope } }, () => {});
	return shared;
}

function json(response: ServerResponse, status: number, value: object): void {
	response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

function event(response: ServerResponse, message: Message): void {
	if (!response.headersSent) response.writeHead(200, { "Content-Type": "text/event-stream" });
	response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

function post(response: ServerResponse, server: ServerOnStreams, message: Message, isStateless: boolean): void {
	if (message.id === undefined || message.method === undefined) {
		server.tell(message);
		return void response.writeHead(202).end();
	}
	const cancel = server.ask(message, (heard, isLast) => {
		if (!isLast) return event(response, heard);
		if (!response.headersSent) return json(response, (isStateless && statuses[heard.error?.code ?? 0]) || 200, heard);
		event(response, heard);
		response.end();
	});
	// Older revisions cancel by a notification.
	if (isStateless) response.once("close", cancel);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { headers, method } = request;
	const refused = gate.refusedHost(headers);
	if (refused) return json(response, refused.status, { error: refused.error });
	const message = (method === "POST" ? JSON.parse(await text(request)) : {}) as Message;
	const [named, claimed] = [headers["mcp-protocol-version"], message.params?._meta?.[versionKey]];
	if (named === modern || claimed !== undefined) {
		if (claimed === undefined || claimed === named) return post(response, stateless(), message, true);
		const error = { code: -32020, message: "The header names another version than the body." };
		return json(response, 400, { jsonrpc: "2.0", id: message.id, error });
	}
	const given = headers["mcp-session-id"];
	const id = typeof given === "string" ? given : randomUUID();
	const session = sessions.get(id);
	if (!session && (given !== undefined || message.method !== "initialize"))
		return json(response, 404, { error: "There is no such session." });
	const server = session ?? new ServerOnStreams(command);
	sessions.set(id, server);
	response.setHeader("Mcp-Session-Id", id);
	if (method === "POST") return post(response, server, message, false);
	if (method === "GET") {
		response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
		server.other = (heard) => event(response, heard);
		return;
	}
	sessions.delete(id);
	server.end();
	response.writeHead(200).end();
}

const http = createServer((request, response) => void answer(request, response));
http.listen(0, "127.0.0.1", () => {
	process.stderr.write(`listening on http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp\n`);
});
process.once("SIGTERM", () => {
	for (const server of [...sessions.values(), ...(shared ? [shared] : [])]) server.end();
	http.close();
	http.closeAllConnections();
});
