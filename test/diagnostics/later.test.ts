import { expect, test } from "vitest";
import { nobody } from "../../src/diagnostics/others.ts";
import { type Finding, laterReport } from "../../src/diagnostics/reports.ts";
import type { Located } from "../../src/workspace/locate.ts";
import { error } from "./sample.ts";

const located: Located = { path: "/w/a.ts", display: "a.ts", workspace: "/w", routes: [] };
const found: Finding = {
	server: { id: "eslint", root: "/w", strategy: "pull", state: "fresh", ms: 1 },
	diagnostics: [error(1)],
	...nobody,
};
const seen = { ...nobody, others: [{ path: "/w/b.ts", state: "fresh", diagnostics: [error(2)] } as const] };

function rejected<T>(): Promise<T> {
	const promise = Promise.reject<T>(new Error("cut off"));
	promise.catch(() => {});
	return promise;
}

test("what a late server found is told although the second look was cut off", async () => {
	const report = await laterReport(located, [rejected()], [Promise.resolve(found)], "/w");
	expect(report.files).toMatchObject([{ path: "a.ts", role: "edited", state: "fresh", diagnostics: [{ line: 1 }] }]);
});

test("what a second look found is told although a late server ended, and the other look was cut off", async () => {
	const report = await laterReport(located, [rejected(), Promise.resolve(seen)], [rejected()], "/w");
	expect(report.files).toMatchObject([{ path: "b.ts", role: "affected", diagnostics: [{ line: 2 }] }]);
});

test("where nothing came, nothing is told", async () => {
	await expect(laterReport(located, [rejected()], [rejected()], "/w")).rejects.toThrow("cut off");
});
