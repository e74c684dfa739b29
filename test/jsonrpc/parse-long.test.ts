import { describe, expect, test } from "vitest";
import { parseLong } from "../../src/jsonrpc/parse-long.ts";
import { Feed, frame, random } from "./reading.ts";

/** The value of a text, or its refusal. */
async function outcome(parse: () => unknown): Promise<unknown> {
	try {
		return { value: await parse() };
	} catch {
		return "refused";
	}
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const atOnce = (bytes: Uint8Array) => outcome(() => JSON.parse(utf8.decode(bytes)));

function jsonValue(next: () => number, depth = 0): unknown {
	const below = (limit: number) => Math.floor(next() * limit);
	const texts = ["", "a", "[,]", '{"a":1,', '\\"', "\\", "é\u2028", "👩‍👩‍👧", "__proto__", "a: b, c"];
	const some = () => Array.from({ length: below(6) });
	switch (below(depth > 8 ? 3 : 5)) {
		case 0:
			return [null, true, -1.5e3, 0][below(4)];
		case 1:
		case 2:
			return texts[below(texts.length)];
		case 3:
			return some().map(() => jsonValue(next, depth + 1));
		default:
			return Object.fromEntries(some().map(() => [texts[below(texts.length)], jsonValue(next, depth + 1)]));
	}
}

describe("A long text that is parsed in pieces", () => {
	test("has the same value as at once, whatever it contains", async () => {
		const next = random(1);
		for (let round = 0; round < 2000; round++) {
			const text = JSON.stringify(jsonValue(next), undefined, round % 3 === 0 ? "\t" : undefined);
			const bytes = Buffer.from(` ${text}\r\n`);
			expect(await outcome(() => parseLong(bytes, 1 + (round % 20))), text).toEqual(await atOnce(bytes));
		}
	});

	test("is refused like a text that is parsed at once after a byte is removed, inserted, or changed", async () => {
		const next = random(2);
		const odd = Buffer.from('[]{}",:\\ \n1e-tnu\xff\x00', "latin1");
		for (let round = 0; round < 6000; round++) {
			const bytes = [...Buffer.from(JSON.stringify(jsonValue(next)))];
			const at = Math.floor(next() * bytes.length);
			bytes.splice(
				at,
				round % 3 === 0 ? 0 : 1,
				...(round % 3 === 1 ? [] : [odd[Math.floor(next() * odd.length)] ?? 0]),
			);
			const broken = Buffer.from(bytes);
			expect(await outcome(() => parseLong(broken, 1 + (round % 9))), broken.toString("latin1")).toEqual(
				await atOnce(broken),
			);
		}
	});

	test.each([
		"[1,]",
		"[,1]",
		"[1,,2]",
		'{"a":1,}',
		'{,"a":1}',
		"[1}",
		'[{"a":[1}]]',
		"[]]",
		'{"a"}',
		"{1:2}",
		"[ ]",
		"{ }",
		" ",
		"",
	])("has the same value as at once: %s", async (text) => {
		const bytes = Buffer.from(text);
		for (let size = 0; size < 4; size++)
			expect(await outcome(() => parseLong(bytes, size))).toEqual(await atOnce(bytes));
	});

	test("is read no more than a few times if it is nested a million deep", async () => {
		const bytes = Buffer.from("[".repeat(1_000_000));
		expect(await outcome(() => parseLong(bytes))).toBe("refused");
	});
});

describe("A message of 15 MB", () => {
	const items = Array.from({ length: 75_000 }, (_, line) => ({
		range: { start: { line, character: 0 }, end: { line, character: 9 } },
		message: `wrong ${line} ${"y".repeat(80)}`,
	}));
	const large = { jsonrpc: "2.0", id: 1, result: { kind: "full", items } };
	const small = { jsonrpc: "2.0", id: 2, result: null };

	const until = async (isMet: () => boolean) => {
		for (let turns = 0; ; turns++) {
			if (isMet()) return turns;
			await new Promise((resolve) => setImmediate(resolve));
		}
	};

	test("lets the event loop turn while it is parsed, and keeps its position among others", async () => {
		const feed = new Feed("content-length");
		feed.push(Buffer.concat([frame(large), frame(small), frame(large)])).push(frame(small));
		expect(feed.messages).toEqual([]);
		expect(await until(() => feed.messages.length === 4)).toBeGreaterThan(10);
		expect(feed.messages.map((message) => (message as typeof small).id)).toEqual([1, 2, 1, 2]);
		expect(JSON.stringify(feed.messages[2]) === JSON.stringify(large)).toBe(true);
	});

	test("ends the connection if its body is no JSON, like a short one", async () => {
		const feed = new Feed("content-length");
		const body = `${JSON.stringify(large).slice(0, -1)},`;
		feed.push(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`).push(frame(small));
		await until(() => feed.closed);
		expect(feed.messages).toEqual([]);
		expect(feed.errors.map(String)).toEqual([expect.stringMatching(/^FrameError: a frame of \d+ bytes is not JSON/)]);
	});
});
