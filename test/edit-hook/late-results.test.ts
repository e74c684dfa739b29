import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LateParams, LateReport, LateResult } from "../../src/contract/protocol.ts";
import { LateResults } from "../../src/edit-hook/late-results.ts";
import { error, file, report } from "../render/reports.ts";

/** A daemon that answers when a test allows it. */
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

	/** Answers the oldest request, or the next one at once. */
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

/** A check of a call that continues, or does not. */
function check(late: LateResults, cwd: string, more = true): Promise<unknown> {
	return late.check("call", { cwd, others: "line" }, async () => ({ more }), undefined);
}

/** The ids that the next check confirms. */
async function confirmed(late: LateResults): Promise<readonly string[]> {
	let ids: readonly string[] = [];
	const request = async (given: readonly string[]) => {
		ids = given;
		return { more: false };
	};
	await late.check("another", { cwd: ".", others: "line" }, request, undefined);
	return ids;
}

describe("late results", () => {
	test("are not requested if no check is running", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd, false);
			expect(late.pending).toBe(false);
			expect(await late.fetch(0, undefined)).toEqual([]);
			expect(daemon.asked).toEqual([]);
		}));

	test("are confirmed with the next request once they are delivered, until the daemon has no more", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			const fetching = late.fetch(0, undefined);
			await daemon.answer({ results: [wrong("1")], more: false });
			expect(late.deliver(await fetching)).toEqual([
				expect.stringMatching(/^Checked late, from an earlier edit: The edit was applied\. LSP errors/),
			]);
			const again = late.fetch(0, undefined);
			await daemon.answer({ results: [], more: false });
			expect(await again).toEqual([]);
			expect(daemon.asked.map(({ confirmed }) => confirmed)).toEqual([[], ["1"]]);
			expect(late.pending).toBe(false);
		}));

	test("are requested again if they were not delivered", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			const fetching = late.fetch(0, undefined);
			await daemon.answer({ results: [wrong("1")], more: false });
			await fetching;
			expect(late.pending).toBe(true);
			const again = late.fetch(0, undefined);
			await daemon.answer({ results: [wrong("2")], more: false });
			expect(late.deliver(await again)).toHaveLength(1);
			expect(daemon.asked.map(({ confirmed }) => confirmed)).toEqual([[], []]);
		}));

	test("are not delivered if their file has changed since", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			const fetching = late.fetch(0, undefined);
			await daemon.answer({ results: [wrong("1")], more: false });
			const findings = await fetching;
			writeFileSync(join(cwd, "a.ts"), "another text");
			expect(late.deliver(findings)).toEqual([]);
			expect(late.pending).toBe(true);
			expect(await confirmed(late)).toEqual([]);
		}));

	test("go to the later one of two fetches, so that none is delivered twice", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			const first = late.fetch(2000, undefined);
			await new Promise((resolve) => setImmediate(resolve));
			const second = late.fetch(0, undefined);
			await daemon.answer({ results: [wrong("1")], more: false });
			await daemon.answer({ results: [wrong("2")], more: false });
			expect(late.deliver(await first)).toEqual([]);
			expect(late.deliver(await second)).toHaveLength(1);
			expect(await confirmed(late)).toEqual(["2"]);
		}));

	test("are not delivered if they were fetched before another delivery", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			const first = late.fetch(0, undefined);
			await daemon.answer({ results: [wrong("1")], more: false });
			const early = await first;
			const second = late.fetch(0, undefined);
			await daemon.answer({ results: [wrong("2")], more: false });
			expect(late.deliver(await second)).toHaveLength(1);
			expect(late.deliver(early)).toEqual([]);
		}));

	test("of a check that continued after the fetch began stay pending", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			const fetching = late.fetch(0, undefined);
			await check(late, cwd);
			await daemon.answer({ results: [], more: false });
			await fetching;
			expect(late.pending).toBe(true);
		}));

	test("are confirmed again if the call with their confirmation fails", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			const fetching = late.fetch(0, undefined);
			await daemon.answer({ results: [wrong("1")], more: true });
			late.deliver(await fetching);
			const failing = () => Promise.reject(new Error("the daemon went away"));
			const lost = late.check("call", { cwd, others: "line" }, failing, undefined);
			await expect(lost).rejects.toThrow("the daemon went away");
			expect(await confirmed(late)).toEqual(["1"]);
		}));

	test("of a daemon that does not answer in time stay pending", () =>
		withDaemon(async (late, _daemon, cwd) => {
			await check(late, cwd);
			expect(await late.fetch(0, undefined)).toEqual([]);
			expect(late.pending).toBe(true);
		}));

	test("end with the daemon", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			daemon.isThere = false;
			expect(await late.fetch(0, undefined)).toEqual([]);
			expect(late.pending).toBe(false);
		}));

	test("that are in transit when all are dropped are not delivered", () =>
		withDaemon(async (late, daemon, cwd) => {
			await check(late, cwd);
			const fetching = late.fetch(2000, undefined);
			await new Promise((resolve) => setImmediate(resolve));
			late.clear();
			await daemon.answer({ results: [wrong("1")], more: true });
			expect(late.deliver(await fetching)).toEqual([]);
			expect(late.pending).toBe(false);
		}));
});
