import { connect } from "node:net";
import { homedir, hostname } from "node:os";
import process from "node:process";
import { expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { REPOSITORY } from "../../support/repository.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { ask, type HttpServer, json, token, withHttp } from "./http-server.ts";
import { modern } from "./modern.ts";

const authorization = `Bearer ${token}`;
const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const meta = {
	"io.modelcontextprotocol/protocolVersion": modern,
	"io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
	"io.modelcontextprotocol/clientCapabilities": {},
};
const listing = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } };
const listed = { ...json, "MCP-Protocol-Version": modern, "Mcp-Method": "tools/list" };
const calling = {
	jsonrpc: "2.0",
	id: 1,
	method: "tools/call",
	params: { name: "lsp_none", arguments: {}, _meta: meta },
};
const called = { ...listed, "Mcp-Method": "tools/call", "Mcp-Name": "lsp_none" };
const reading = {
	jsonrpc: "2.0",
	id: 1,
	method: "resources/read",
	params: { uri: "lsp-symbols:///etc/passwd", _meta: meta },
};
const read = { ...listed, "Mcp-Method": "resources/read", "Mcp-Name": reading.params.uri };

const beginning = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

/** A request by its headers and its body, and the status of its answer; SELF is the port. */
const hostile: readonly [
	what: string,
	status: number,
	headers: Record<string, string>,
	body?: string | Buffer,
	more?: object,
][] = [
	["no token", 401, { ...json, Authorization: "" }, ping],
	["another scheme", 401, { ...json, Authorization: `Basic ${token}` }, ping],
	["a wrong token", 401, { ...json, Authorization: "Bearer wrong" }, ping],
	["an empty token", 401, { ...json, Authorization: "Bearer " }, ping],
	["the beginning of the token", 401, { ...json, Authorization: authorization.slice(0, -1) }, ping],
	["the token and more", 401, { ...json, Authorization: `${authorization}x` }, ping],
	["a token that is not ASCII", 401, { ...json, Authorization: "Bearer \u00e9\u00e8" }, ping],
	[
		"the token in the address",
		401,
		{ ...json, Authorization: "" },
		ping,
		{ path: `/mcp?token=${encodeURIComponent(token)}` },
	],
	["a page of another origin", 403, { ...json, Origin: "https://evil.example" }, ping],
	["a page without an origin", 403, { ...json, Origin: "null" }, ping],
	["an origin that only begins like ours", 403, { ...json, Origin: "http://localhost.evil.example" }, ping],
	["a page of another port", 403, { ...json, Origin: "http://127.0.0.1:1" }, ping],
	["a name that was rebound", 403, { ...json, Host: "evil.example" }, ping],
	[
		"a name that was rebound, asking whether it is well",
		403,
		{ Host: "evil.example" },
		"",
		{ method: "GET", path: "/health" },
	],
	["a name with a dot behind", 403, { ...json, Host: "localhost.:SELF" }, ping],
	["an address of elsewhere", 403, { ...json, Host: "10.0.0.1:SELF" }, ping],
	["another path", 404, json, ping, { path: "/etc/passwd" }],
	["another path with dots", 404, json, ping, { path: "/mcp/../secret" }],
	["what browsers ask before", 405, json, "", { method: "OPTIONS" }],
	["another method", 405, json, ping, { method: "PUT" }],
	["a stream without a session", 405, { ...json, Accept: "text/event-stream" }, "", { method: "GET" }],
	["the end of no session", 405, json, "", { method: "DELETE" }],
	["an unknown session", 404, { ...json, "Mcp-Session-Id": "00000000-0000-0000-0000-000000000000" }, ping],
	["a request before initialize", 400, json, ping],
	["a form", 415, { ...json, "Content-Type": "application/x-www-form-urlencoded" }, "a=1"],
	["plain text, as a page may send it", 415, { ...json, "Content-Type": "text/plain" }, ping],
	["packed content", 415, { ...json, "Content-Encoding": "gzip" }, Buffer.from([0x1f, 0x8b])],
	["no JSON", 400, json, "{"],
	["nothing", 400, json, ""],
	["no UTF-8", 400, json, Buffer.from([0x22, 0xff, 0x22])],
	["a number", 400, json, "5"],
	["a batch", 400, json, `[${ping},${ping}]`],
	["lists in lists", 400, json, "[".repeat(100_000) + "]".repeat(100_000)],
	["objects in objects", 400, json, `${'{"a":'.repeat(200)}1${"}".repeat(200)}`],
	["more than 4 MB", 413, json, `"${"x".repeat(4 * 1024 * 1024)}"`],
	["a length that is announced", 413, { ...json, "Content-Length": "104857600" }, ""],
	["an era without a method", 400, { ...json, "MCP-Protocol-Version": modern }, JSON.stringify(listing)],
	["a header that says another method", 400, { ...listed, "Mcp-Method": "tools/call" }, JSON.stringify(listing)],
	[
		"a header that says another revision",
		400,
		{ ...listed, "MCP-Protocol-Version": "2025-06-18" },
		JSON.stringify(listing),
	],
	[
		"a revision of the future",
		400,
		{ ...listed, "MCP-Protocol-Version": "2031-01-01" },
		JSON.stringify({
			...listing,
			params: { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2031-01-01" } },
		}),
	],
	[
		"an unknown method",
		404,
		{ ...listed, "Mcp-Method": "tools/none" },
		JSON.stringify({ ...listing, method: "tools/none" }),
	],
	["a new era without its fields", 400, listed, JSON.stringify({ ...listing, params: {} })],
	[
		"initialize without what it needs",
		400,
		json,
		JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }),
	],
	["a host with a user", 403, { ...json, Host: "user@127.0.0.1:SELF" }, ping],
	["an address as one number", 403, { ...json, Host: "2130706433" }, ping],
	["an impossible port", 403, { ...json, Host: "127.0.0.1:99999" }, ping],
	["a page of another scheme", 403, { ...json, Origin: "https://127.0.0.1:SELF" }, ping],
	["the token in capitals", 401, { ...json, Authorization: authorization.toUpperCase() }, ping],
	["the token as a cookie", 401, { ...json, Authorization: "", Cookie: `token=${token}` }, ping],
	["a text posted to the question whether it is well", 401, {}, ping, { path: "/health" }],
	["a path with another host", 404, json, ping, { path: "//evil.example/mcp" }],
	["a path that is no address", 404, json, ping, { path: "//[" }],
	["a whole address", 404, json, ping, { path: "http://evil.example/mcp" }],
	["a path with a zero", 404, json, ping, { path: "/mcp%00" }],
	["a question for the headers alone", 405, json, "", { method: "HEAD" }],
	["a question for what it was sent", 405, json, "", { method: "TRACE" }],
	["an unknown expectation", 417, { ...json, Expect: "more" }, ping],
	["an answer that we do not write", 406, { ...json, Accept: "text/html" }, JSON.stringify(beginning)],
	["UTF-16", 400, json, Buffer.from(ping, "utf16le")],
	["another version of JSON-RPC", 400, listed, JSON.stringify({ ...listing, jsonrpc: "1.0" })],
	["an id that is an object", 400, listed, JSON.stringify({ ...listing, id: {} })],
	["a method that is a number", 400, listed, JSON.stringify({ ...listing, method: 5 })],
	["parameters that are a list", 400, listed, JSON.stringify({ ...listing, params: [] })],
	["an answer to no question", 400, listed, JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} })],
	["a prototype", 400, json, `{"__proto__":{"method":"tools/list"},"jsonrpc":"2.0","id":1}`],
	[
		"a method of the older era in the newer",
		404,
		{ ...listed, "Mcp-Method": "ping" },
		JSON.stringify({ ...listing, method: "ping" }),
	],
	["a call whose header names no tool", 400, { ...called, "Mcp-Name": "" }, JSON.stringify(calling)],
	["a call whose header names another tool", 400, { ...called, "Mcp-Name": "lsp_hover" }, JSON.stringify(calling)],
	["an unknown tool", 200, called, JSON.stringify(calling)],
	["a file of the system", 200, read, JSON.stringify(reading)],
	["an unknown page", 200, listed, JSON.stringify({ ...listing, params: { cursor: "x", _meta: meta } })],
];

/** Raw bytes that are no HTTP, or less than a request; without a status the connection ends. */
const broken: readonly [what: string, status: number | undefined, text: string][] = [
	["no HTTP", 400, "hello\r\n\r\n"],
	["TLS", 400, "\u0016\u0003\u0001\u0002\u0000\u0001"],
	["HTTP/2", 400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
	["no host", 400, "GET /health HTTP/1.1\r\n\r\n"],
	["no host in an older HTTP", 403, "GET /health HTTP/1.0\r\n\r\n"],
	["two hosts", 400, "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n"],
	["a tunnel", undefined, "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n"],
	["a length and pieces", 400, post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")],
	["two lengths", 400, post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}")],
	["less than nothing", 400, post("Content-Length: -1\r\n", "{}")],
	["pieces without a size", 400, post("Transfer-Encoding: chunked\r\n", "x\r\n{}\r\n0\r\n\r\n")],
	["a zero in a header", 400, post("X-A: a\u0000b\r\nContent-Length: 2\r\n", "{}")],
	["a blank in the name of a header", 400, post("X A: a\r\nContent-Length: 2\r\n", "{}")],
	["a megabyte of headers", 431, post(`X-A: ${"x".repeat(1 << 20)}\r\n`, "")],
	["half of the headers, and then nothing more", 400, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-"],
	["half of the body, and then nothing more", 400, post("Content-Length: 100\r\n", "{")],
];

function post(headers: string, body: string): string {
	const given = Object.entries(json).map(([name, value]) => `${name}: ${value}\r\n`);
	return `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${given.join("")}${headers}\r\n${body}`;
}

/** Writes a text and ends; resolves with the whole response. */
function wrote({ port }: HttpServer, text: string): Promise<string> {
	return new Promise((resolve) => {
		let answer = "";
		const socket = connect(port, "127.0.0.1", () => socket.end(text, "latin1"));
		socket.setEncoding("latin1").on("data", (piece: string) => {
			answer += piece;
		});
		socket.on("error", () => {}).once("close", () => resolve(answer));
	});
}

test("each hostile request gets its status, reveals nothing of this machine, and leaves the server unchanged", () =>
	withWorkspace({ "a.fake": "one\n" }, (ws) =>
		withHttp(ws, [], async (server) => {
			expect(hostile.length + broken.length).toBeGreaterThanOrEqual(60);
			const secrets = [token, ws.base, homedir(), hostname(), REPOSITORY, process.version, manifest.version];
			const words = [...secrets.filter((word) => word.length > 4), "node_modules", "at Object", "pi-lsp/"];
			const seen: [string, number | undefined][] = [];
			const judge = async (what: string, status: number | undefined, text: string) => {
				seen.push([what, status]);
				for (const word of words) expect(text, what).not.toContain(word);
				expect(text.length, what).toBeLessThan(1500);
				if (status === 200) expect(text, what).toContain('"error":{');
				expect((await ask(server, { path: "/health", method: "GET" })).status, what).toBe(200);
			};
			for (const [what, , headers, body, more] of hostile) {
				const own = Object.fromEntries(
					Object.entries(headers)
						.filter(([, value]) => value !== "")
						.map(([name, value]) => [name, Buffer.from(value.replace("SELF", String(server.port))).toString("latin1")]),
				);
				const answer = await ask(server, { headers: own, ...more }, body);
				await judge(what, answer.status, `${JSON.stringify(answer.headers)}\n${answer.text}`);
			}
			for (const [what, , text] of broken) {
				const response = await wrote(server, text);
				const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(response) ?? [];
				await judge(what, status === undefined ? undefined : Number(status), response);
			}
			expect(seen).toEqual([...hostile, ...broken].map(([what, status]) => [what, status]));
			const well = await ask(
				server,
				{ headers: { Origin: `http://127.0.0.1:${server.port}`, ...listed } },
				JSON.stringify(listing),
			);
			expect(well.status).toBe(200);
			expect(JSON.parse(well.text).result.tools.length).toBeGreaterThan(5);
			expect(server.stderr()).toBe(`listening on http://127.0.0.1:${server.port}/mcp\n`);
		}),
	));
