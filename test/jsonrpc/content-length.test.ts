import { describe, expect, test } from "vitest";
import { FrameError } from "../../src/jsonrpc/errors.ts";
import { Feed, frame, inPieces, random } from "./reading.ts";

const one = { jsonrpc: "2.0", id: 1, method: "a" };
const two = { jsonrpc: "2.0", id: 2, method: "b", params: { text: "naïve 👩‍👩‍👧 日本語 \u2028 \u0000" } };

function read(...packets: (string | Uint8Array)[]): Feed {
	const feed = new Feed("content-length");
	for (const packet of packets) feed.push(packet);
	return feed;
}

function bytes(...parts: (string | Uint8Array)[]): Buffer {
	return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

describe("frames are read however the pipe cuts them", () => {
	test("one byte at a time, characters of several bytes included", () => {
		const feed = inPieces(new Feed("content-length"), bytes(frame(one), frame(two)), 1);
		expect(feed.messages).toEqual([one, two]);
		expect(feed.errors).toEqual([]);
	});

	test("cut in two at every position", () => {
		const both = bytes(frame(two), frame(one));
		for (let at = 0; at <= both.length; at++)
			expect(read(both.subarray(0, at), both.subarray(at)).messages, `cut at ${at}`).toEqual([two, one]);
	});

	test("a hundred in one packet, in their order", () => {
		const messages = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: "2.0", id, method: "m" }));
		expect(read(bytes(...messages.map(frame))).messages).toEqual(messages);
	});

	test("with an empty packet in between", () => {
		expect(read("", frame(one), "").messages).toEqual([one]);
	});
});

describe("malformed headers are read", () => {
	const body = JSON.stringify(two);
	const length = Buffer.byteLength(body);
	test.each([
		["lower case", `content-length: ${length}\r\n\r\n`],
		["no space", `Content-Length:${length}\r\n\r\n`],
		["many spaces and a tab", `Content-Length:  \t ${length}\r\n\r\n`],
		["bare line feeds", `Content-Length: ${length}\n\n`],
		["mixed line ends", `Content-Length: ${length}\n\r\n`],
		["a content type after it", `Content-Length: ${length}\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n`],
		["a content type before it", `Content-Type: application/vscode-jsonrpc\r\nContent-Length: ${length}\r\n\r\n`],
		["unknown headers around it", `X-A: 1\r\nContent-Length: ${length}\r\nX-B: Content\r\n\r\n`],
	])("%s", (_, header) => {
		const whole = bytes(header, body, frame(one));
		expect(read(whole).messages).toEqual([two, one]);
		expect(inPieces(new Feed("content-length"), whole, 1).messages).toEqual([two, one]);
	});
});

describe("other output on standard output is skipped", () => {
	test.each([
		["a line", "Server starting\n"],
		["several lines", "one\ntwo\r\nthree\n"],
		["a blank line", "\r\n\r\n"],
		["a line and a blank line", "hello\n\n"],
		["a coloured line", "\u001b[32mready\u001b[0m\n"],
		["a prompt without a line end", "> "],
		["bytes that are no UTF-8", Buffer.from([0xff, 0xfe, 0x00, 0x0a])],
		["something that looks like JSON", '{"jsonrpc":"2.0"}\n'],
		["a header without a value", "Content-Length:\r\n\r\n"],
		["a line that mentions a content-length", "read content-length: 3 from the cache\n"],
	])("%s before, between and after frames", (_, chatter) => {
		const whole = bytes(chatter, frame(one), chatter, frame(two), chatter, frame(one));
		const feed = read(whole);
		expect(feed.errors).toEqual([]);
		expect(feed.messages).toEqual([one, two, one]);
		expect(inPieces(new Feed("content-length"), whole, 1).messages).toEqual([one, two, one]);
	});

	test("of a megabyte without a line end", () => {
		expect(read(bytes("x".repeat(1 << 20), frame(one))).messages).toEqual([one]);
	});

	test("of any length, in packets of any size", () => {
		const next = random(1);
		for (let round = 0; round < 300; round++) {
			const chatter = "progress ".repeat(1200).slice(0, 8100 + Math.floor(next() * 200));
			const feed = inPieces(new Feed("content-length"), bytes(chatter, frame(one)), 1 + Math.floor(next() * 20_000));
			expect(feed.errors, `${chatter.length} bytes of chatter`).toEqual([]);
			expect(feed.messages).toEqual([one]);
		}
	});
});

describe("a frame that cannot be read is an error and ends the connection", () => {
	test.each([
		["a negative length", "Content-Length: -1\r\n\r\n"],
		["a length that is no number", "Content-Length: NaN\r\n\r\n"],
		["a length with letters", "Content-Length: 12abc\r\n\r\n"],
		["a length in hexadecimal", "Content-Length: 0x10\r\n\r\n"],
		["a length with an exponent", "Content-Length: 1e1\r\n\r\n"],
		["a fraction", "Content-Length: 2.5\r\n\r\n"],
		["a length of 65 MB", `Content-Length: ${65 * 1024 * 1024}\r\n\r\n`],
		["a length of 10^11", "Content-Length: 100000000000\r\n\r\n"],
		["a header of 9 KB", `Content-Length: 2\r\nX: ${"x".repeat(9 * 1024)}\r\n\r\n{}`],
		["a header that never ends", `Content-Length: 2\r\nX: ${"x".repeat(1 << 20)}`],
		["a body that is no JSON", "Content-Length: 3\r\n\r\n{a}"],
		["an empty body", "Content-Length: 0\r\n\r\n"],
		["a body that is too short", `Content-Length: 5\r\n\r\n${JSON.stringify(one)}`],
		[
			"a body that is no UTF-8",
			Buffer.concat([Buffer.from('Content-Length: 4\r\n\r\n"'), Buffer.from([0xff, 0xff, 0x22])]),
		],
	])("%s", (_, broken) => {
		const feed = read(frame(two), broken);
		expect(feed.errors).toHaveLength(1);
		expect(feed.errors[0]).toBeInstanceOf(FrameError);
		expect(feed.closed).toBe(true);
		feed.push(frame(one));
		expect(feed.messages).toEqual([two]);
		expect(feed.errors).toHaveLength(1);
	});

	test("a huge length is refused without waiting for the body or making room for it", () => {
		const before = process.memoryUsage();
		expect(read(`Content-Length: ${65 * 1024 * 1024}\r\n\r\n`).errors).toHaveLength(1);
		const after = process.memoryUsage();
		expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1 << 20);
	});
});

test("a body of 60 MB is read whole", async () => {
	const big = { jsonrpc: "2.0", id: 1, result: "x".repeat(60 * 1024 * 1024) };
	const feed = inPieces(new Feed("content-length"), frame(big), 64 * 1024);
	expect(feed.errors).toEqual([]);
	while (feed.messages.length === 0) await new Promise((resolve) => setImmediate(resolve));
	expect((feed.messages[0] as typeof big).result.length).toBe(60 * 1024 * 1024);
});
