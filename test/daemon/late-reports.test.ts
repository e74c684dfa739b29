import { expect, test } from "vitest";
import type { CheckReport, State } from "../../src/contract/check-report.ts";
import { LateReports } from "../../src/daemon/late-reports.ts";
import { EditSession } from "../../src/diagnostics/edit-session.ts";
import { stampOf } from "../../src/util/files.ts";
import { withWorkspace } from "../support/workspace.ts";

const cause = { call: "c", file: "a.ts", cwd: "/nowhere", severity: "error" } as const;
const stamps = new Map([["/nowhere/a.ts", undefined]]);
const signal = new AbortController().signal;

function report(state: State): CheckReport {
	return {
		files: [{ path: "a.ts", role: "edited", state, diagnostics: [] }],
		servers: [],
		omitted: { diagnostics: 0, files: 0 },
	};
}

function lateReports() {
	const edits = new EditSession();
	return new LateReports(edits);
}

test("LateReports: a report is delivered until it is confirmed", async () => {
	const late = lateReports();
	late.expect(cause, stamps, Promise.resolve(report("fresh")));
	const first = await late.take(1000, signal);
	expect(first.results).toMatchObject([{ call: "c", file: "a.ts" }]);
	const again = await late.take(0, signal);
	expect(again.results).toHaveLength(1);
	late.confirm(again.results.map(({ id }) => id));
	expect(await late.take(0, signal)).toEqual({ results: [], more: false });
});

test("LateReports: a check that proves nothing or fails is not reported", async () => {
	const late = lateReports();
	late.expect(cause, stamps, Promise.resolve(report("timed_out")));
	expect(await late.take(1000, signal)).toEqual({ results: [], more: false });
	late.expect(cause, stamps, Promise.reject(new Error("the server ended")));
	expect(await late.take(1000, signal)).toEqual({ results: [], more: false });
});

test("LateReports: a newer check of a file replaces the older one", async () => {
	const late = lateReports();
	late.expect(cause, stamps, new Promise(() => {}));
	late.expect({ ...cause, call: "d" }, stamps, Promise.resolve(report("fresh")));
	const { results, more } = await late.take(1000, signal);
	expect(results).toMatchObject([{ call: "d" }]);
	expect(more).toBe(true);
});

test("LateReports: a proof of a text that the file no longer has is not delivered", async () => {
	const late = lateReports();
	late.expect(cause, new Map([["/nowhere/a.ts", "1:2:3:4"]]), Promise.resolve(report("fresh")));
	expect(await late.take(1000, signal)).toEqual({ results: [], more: false });
});

test("LateReports: a check of a text that was reported in time repeats nothing", () =>
	withWorkspace({ "a.ts": "export {};\n" }, async (ws) => {
		const path = ws.path("a.ts");
		const now = new Map([[path, await stampOf(path)]]);
		const late = lateReports();
		late.answered(now, report("timed_out"));
		late.expect(cause, now, Promise.resolve(report("fresh")));
		expect((await late.take(1000, signal)).results).toHaveLength(1);
		late.answered(now, report("fresh"));
		expect(await late.take(1000, signal)).toEqual({ results: [], more: false });
	}));
