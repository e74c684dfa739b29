import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LateParams, LateReport, LateResult } from "../../../src/contract/protocol.ts";
import { LateResults } from "../../../src/faces/pi/late-results.ts";
import { error, file, report } from "../../render/reports.ts";

/** A daemon that answers when a test says so. */
class Daemon {
	readonly asked: LateParams[] = [];
	readonly #answers: ((result: LateResult | Error) => void)[] = [];
	isThere = true;

	async current() {
		if (!this.isThere) return undefined;
		return {
			call: (_method: string, params: LateParams) =>
				new Promise<LateResult>((resolve, reject) => {
					this.asked.push(params);
					this.#answers.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
				}),
		};
	}

	/** Answers the question that was asked longest ago, as soon as it is asked. */
	async answer(result: LateResult | Error): Promise<void> {
		while (this.#answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
		this.#answers.shift()?.(result);
	}
}

function withDaemon(body: (late: LateResults, daemon: Daemon, cwd: string) => Promise<void>): Promise<void> {
	const daemon = new Daemon();
	const cwd = mkdtempSync(join(tmpdir(), "pi-lsp-late-"));
	writeFileSync(join(cwd, "a.ts"), "one");
	const late = new LateResults(daemon as never, "session", () => {});
	return body(late, daemon, cwd).finally(() => rmSync(cwd, { recursive: true }));
}

function wrong(id: string): LateReport {
	return { id, call: "call", file: "a.ts", report: report(file("a.ts", [error(1, { new: true })])) };
}

test("nothing is asked as long as no call has left anything open", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, false);
		expect(late.owed).toBe(false);
		expect(await late.take(0, undefined)).toEqual([]);
		expect(daemon.asked).toEqual([]);
	}));

test("what was told is confirmed with the next question, and nothing is asked once the daemon has nothing more", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		const taking = late.take(0, undefined);
		await daemon.answer({ results: [wrong("1")], more: false });
		expect(late.tell(await taking)).toEqual([
			expect.stringMatching(/^Checked late, from an earlier edit: The edit was applied\. LSP errors/),
		]);
		const again = late.take(0, undefined);
		await daemon.answer({ results: [], more: false });
		expect(await again).toEqual([]);
		expect(daemon.asked.map(({ told }) => told)).toEqual([[], ["1"]]);
		expect(late.owed).toBe(false);
	}));

test("what nobody could tell is not confirmed and is asked for again", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		const taking = late.take(0, undefined);
		await daemon.answer({ results: [wrong("1")], more: false });
		await taking;
		expect(late.owed).toBe(true);
		const again = late.take(0, undefined);
		await daemon.answer({ results: [wrong("2")], more: false });
		expect(late.tell(await again)).toHaveLength(1);
		expect(daemon.asked.map(({ told }) => told)).toEqual([[], []]);
	}));

test("a finding about a file that has changed since is not told", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		const taking = late.take(0, undefined);
		await daemon.answer({ results: [wrong("1")], more: false });
		const lates = await taking;
		writeFileSync(join(cwd, "a.ts"), "another text");
		expect(late.tell(lates)).toEqual([]);
		expect(late.owed).toBe(true);
		expect(await late.confirming(async (told) => told)).toEqual([]);
	}));

test("of two that ask at a time only the later one gets an answer, so that nothing is told twice", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		const first = late.take(2000, undefined);
		await new Promise((resolve) => setImmediate(resolve));
		const second = late.take(0, undefined);
		await daemon.answer({ results: [wrong("1")], more: false });
		await daemon.answer({ results: [wrong("2")], more: false });
		expect(late.tell(await first)).toEqual([]);
		expect(late.tell(await second)).toHaveLength(1);
		expect(await late.confirming(async (told) => told)).toEqual(["2"]);
	}));

test("an answer from before something else was told is not told", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		const first = late.take(0, undefined);
		await daemon.answer({ results: [wrong("1")], more: false });
		const early = await first;
		const second = late.take(0, undefined);
		await daemon.answer({ results: [wrong("2")], more: false });
		expect(late.tell(await second)).toHaveLength(1);
		expect(late.tell(early)).toEqual([]);
	}));

test("a call that left something open after the question was asked is not forgotten by its answer", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		const taking = late.take(0, undefined);
		late.expectFrom("another", { cwd, others: "line" }, true);
		await daemon.answer({ results: [], more: false });
		await taking;
		expect(late.owed).toBe(true);
	}));

test("a confirmation that was lost goes with the next call", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		const taking = late.take(0, undefined);
		await daemon.answer({ results: [wrong("1")], more: true });
		late.tell(await taking);
		const lost = late.confirming(async () => {
			throw new Error("the daemon went away");
		});
		await expect(lost).rejects.toThrow("the daemon went away");
		expect(await late.confirming(async (told) => told)).toEqual(["1"]);
	}));

test("a daemon that does not answer holds nobody up", () =>
	withDaemon(async (late, _daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		expect(await late.take(0, undefined)).toEqual([]);
		expect(late.owed).toBe(true);
	}));

test("a daemon that is gone has nothing to tell", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		daemon.isThere = false;
		expect(await late.take(0, undefined)).toEqual([]);
		expect(late.owed).toBe(false);
	}));

test("after everything was dropped an answer that is still under way is of no use", () =>
	withDaemon(async (late, daemon, cwd) => {
		late.expectFrom("call", { cwd, others: "line" }, true);
		const taking = late.take(2000, undefined);
		await new Promise((resolve) => setImmediate(resolve));
		late.clear();
		await daemon.answer({ results: [wrong("1")], more: true });
		expect(late.tell(await taking)).toEqual([]);
		expect(late.owed).toBe(false);
	}));
