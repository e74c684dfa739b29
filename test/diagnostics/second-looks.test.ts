import { expect, test } from "vitest";
import { Ledger } from "../../src/diagnostics/ledger.ts";
import { SecondLooks } from "../../src/diagnostics/second-looks.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";

const server = {} as LanguageServer;
const [mine, other] = [new Ledger(), new Ledger()];

/** Something that goes on until it is told to end, or its signal does. */
function work() {
	const began: AbortSignal[] = [];
	let end = (_: string): void => {};
	const run = (signal?: AbortSignal) => {
		if (signal) began.push(signal);
		return new Promise<string>((resolve, reject) => {
			end = resolve;
			signal?.addEventListener("abort", () => reject(new Error("cut")), { once: true });
		});
	};
	return { began, run, end: (value: string) => end(value) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a second look gives way to another session's edit, and begins again when that has its answer", async () => {
	const looks = new SecondLooks();
	const [look, edit] = [work(), work()];
	const found = looks.run(server, mine, look.run);
	const answered = looks.before(server, other, edit.run);
	await settled();
	expect(look.began.map(({ aborted }) => aborted)).toEqual([true]);
	edit.end("answer");
	expect(await answered).toBe("answer");
	await settled();
	expect(look.began.map(({ aborted }) => aborted)).toEqual([true, false]);
	look.end("found");
	expect(await found).toBe("found");
});

test("the session's own next edit ends it for good, also while it waits", async () => {
	const looks = new SecondLooks();
	for (const waitsFirst of [false, true]) {
		const [look, edit] = [work(), work()];
		const found = looks.run(server, mine, look.run);
		const answered = waitsFirst ? looks.before(server, other, edit.run) : Promise.resolve("");
		void looks.before(server, mine, () => Promise.resolve());
		edit.end("");
		await answered;
		await expect(found).rejects.toThrow("cut");
		expect(look.began).toHaveLength(1);
	}
});

test("it is not put off for ever: edits that follow each other cut it three times", async () => {
	const looks = new SecondLooks();
	const look = work();
	const found = looks.run(server, mine, look.run);
	for (let edits = 0; edits < 10; edits++) {
		await looks.before(server, other, () => Promise.resolve());
		await settled();
	}
	expect(look.began).toHaveLength(4);
	look.end("found");
	expect(await found).toBe("found");
});

test("it waits for no second edit that came while it gave way to the first", async () => {
	const looks = new SecondLooks();
	const [look, edit] = [work(), work()];
	void looks.run(server, mine, look.run);
	const first = looks.before(server, other, edit.run);
	void looks.before(server, other, () => new Promise(() => {}));
	edit.end("");
	await first;
	await settled();
	expect(look.began).toHaveLength(2);
	look.end("");
});

test("its own error is its end", async () => {
	const failed = new SecondLooks().run(server, mine, () => Promise.reject(new Error("its own")));
	await expect(failed).rejects.toThrow("its own");
});
