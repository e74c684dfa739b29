import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type HttpLimits, httpLimits } from "../../../src/faces/mcp/http-server.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { ask, type HttpServer, withHttpProgram } from "./http-server.ts";
import { modern } from "./modern.ts";

const limits: HttpLimits = { headers: 1000, request: 3000, write: 1000, idle: 5000, drain: 7000 };
/** Node's clocks are not those of the test. */
const early = 100;
const program = [join(REPOSITORY, "scripts/run-ts.mjs"), join(import.meta.dirname, "limited-server.ts")];

function withLimits(body: (server: HttpServer) => Promise<void>): Promise<void> {
	return withWorkspace({}, (ws) => withHttpProgram(ws, [...program, JSON.stringify(limits)], body));
}

function request(method: string, params: object, name?: string) {
	const meta = {
		"io.modelcontextprotocol/protocolVersion": modern,
		"io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
		"io.modelcontextprotocol/clientCapabilities": {},
	};
	const headers = {
		"Content-Type": "application/json",
		Accept: "application/json, text/event-stream",
		"MCP-Protocol-Version": modern,
		"Mcp-Method": method,
		...(name === undefined ? {} : { "Mcp-Name": name }),
	};
	return { headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }) };
}

function opened({ port }: HttpServer, text: string): Socket {
	const socket = connect(port, "127.0.0.1", () => socket.write(text));
	return socket.on("error", () => {});
}

/** The response, and the time in milliseconds after which the connection ends. */
function cut(server: HttpServer, text: string): Promise<{ readonly answer: string; readonly ms: number }> {
	return new Promise((resolve) => {
		const began = performance.now();
		let answer = "";
		opened(server, text)
			.setEncoding("utf8")
			.on("data", (piece: string) => {
				answer += piece;
			})
			.on("close", () => resolve({ answer, ms: performance.now() - began }));
	});
}

test("the limits are 10, 30, 60 and 120 seconds, and 5 for calls in flight at the end", () => {
	expect(httpLimits).toEqual({ headers: 10_000, request: 30_000, write: 60_000, idle: 120_000, drain: 5000 });
});

describe("a connection ends", () => {
	const begun = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n";
	const cases: readonly [string, string, keyof HttpLimits, RegExp][] = [
		["without any data, after the time for headers", "", "headers", /^HTTP\/1\.1 408 /],
		["whose headers do not end, after the time for them", begun, "headers", /^HTTP\/1\.1 408 /],
		[
			"whose body does not end, after the time for a request",
			`${begun}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
			"request",
			/^HTTP\/1\.1 408 /,
		],
		[
			"that asks nothing more, after the time between requests",
			"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
			"idle",
			/^HTTP\/1\.1 200 .*\{"status":"ok"\}/s,
		],
	];

	test.each(cases)("%s", (_, text, limit, words) =>
		withLimits(async (server) => {
			const { answer, ms } = await cut(server, text);
			expect(answer).toMatch(words);
			expect(ms).toBeGreaterThan(limits[limit] - early);
			const longer = Object.values(limits).filter((each) => each > limits[limit]);
			expect(ms).toBeLessThan(Math.min(...longer));
			expect((await ask(server, { path: "/health", method: "GET" })).status).toBe(200);
		}),
	);
});

test("a call that takes longer than these limits is answered", () =>
	withLimits(async (server) => {
		const { headers, body } = request("tools/call", { name: "late", arguments: { ms: 6000 } }, "late");
		const { status, text } = await ask(server, { headers }, body);
		expect(status).toBe(200);
		expect(JSON.parse(text).result.content).toEqual([{ type: "text", text: "late" }]);
	}));

test("a client that does not read its notifications is cut off, and one that reads them is not", () =>
	withLimits(async (server) => {
		const uri = `test:///${"x".repeat(50_000)}`;
		const { headers, body } = request("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } });
		const lines = Object.entries({ ...headers, "Content-Length": body.length }).map((each) => `${each.join(": ")}\r\n`);
		const text = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join("")}\r\n${body}`;
		const [stalled, reader] = [opened(server, text), opened(server, text)];
		let bytes = 0;
		reader.on("data", (piece) => {
			bytes += piece.length;
		});
		const began = performance.now();
		await until("a stream has ended", () =>
			server.stderr().includes("a stream has ended\n") ? met(0) : notYet(server.stderr()),
		);
		expect(performance.now() - began).toBeGreaterThan(limits.write - early);
		const before = bytes;
		await until("the other one goes on", () => (bytes > before ? met(0) : notYet(String(bytes))));
		expect(reader.closed).toBe(false);
		expect(server.stderr().match(/has ended/g)).toHaveLength(1);
		stalled.destroy();
		reader.destroy();
	}));
