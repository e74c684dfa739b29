import { expect, test } from "vitest";
import { flycheckDiagnostics, followFlychecks } from "../../../src/diagnostics/sources/flycheck.ts";
import { collectPushes } from "../../../src/diagnostics/sources/push.ts";
import { toUri } from "../../../src/util/positions.ts";
import { withFake } from "../../fakes/fake.ts";
import type { Rule, Step } from "../../fakes/script.ts";

const progress = (kind: "begin" | "end"): Step => ({
	notify: "$/progress",
	params: { token: "rust-analyzer/flycheck/0", value: { kind, ...(kind === "begin" ? { title: "cargo check" } : {}) } },
});
const start = { line: 0, character: 0 };
const wrong = { range: { start, end: start }, severity: 1, message: "borrowed" };

/** What is told of a file after one check or two; `saved` says what the server does at each save. */
async function told(saved: (publish: (items: readonly object[]) => Step) => readonly (readonly Step[])[]) {
	const messages: string[][] = [];
	await withFake({}, async (fake) => {
		const path = fake.write("a.fake", "x\n");
		const publish = (diagnostics: readonly object[]): Step => ({
			notify: "textDocument/publishDiagnostics",
			params: { uri: toUri(path), diagnostics },
		});
		const saves = saved(publish);
		const on = saves.map((steps, index): Rule => ({ method: "textDocument/didSave", nth: index + 1, do: steps }));
		fake.script({
			capabilities: { textDocumentSync: { change: 1, save: true }, diagnosticProvider: null },
			on: [
				{ method: "textDocument/didOpen", do: [{ notify: "experimental/serverStatus", params: { quiescent: true } }] },
				...on,
			],
		});
		const server = await fake.start();
		collectPushes(server);
		followFlychecks(server);
		const document = server.documents.set(path, "fake", "x\n");
		for (const _ of saves) {
			const items = await flycheckDiagnostics(server, document, { signal: AbortSignal.timeout(5000) });
			messages.push(items.map(({ message }) => String(message)));
		}
	});
	return messages;
}

test("the end of a check that a save has cut off is not the end of the one that it began", async () => {
	const cutOff: Step[] = [progress("begin"), progress("end")];
	expect(
		await told((publish) => [[...cutOff, progress("begin"), { delay: 300 }, publish([wrong]), progress("end")]]),
	).toEqual([["borrowed"]]);
});

test("nor the end of one that was running at the save", async () => {
	expect(
		await told((publish) => [
			// The first save's check ends, and another begins that nobody asked for.
			[progress("begin"), progress("end"), { delay: 200 }, progress("begin")],
			[progress("end"), progress("begin"), { delay: 300 }, publish([wrong]), progress("end")],
		]),
	).toEqual([[], ["borrowed"]]);
});
