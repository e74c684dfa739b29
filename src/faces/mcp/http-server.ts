import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, isIP } from "node:net";
import {
	createMcpHandler,
	InMemoryServerEventBus,
	isLegacyRequest,
	type Server,
	type ServerEventBus,
	type SubscriptionFilter,
} from "@modelcontextprotocol/server";
import { printAside } from "../cli/print.ts";
import { bodyOf, maxBodyBytes } from "./http-body.ts";
import { Gate, type Refusal } from "./http-gate.ts";
import type { HttpOptions } from "./http-options.ts";
import { HttpSessions } from "./http-sessions.ts";

/** In ms; calls have none here. */
export interface HttpLimits {
	/** Of a request's headers, from its or the connection's beginning. */
	readonly headers: number;
	readonly request: number;
	/** Until a client reads the next piece. */
	readonly write: number;
	readonly idle: number;
	/** For calls that run when a signal comes. */
	readonly drain: number;
}

export const httpLimits: HttpLimits = { headers: 10_000, request: 30_000, write: 60_000, idle: 120_000, drain: 5000 };
const keepAliveMs = 15_000;
const headersMs = 1000;
const maxConnections = 1000;
const paths: ReadonlySet<string> = new Set(["/", "/mcp"]);

interface Listening {
	readonly bus?: ServerEventBus;
	/** At each stream of notifications; `ended` resolves with it. */
	readonly listens?: (filter: SubscriptionFilter, ended: Promise<void>) => void;
	readonly limits?: HttpLimits;
}

export async function serveHttp(
	serverFor: (stateless: boolean) => Server,
	http: HttpOptions,
	{ bus = new InMemoryServerEventBus(), listens = () => {}, limits = httpLimits }: Listening = {},
): Promise<void> {
	const scheme = http.tls ? "https" : "http";
	const gate = new Gate({ ...http, scheme });
	const modern = createMcpHandler(() => serverFor(true), {
		legacy: "reject",
		keepAliveMs,
		maxRequestBodySize: maxBodyBytes,
		bus,
	});
	const sessions = new HttpSessions(() => serverFor(false), keepAliveMs);
	const pending = new Set<Promise<void>>();

	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		response.setHeader("X-Content-Type-Options", "nosniff").setHeader("Cache-Control", "no-store");
		const { headers, method = "GET" } = request;
		const [pathname = ""] = (request.url ?? "").split("?");
		const hosts = request.headersDistinct.host ?? [];
		const host = hosts.length > 1 ? { status: 400, error: "more than one host" } : gate.refusedHost(headers);
		if (host) return refuse(response, host);
		if (pathname === "/health" && method === "GET") return sendJson(response, 200, { status: "ok" });
		const token = gate.refusedToken(headers);
		if (token) return refuse(response.setHeader("WWW-Authenticate", "Bearer"), token);
		if (!paths.has(pathname)) return refuse(response, { status: 404, error: "not found" });
		if (!["POST", "GET", "DELETE"].includes(method))
			return refuse(response.setHeader("Allow", "POST, GET, DELETE"), { status: 405, error: "method not allowed" });
		const body = method === "POST" ? await bodyOf(request) : { value: undefined };
		if ("refused" in body) return refuse(response, body.refused);
		if ("answer" in body) return sendJson(response, 400, body.answer);
		const gone = new AbortController();
		const ended = new Promise<void>((resolve) => {
			response.once("close", () => {
				if (!response.writableFinished) gone.abort();
				resolve();
			});
		});
		const asked = new Request(`${scheme}://${headers.host}${pathname}`, {
			method,
			headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
			signal: gone.signal,
		});
		if (!isStream(method, body.value)) {
			pending.add(ended);
			void ended.then(() => pending.delete(ended));
		}
		if (await isLegacyRequest(asked, body.value))
			return send(response, await sessions.handle(asked, body.value, ended), limits.write, gone.signal);
		const answered = await modern.fetch(asked, { parsedBody: body.value });
		if (isListen(body.value) && isEventStream(answered)) listens(body.value.params.notifications, ended);
		await send(response, answered, limits.write, gone.signal);
	};
	const listener = (request: IncomingMessage, response: ServerResponse) => {
		answer(request, response).catch(() =>
			response.headersSent ? response.destroy() : refuse(response, { status: 500, error: "internal" }),
		);
	};
	const given = {
		headersTimeout: limits.headers,
		requestTimeout: limits.request,
		keepAliveTimeout: limits.idle,
		connectionsCheckingInterval: 1000,
	};
	const server = http.tls ? createTlsServer({ ...given, ...http.tls }, listener) : createServer(given, listener);
	server.maxConnections = maxConnections;
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(http.port, http.address, resolve);
	});
	const { address, port } = server.address() as AddressInfo;
	printAside(`listening on ${scheme}://${isIP(address) === 6 ? `[${address}]` : address}:${port}/mcp`);
	await new Promise<void>((resolve) => {
		process.once("SIGINT", () => resolve()).once("SIGTERM", () => resolve());
	});
	const closed = new Promise((resolve) => server.close(resolve));
	await Promise.race([Promise.all(pending), new Promise((resolve) => setTimeout(resolve, limits.drain).unref())]);
	await Promise.all([modern.close(), sessions.close()]);
	server.closeAllConnections();
	await closed;
}

function isStream(method: string, body: unknown): boolean {
	return method === "GET" || isListen(body);
}

interface Listen {
	readonly params: { readonly notifications: SubscriptionFilter };
}

function isListen(body: unknown): body is Listen {
	return (body as { readonly method?: unknown } | null)?.method === "subscriptions/listen";
}

async function send(response: ServerResponse, answered: Response, writeMs: number, gone: AbortSignal): Promise<void> {
	for (const [name, value] of answered.headers) if (name !== "cache-control") response.setHeader(name, value);
	response.statusCode = answered.status;
	// A stalled reader would get keep-alive comments for ever.
	response.setTimeout(writeMs, () => response.destroy());
	const { body } = answered;
	if (!body || !isEventStream(answered)) return void response.end(await answered.text());
	// The first event goes in the same packet; clients limit their wait for headers.
	const late = setTimeout(() => response.flushHeaders(), headersMs).unref();
	const reader = body.getReader();
	const leave = () => void reader.cancel().catch(() => {});
	if (gone.aborted) leave();
	else gone.addEventListener("abort", leave, { once: true });
	try {
		for (let piece = await reader.read(); !piece.done; piece = await reader.read())
			if (!response.write(piece.value)) await once(response, "drain", { signal: gone });
		response.end();
	} finally {
		clearTimeout(late);
	}
}

function isEventStream({ headers }: Response): boolean {
	return headers.get("content-type") === "text/event-stream";
}

function refuse(response: ServerResponse, { status, error }: Refusal): void {
	response.setHeader("Connection", "close");
	sendJson(response, status, { error });
}

function sendJson(response: ServerResponse, status: number, value: object): void {
	response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}
