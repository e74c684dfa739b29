import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LateResults } from "../../src/daemon/late.ts";
import type { CheckReport } from "../../src/findings.ts";

const report = { files: [{ path: "a.ts", state: "fresh" }] } as unknown as CheckReport;
const about = { call: "c", path: "/nowhere/a.ts", display: "a.ts", rest: true, stamp: undefined };
const signal = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("what has been fetched is held by nothing any more", async () => {
	const late = new LateResults();
	late.expect("s", about, Promise.resolve(report));
	await new Promise((resolve) => setImmediate(resolve));
	expect((await late.take("s", 0, signal)).results).toMatchObject([{ call: "c", report }]);
	expect(vi.getTimerCount()).toBe(0);
});

test("of sessions that nobody asks for, the last hundred are kept", async () => {
	const late = new LateResults();
	for (let session = 0; session < 150; session++) late.expect(String(session), about, new Promise(() => {}));
	expect((await late.take("0", 0, signal)).pending).toBe(0);
	expect((await late.take("149", 0, signal)).pending).toBe(1);
});
