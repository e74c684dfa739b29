import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { Connection } from "../../src/jsonrpc/connection.ts";
import { ContentLengthReader, ContentLengthWriter } from "../../src/jsonrpc/content-length.ts";
import { StalledError } from "../../src/jsonrpc/errors.ts";
import { redacted } from "../../src/jsonrpc/redact.ts";
import { met, notYet, until } from "../support/until.ts";

const megabyte = "x".repeat(1024 * 1024);

test("a peer that reads nothing is given up after 16 MB, and pending requests reject", async () => {
	const closed = vi.fn();
	const toPeer = new PassThrough();
	const handlers = { request: async () => null, notification: () => {}, closed };
	const connection = new Connection(
		new ContentLengthReader(new PassThrough()),
		new ContentLengthWriter(toPeer),
		handlers,
	);
	const asked = connection.request("ask", {}).catch((error: Error) => error.name);
	for (let count = 0; count < 40; count++) connection.notify("told", { text: megabyte });
	await until("the end of the connection", () => (closed.mock.calls.length ? met(true) : notYet("open")));
	expect(closed.mock.calls[0]?.[0]).toBeInstanceOf(StalledError);
	expect(await asked).toBe("ConnectionClosedError");
	expect(toPeer.writableLength + toPeer.readableLength).toBeLessThan(17 * 1024 * 1024);
});

test("a single message may be larger than the limit of unread bytes", async () => {
	const toPeer = new PassThrough();
	await expect(
		new ContentLengthWriter(toPeer).write({ jsonrpc: "2.0", text: megabyte.repeat(20) } as never),
	).resolves.toBe(undefined);
});

test("a frame in the log shows the method, and neither source nor secrets", () => {
	const message = {
		method: "textDocument/didOpen",
		params: { textDocument: { uri: "file:///a", text: "let secret = 1" } },
	};
	expect(redacted(message)).toBe(
		'{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a","text":"<14 characters>"}}}',
	);
	expect(redacted({ params: { env: { KEY: "v" }, long: megabyte } })).toBe(
		'{"params":{"env":"<hidden>","long":"<1048576 characters>"}}',
	);
});
