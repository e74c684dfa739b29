import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { ResponseMessage } from "vscode-jsonrpc/node";
import { Connection } from "../../src/jsonrpc/connection.ts";
import { FrameError, TooLargeError } from "../../src/jsonrpc/errors.ts";
import { LineReader, LineWriter } from "../../src/jsonrpc/ndjson.ts";
import { met, notYet, until } from "../support/until.ts";
import { Feed, inPieces } from "./reading.ts";

const one = { jsonrpc: "2.0", id: 1, method: "a" };
const two = { jsonrpc: "2.0", id: 2, method: "b", params: { text: "naïve 👩‍👩‍👧 日本語" } };

function line(value: unknown): string {
	return `${JSON.stringify(value)}\n`;
}

function read(...packets: (string | Uint8Array)[]): Feed {
	const feed = new Feed("lines");
	for (const packet of packets) feed.push(packet);
	return feed;
}

test("lines are read one byte at a time", () => {
	expect(inPieces(new Feed("lines"), Buffer.from(line(one) + line(two)), 1).messages).toEqual([one, two]);
});

test("lines that are cut at every position are read whole", () => {
	const both = Buffer.from(line(two) + line(one));
	for (let at = 0; at <= both.length; at++)
		expect(read(both.subarray(0, at), both.subarray(at)).messages, `cut at ${at}`).toEqual([two, one]);
});

test("a hundred lines in one packet keep their order", () => {
	const messages = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: "2.0", id, method: "m" }));
	expect(read(messages.map(line).join("")).messages).toEqual(messages);
});

test("U+2028, U+2029 and U+0085 inside a string end no line", () => {
	const message = { ...one, params: { text: "a\u2028b\u2029c\u0085d" } };
	expect(read(line(message)).messages).toEqual([message]);
});

test("empty lines, blank lines and carriage returns are skipped", () => {
	expect(read(`\n\r\n  \t\n${JSON.stringify(one)}\r\n\n${line(two)}`).messages).toEqual([one, two]);
});

test("a message without `jsonrpc` is taken for version 2.0, so that it can be typed by hand", () => {
	expect(read('{"id":1,"method":"a"}\n').messages).toEqual([one]);
});

test("a `__proto__` key is data and changes no prototype", () => {
	const [message] = read(
		'{"id":1,"method":"a","__proto__":{"polluted":1},"params":{"__proto__":{"polluted":1}}}\n',
	).messages;
	expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
	expect((message as { polluted?: number }).polluted).toBeUndefined();
	expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("numbers beyond 2^53 and duplicate keys are parsed as JSON.parse parses them", () => {
	expect(read('{"id":1,"id":9007199254740993,"method":"a"}\n').messages).toEqual([{ ...one, id: 2 ** 53 }]);
});

describe("a line that is no message ends the connection", () => {
	test.each([
		["an array", "[]\n"],
		["a batch", `[${JSON.stringify(one)}]\n`],
		["a number", "5\n"],
		["null", "null\n"],
		["no JSON", "hello\n"],
		["half a message", '{"id":1\n'],
		["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22, 0x0a])],
		["a nesting of a million", `${"[".repeat(1e6)}\n`],
	])("%s", (_, broken) => {
		const feed = read(line(one), broken, line(two));
		expect(feed.messages).toEqual([one]);
		expect(feed.errors).toHaveLength(1);
		expect(feed.errors[0]).toBeInstanceOf(FrameError);
		expect(feed.closed).toBe(true);
	});

	test("a line of more than 16 MB, long before it ends", () => {
		const feed = new Feed("lines").push(line(one));
		const packet = Buffer.alloc(64 * 1024, "x");
		let sent = 0;
		for (; feed.errors.length === 0 && sent < 32 * 1024 * 1024; sent += packet.length) feed.push(packet);
		expect(feed.errors[0]).toBeInstanceOf(FrameError);
		expect(sent).toBeLessThanOrEqual(16 * 1024 * 1024 + 2 * packet.length);
		feed.push("\n").push(line(two));
		expect(feed.messages).toEqual([one]);
	});
});

describe("a reader with answers enabled", () => {
	const heard = () => {
		const stream = new PassThrough();
		const answers: ResponseMessage[] = [];
		const messages: unknown[] = [];
		const errors: Error[] = [];
		const reader = new LineReader(stream, (answer) => void answers.push(answer));
		reader.onError((error) => void errors.push(error));
		reader.listen((message) => void messages.push(message));
		const push = (text: string) => {
			const bytes = Buffer.from(text);
			for (let at = 0; at < bytes.length; at += 1 << 20) stream.emit("data", bytes.subarray(at, at + (1 << 20)));
		};
		return { push, answers, messages, errors };
	};
	const big = JSON.stringify({ text: "x".repeat(17 << 20), id: 8 });

	test.each([
		["first", `{"jsonrpc":"2.0","id":7,"method":"m","params":${big}}`, 7],
		["as a string", `{"id":"seven","method":"m","params":${big}}`, "seven"],
		["last", `{"jsonrpc":"2.0","method":"m","params":${big},"id":7}`, 7],
		["before the version", `{"method":"m","params":${big},"id":7,"jsonrpc":"2.0"}`, 7],
		["in the middle, where it is not searched,", `{"method":"m","params":${big}}`, null],
	])("reports a line that is too long, with its id %s, and reads on", (_, long, id) => {
		const { push, answers, messages, errors } = heard();
		push(`${line(one)}${long}\n${line(two)}`);
		expect(answers).toMatchObject([{ id, error: { code: -32600, message: expect.stringContaining("16 MB") } }]);
		expect(messages).toEqual([one, two]);
		expect(errors).toEqual([]);
	});

	test("answers a request whose id is an object or a list", () => {
		const { push, answers, messages } = heard();
		push(line({ id: { a: 1 }, method: "m" }) + line({ id: [1], method: "m" }) + line(one));
		const answer = { id: null, error: { code: -32600, message: "That is no message." } };
		expect(answers).toMatchObject([answer, answer]);
		expect(messages).toEqual([one]);
	});
});

test("a cancellation without an id is answered, and the connection is kept", async () => {
	const [input, output] = [new PassThrough(), new PassThrough()];
	let written = "";
	output.on("data", (chunk: Buffer) => {
		written += chunk;
	});
	const writer = new LineWriter(output);
	const reader = new LineReader(input, (answer) => void writer.write(answer));
	const closed: unknown[] = [];
	new Connection(reader, writer, {
		request: async () => "answered",
		notification: () => {},
		closed: (reason) => void closed.push(reason),
	});
	const cancel = { jsonrpc: "2.0", method: "$/cancelRequest" };
	for (const params of [undefined, null, {}, { id: null }, { id: {} }]) input.write(line({ ...cancel, params }));
	input.write(line(one));
	await until("the request is answered", () => (written.includes("answered") ? met(true) : notYet(written)));
	expect(written.split("\n").filter((each) => each.includes("-32600"))).toHaveLength(5);
	expect(closed).toEqual([]);
});

test("an answer that is too long for a line is replaced by an error, and any other message is not written", async () => {
	const stream = new PassThrough();
	let written = "";
	stream.on("data", (chunk: Buffer) => {
		written += chunk;
	});
	const writer = new LineWriter(stream);
	const text = "x".repeat(17 << 20);
	await writer.write({ jsonrpc: "2.0", id: 3, result: { text } } as never);
	await expect(writer.write({ jsonrpc: "2.0", id: 4, method: "m", params: { text } } as never)).rejects.toThrow(
		TooLargeError,
	);
	await writer.write(one as never);
	await new Promise(setImmediate);
	const [first, ...rest] = written
		.trimEnd()
		.split("\n")
		.map((each) => JSON.parse(each));
	expect(first).toMatchObject({ id: 3, error: { message: expect.stringContaining("17 MB") } });
	expect(rest).toEqual([one]);
});

test("a line of 15 MB is read", () => {
	const big = { ...one, params: { text: "x".repeat(15 * 1024 * 1024) } };
	const feed = inPieces(new Feed("lines"), Buffer.from(line(big)), 64 * 1024);
	expect((feed.messages[0] as typeof big).params.text.length).toBe(15 * 1024 * 1024);
});
