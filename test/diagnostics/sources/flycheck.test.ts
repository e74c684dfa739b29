import { utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { convertDiagnostics } from "../../../src/diagnostics/sources/convert.ts";
import {
	diagnosticsBeforeCheck,
	flycheckDiagnostics,
	followFlychecks,
	hasCheckedText,
} from "../../../src/diagnostics/sources/flycheck.ts";
import { diagnosticsOf } from "../../../src/diagnostics/sources/prove.ts";
import { collectPushes, Pushes } from "../../../src/diagnostics/sources/push.ts";
import type { OpenDocument } from "../../../src/lsp/documents.ts";
import type { LanguageServer } from "../../../src/lsp/server.ts";
import { toUri } from "../../../src/util/positions.ts";
import { type Fake, withFake } from "../../fakes/fake.ts";
import type { Rule, Step } from "../../fakes/script.ts";

const progress = (kind: "begin" | "end"): Step => ({
	notify: "$/progress",
	params: { token: "rust-analyzer/flycheck/0", value: { kind, ...(kind === "begin" ? { title: "cargo check" } : {}) } },
});
const status = (quiescent: boolean): Step => ({ notify: "experimental/serverStatus", params: { quiescent } });
const start = { line: 0, character: 0 };
const wrong = { range: { start, end: start }, severity: 1, message: "borrowed" };

/** A server that follows its checks, and its first document. */
async function opened(fake: Fake, path: string): Promise<{ server: LanguageServer; document: OpenDocument }> {
	const server = await fake.start();
	collectPushes(server);
	followFlychecks(server);
	return { server, document: server.documents.set(path, "fake", "x\n") };
}

/** The messages of a file after one check or two; `saved` gives the server's steps at each save. */
async function messagesOfChecks(saved: (publish: (items: readonly object[]) => Step) => readonly (readonly Step[])[]) {
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
			on: [{ method: "textDocument/didOpen", do: [status(true)] }, ...on],
		});
		const { server, document } = await opened(fake, path);
		for (const _ of saves) {
			const items = await flycheckDiagnostics(server, document, { signal: AbortSignal.timeout(5000) });
			messages.push(items.map(({ message }) => String(message)));
		}
	});
	return messages;
}

test("the end of a check that a save has interrupted is not the end of the check that it started", async () => {
	const cutOff: Step[] = [progress("begin"), progress("end")];
	expect(
		await messagesOfChecks((publish) => [
			[...cutOff, progress("begin"), { delay: 300 }, publish([wrong]), progress("end")],
		]),
	).toEqual([["borrowed"]]);
});

test("the end of a check that was running at the save is not the answer", async () => {
	expect(
		await messagesOfChecks((publish) => [
			// The first save's check ends, and another begins without a request.
			[progress("begin"), progress("end"), { delay: 700 }, progress("begin")],
			[progress("end"), progress("begin"), { delay: 300 }, publish([wrong]), progress("end")],
		]),
	).toEqual([[], ["borrowed"]]);
});

test("a save that begins no check is sent again", async () => {
	const lost: Step[] = [];
	let saves = 0;
	await withFake({}, async (fake) => {
		const path = fake.write("a.fake", "x\n");
		const found: Step = {
			notify: "textDocument/publishDiagnostics",
			params: { uri: toUri(path), diagnostics: [wrong] },
		};
		fake.script({
			capabilities: { textDocumentSync: { change: 1, save: true }, diagnosticProvider: null },
			on: [
				{ method: "textDocument/didOpen", do: [status(true)] },
				{ method: "textDocument/didSave", nth: 1, do: [progress("begin"), progress("end")] },
				{ method: "textDocument/didSave", nth: 2, do: lost },
				{ method: "textDocument/didSave", nth: 3, do: [progress("begin"), found, progress("end")] },
			],
		});
		const { server, document } = await opened(fake, path);
		for (; saves < 2; saves++) {
			const items = await flycheckDiagnostics(server, document, { signal: AbortSignal.timeout(20_000) });
			expect(items).toHaveLength(saves);
		}
	});
	expect(saves).toBe(2);
});

test.each<readonly [string, readonly Step[]]>([
	["instead of a check", [{ crash: 1 }]],
	["in the middle of a check", [progress("begin"), { crash: 1 }]],
])("a server that ends %s is reported as crashed", async (_, steps) => {
	const run = async (fake: Fake) => {
		const path = fake.write("a.fake", "x\n");
		fake.script({
			capabilities: {
				textDocumentSync: { change: 1, save: true },
				diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
			},
			on: [
				{ method: "textDocument/didOpen", do: [status(true)] },
				{ method: "textDocument/didSave", nth: 1, do: [progress("begin"), progress("end")] },
				{ method: "textDocument/didSave", nth: 2, do: steps },
				{ method: "textDocument/diagnostic", do: [{ reply: { kind: "full", items: [] } }] },
			],
		});
		const { server, document } = await opened(fake, path);
		const check = () => diagnosticsOf(server, document, { signal: AbortSignal.timeout(20_000) });
		await check();
		await expect(check()).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
	};
	await withFake({}, run, { strategy: "flycheck" });
});

/**
 * The answer to a query without a save after a check that no save began has withdrawn the diagnostics of the one
 * before.
 */
async function readDuring(steps: (publish: (items: readonly object[]) => Step) => readonly Step[]) {
	const messages: string[] = [];
	await withFake({}, async (fake) => {
		const path = fake.write("a.fake", "x\n");
		const publish = (diagnostics: readonly object[]): Step => ({
			notify: "textDocument/publishDiagnostics",
			params: { uri: toUri(path), diagnostics },
		});
		fake.script({
			capabilities: {
				textDocumentSync: { change: 1, save: true },
				diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
			},
			on: [
				{ method: "textDocument/didOpen", do: [status(true)] },
				{ method: "textDocument/didSave", do: [progress("begin"), publish([wrong]), progress("end")] },
				{ method: "test/reload", do: [...steps(publish)] },
				{ method: "textDocument/diagnostic", do: [{ reply: { kind: "full", items: [] } }] },
			],
		});
		const { server, document } = await opened(fake, path);
		const signal = AbortSignal.timeout(20_000);
		await flycheckDiagnostics(server, document, { signal });
		const pushes = server.part(Pushes);
		server.notify("test/reload", {});
		while (pushes.last(path)?.isEmpty !== true) await pushes.next(1000);
		const items = await flycheckDiagnostics(server, document, { save: false, signal });
		messages.push(...items.map(({ message }) => String(message)));
	});
	return messages;
}

test("a file whose last push lacks an error of the one before is published once more", async () => {
	await withFake({}, async (fake) => {
		const [open, closed] = [fake.write("a.fake", "x\n"), fake.write("b.fake", "x\n")];
		const publish = (path: string, ...messages: string[]): Step => ({
			notify: "textDocument/publishDiagnostics",
			params: { uri: toUri(path), diagnostics: messages.map((message) => ({ ...wrong, message })) },
		});
		const all = (path: string) => publish(path, "first", "second");
		fake.script({
			capabilities: { textDocumentSync: { change: 1, save: true }, diagnosticProvider: null },
			on: [
				{ method: "textDocument/didOpen", nth: 1, do: [status(true)] },
				{
					method: "textDocument/didSave",
					do: [
						progress("begin"),
						...[open, closed].flatMap((path) => [all(path), publish(path, "first")]),
						progress("end"),
					],
				},
				{ method: "textDocument/didClose", nth: 1, do: [all(open), all(closed)] },
			],
		});
		const server = await fake.start();
		collectPushes(server);
		followFlychecks(server);
		const document = server.documents.set(open, "fake", "x\n");
		const items = await flycheckDiagnostics(server, document, { signal: AbortSignal.timeout(20_000) });
		expect(items.map(({ message }) => message)).toEqual(["first", "second"]);
		expect(server.part(Pushes).last(closed)?.items()).toHaveLength(2);
	});
});

test("a query during a check reads the results of the check when it ends, and what is published after its end", async () => {
	expect(
		await readDuring((publish) => [progress("begin"), publish([]), { delay: 300 }, progress("end"), publish([wrong])]),
	).toEqual(["borrowed"]);
});

test("a project that is reloaded is not read before the check that follows", async () => {
	expect(
		await readDuring((publish) => [
			status(false),
			publish([]),
			{ delay: 100 },
			status(true),
			{ delay: 300 },
			progress("begin"),
			{ delay: 100 },
			publish([wrong]),
			progress("end"),
		]),
	).toEqual(["borrowed"]);
});

test("a check changes the files for which it has other results than the one before, and no others", async () => {
	await withFake({}, async (fake) => {
		const path = fake.write("a.fake", "x\n");
		const at = (name: string) => join(dirname(path), name);
		const item = (message: string) => ({ ...wrong, message, source: "rustc" });
		const publish = (name: string, ...diagnostics: readonly object[]): Step => ({
			notify: "textDocument/publishDiagnostics",
			params: { uri: toUri(at(name)), diagnostics },
		});
		const before = [
			publish("same.fake", item("old")),
			publish("mended.fake", item("gone")),
			publish("broken.fake", item("old")),
		];
		const cleared = ["same.fake", "mended.fake", "broken.fake"].map((name) => publish(name));
		const after = [publish("same.fake", item("old")), publish("broken.fake", item("old"), item("new"))];
		fake.script({
			capabilities: { textDocumentSync: { change: 1, save: true }, diagnosticProvider: null },
			on: [
				{ method: "textDocument/didOpen", do: [status(true)] },
				{ method: "textDocument/didSave", nth: 1, do: [progress("begin"), ...before, progress("end")] },
				{ method: "textDocument/didSave", nth: 2, do: [progress("begin"), ...cleared, ...after, progress("end")] },
			],
		});
		const { server, document } = await opened(fake, path);
		const check = () => flycheckDiagnostics(server, document, { signal: AbortSignal.timeout(5000) });
		await check();
		expect(await hasCheckedText(server, path, "x\n")).toBe(true);
		// A check that includes the edit gives no earlier state.
		expect(await hasCheckedText(server, path, "before\n")).toBe(false);
		fake.write("a.fake", "y\n");
		expect(await hasCheckedText(server, path, "x\n")).toBe(true);
		await check();
		const changed = server.part(Pushes).changed();
		expect([...changed.keys()].sort()).toEqual([at("broken.fake"), at("mended.fake")]);

		// Errors that rust-analyzer itself finds in a file that was never requested count as old.
		const now = [{ ...item("own"), source: "rust-analyzer" }, { ...item("old"), range: wrong.range }, item("new")];
		const diagnostics = await convertDiagnostics(now as never, ["x", ""], "utf-16");
		const proof = { path: at("broken.fake"), text: "x\n", hash: "", diagnostics };
		const pushed = [...(changed.get(proof.path) ?? []), item("gone") as never];
		const old = await diagnosticsBeforeCheck(server, proof, pushed);
		expect(old.diagnostics.map(({ message }) => message).sort()).toEqual(["gone", "old", "own"]);
	});
});

test("a save of an unchanged file leaves open what the last edit has changed", async () => {
	await withFake({}, async (fake) => {
		const [path, other] = [fake.write("a.fake", "x\n"), fake.write("b.fake", "x\n")];
		const old = new Date(Date.now() - 60_000);
		utimesSync(other, old, old);
		const publish = (...diagnostics: readonly object[]): Step => ({
			notify: "textDocument/publishDiagnostics",
			params: { uri: toUri(other), diagnostics },
		});
		const check = (...found: readonly object[]) => [progress("begin"), publish(...found), progress("end")];
		fake.script({
			capabilities: { textDocumentSync: { change: 1, save: true }, diagnosticProvider: null },
			on: [
				{ method: "textDocument/didOpen", do: [status(true)] },
				{ method: "textDocument/didSave", nth: 1, do: check(wrong) },
				{ method: "textDocument/didSave", nth: 2, do: check(wrong) },
				{ method: "textDocument/didSave", nth: 3, do: check(wrong) },
			],
		});
		const server = await fake.start();
		collectPushes(server);
		followFlychecks(server);
		const documents = [path, path, other].map((each) => () => server.documents.set(each, "fake", "x\n"));
		for (const open of documents) {
			fake.write("a.fake", "y\n");
			await flycheckDiagnostics(server, open(), { signal: AbortSignal.timeout(5000) });
		}
		expect([...server.part(Pushes).changed().keys()]).toEqual([]);
	});
});

const reloads: Record<string, readonly Step[]> = {
	"just after the project was loaded again": [status(false), status(true)],
	"behind a check that followed the project's loading": [
		status(false),
		status(true),
		progress("begin"),
		progress("end"),
	],
};

test.each(Object.entries(reloads))(
	"a save %s is compared with what was published before the file changed",
	async (_, reloaded) => {
		await withFake({}, async (fake) => {
			const path = fake.write("a.fake", "x\n");
			const other = join(dirname(path), "other.fake");
			const publish = (...diagnostics: readonly object[]): Step => ({
				notify: "textDocument/publishDiagnostics",
				params: { uri: toUri(other), diagnostics },
			});
			fake.script({
				capabilities: { textDocumentSync: { change: 1, save: true }, diagnosticProvider: null },
				on: [
					{ method: "textDocument/didOpen", do: [status(true)] },
					{ method: "textDocument/didSave", nth: 1, do: [progress("begin"), publish(wrong), progress("end")] },
					{ method: "test/reload", do: [...reloaded, publish()] },
					{ method: "textDocument/didSave", nth: 2, do: [progress("begin"), progress("end")] },
				],
			});
			const server = await fake.start();
			collectPushes(server);
			followFlychecks(server);
			const document = server.documents.set(path, "fake", "x\n");
			const pushes = server.part(Pushes);
			const check = () => flycheckDiagnostics(server, document, { signal: AbortSignal.timeout(5000) });
			await check();
			expect([...pushes.changed().keys()]).toEqual([other]);
			fake.write("a.fake", "y\n");
			server.notify("test/reload", {});
			while (pushes.last(other)?.isEmpty !== true) await pushes.next(1000);
			await check();
			expect([...pushes.changed().keys()]).toEqual([other]);
			expect(pushes.changed().get(other)).toHaveLength(1);
		});
	},
);
