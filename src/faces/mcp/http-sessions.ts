import { randomUUID } from "node:crypto";
import {
	isInitializeRequest,
	type Server,
	WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { ErrorCodes } from "vscode-jsonrpc/node";
import { refusal } from "../../jsonrpc/refusals.ts";
import { maxBodyBytes } from "./http-body.ts";

const maxSessions = 1000;
const idleMs = 30 * 60_000;
const sweepMs = 60_000;

interface Session {
	readonly server: Server;
	readonly transport: WebStandardStreamableHTTPServerTransport;
	active: number;
	usedAt: number;
}

export class HttpSessions {
	readonly #serverFor: () => Server;
	readonly #keepAliveMs: number;
	readonly #open = new Map<string, Session>();
	readonly #sweep = setInterval(() => this.#endIdle(idleMs), sweepMs).unref();

	constructor(serverFor: () => Server, keepAliveMs: number) {
		this.#serverFor = serverFor;
		this.#keepAliveMs = keepAliveMs;
	}

	/** `ended`: the answer was sent, or the reader has gone. */
	async handle(request: Request, parsedBody: unknown, ended: Promise<void>): Promise<Response> {
		const id = request.headers.get("mcp-session-id");
		const session = id === null ? undefined : this.#open.get(id);
		if (id !== null && !session) return refused(404, "There is no such session.");
		if (!session && request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
		if (!session && !isInitializeRequest(parsedBody)) return refused(400, "A session begins with initialize.");
		const { transport } = this.#use(session ?? (await this.#begin()), ended);
		return transport.handleRequest(request, { parsedBody });
	}

	async close(): Promise<void> {
		clearInterval(this.#sweep);
		await Promise.all([...this.#open.values()].map(({ server }) => server.close()));
	}

	#use(session: Session, ended: Promise<void>): Session {
		session.active++;
		void ended.then(() => {
			session.active--;
			session.usedAt = Date.now();
			if (session.transport.sessionId === undefined) void session.server.close();
		});
		return session;
	}

	async #begin(): Promise<Session> {
		if (this.#open.size >= maxSessions) this.#endIdle(0, 1);
		const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: (id) => void this.#open.set(id, session),
			maxRequestBodySize: maxBodyBytes,
			keepAliveMs: this.#keepAliveMs,
		});
		const server = this.#serverFor();
		const session: Session = { server, transport, active: 0, usedAt: Date.now() };
		const { onclose } = server;
		server.onclose = () => {
			this.#open.delete(transport.sessionId ?? "");
			onclose?.();
		};
		await server.connect(transport);
		return session;
	}

	#endIdle(forMs: number, most = maxSessions): void {
		const idle = [...this.#open.values()].filter(({ active, usedAt }) => active === 0 && Date.now() - usedAt >= forMs);
		for (const { server } of idle.sort((a, b) => a.usedAt - b.usedAt).slice(0, most)) void server.close();
	}
}

function refused(status: number, message: string): Response {
	return Response.json(refusal(null, ErrorCodes.InvalidRequest, message), { status });
}
