import { basename } from "node:path";
import { expect, test } from "vitest";
import type { ServerConfig } from "../../../server.ts";
import { diagnosticsOf } from "../../../src/diagnostics/sources/prove.ts";
import { collectPushes, Pushes, pushedDiagnostics } from "../../../src/diagnostics/sources/push.ts";
import { toUri } from "../../../src/util/positions.ts";
import { type Fake, withFake } from "../../fakes/fake.ts";
import type { Rule, Step } from "../../fakes/script.ts";
import { met, notYet, until } from "../../support/until.ts";

const file = "a.fake";

/** Publishes one finding, or none, about `file`; without a version. */
function publish(root: string, ...messages: string[]): Step {
	const position = { line: 0, character: 0 };
	const diagnostics = messages.map((message) => ({ range: { start: position, end: position }, severity: 1, message }));
	return { notify: "textDocument/publishDiagnostics", params: { uri: toUri(`${root}/${file}`), diagnostics } };
}

function progress(kind: "begin" | "end"): Step {
	return { notify: "$/progress", params: { token: "1", value: { kind, title: "Reading" } } };
}

/** A server that publishes according to `rules`, and a request for its pushes about a text. */
function pushing(
	capabilities: Readonly<Record<string, unknown>>,
	rules: (root: string) => readonly Rule[],
	body: (
		ask: (text: string, save?: boolean, ms?: number) => Promise<string[]>,
		learnedMs: () => number,
	) => Promise<void>,
	config: Partial<ServerConfig> = {},
): Promise<void> {
	const run = async (fake: Fake) => {
		const path = fake.write(file, "");
		fake.script({ capabilities, on: rules(fake.root) });
		const server = await fake.start();
		collectPushes(server);
		const ask = async (text: string, save?: boolean, ms = 5000) => {
			const document = server.documents.set(path, "fake", text);
			const asking = { signal: AbortSignal.timeout(ms), ...(save === undefined ? {} : { save }) };
			return (await pushedDiagnostics(server, document, asking)).map(({ message }) => String(message));
		};
		await body(ask, () => server.learnedMs ?? 0);
	};
	return withFake({}, run, config);
}

const opened = (root: string): Rule => ({ method: "textDocument/didOpen", do: [publish(root)] });
const saved = (root: string): Rule => ({ method: "textDocument/didSave", do: [publish(root, "wrong")] });

test.concurrent.each([
	["declares it", { textDocumentSync: { openClose: true, change: 1, save: true } }],
	["names only the kind of its changes, which means saves as well", { textDocumentSync: 1 }],
])("a server that publishes at a save is notified of the save, if it %s", (_, capabilities) =>
	pushing(
		capabilities,
		(root) => [opened(root), saved(root)],
		async (ask) => {
			await ask("right");
			expect(await ask("wrong")).toEqual(["wrong"]);
		},
	),
);

test.concurrent("a text that is not on disk is not reported as saved", () =>
	pushing(
		{ textDocumentSync: { openClose: true, change: 1, save: true } },
		(root) => [opened(root), { method: "textDocument/didChange", do: [publish(root, "changed")] }, saved(root)],
		async (ask) => {
			await ask("right", false);
			expect(await ask("wrong", false)).toEqual(["changed"]);
		},
	));

test.concurrent("the time of the first answer, which includes the server's start, counts only until there is another", () =>
	pushing(
		{ textDocumentSync: 1 },
		(root) => [
			{ method: "textDocument/didOpen", do: [{ delay: 1500 }, publish(root)] },
			{ method: "textDocument/didChange", do: [publish(root, "wrong")] },
		],
		async (ask, learnedMs) => {
			await ask("right", false);
			await ask("wrong", false);
			expect(learnedMs()).toBeLessThan(1500);
		},
	));

test.concurrent("the delay of a push is learned even if the caller gives up during the silence after it", () =>
	pushing(
		{ textDocumentSync: 1 },
		(root) => [
			{ method: "textDocument/didOpen", do: [{ delay: 2000 }, publish(root)] },
			{ method: "textDocument/didChange", do: [publish(root, "wrong")] },
		],
		async (ask, learnedMs) => {
			await ask("right", false, 60_000);
			const first = Math.floor(learnedMs());
			await expect(ask("wrong", false, first - 500)).rejects.toThrow();
			expect(learnedMs()).toBeLessThan(first);
			expect(await ask("wrong again", false, first - 500)).toEqual(["wrong"]);
		},
	));

test.concurrent("a push about an old text that another file has caused teaches no delay", () =>
	withFake({}, async (fake) => {
		const path = fake.write(file, "right");
		const [first, later] = [publish(fake.root), publish(fake.root, "wrong")];
		fake.script({
			capabilities: { textDocumentSync: 1 },
			on: [{ method: "textDocument/didOpen", do: [first, { waitFor: `${fake.root}/other` }, later] }],
		});
		const server = await fake.start();
		collectPushes(server);
		const document = server.documents.set(path, "fake", "right");
		const ask = () => pushedDiagnostics(server, document, { signal: AbortSignal.timeout(20_000), save: false });
		expect(await ask()).toEqual([]);
		const before = server.learnedMs;
		fake.write("other", "");
		await until("the other file has its effect", () =>
			server.part(Pushes).isFailing(path) ? met(true) : notYet("clean"),
		);
		expect((await ask()).map(({ message }) => message)).toEqual(["wrong"]);
		expect(server.learnedMs).toBe(before);
	}));

test.concurrent("the quiet time is waited for once", () =>
	pushing(
		{ textDocumentSync: 1 },
		(root) => [opened(root), { method: "textDocument/didChange", do: [{ delay: 333 }, publish(root)] }],
		async (ask, learnedMs) => {
			await ask("0");
			await ask("1");
			for (const text of ["2", "3", "4", "5", "6", "7"]) {
				const quietMs = learnedMs();
				const began = performance.now();
				await ask(text);
				expect(performance.now() - began).toBeLessThan(quietMs * 2);
			}
		},
	));

test.concurrent("a push that comes sooner after a change than the server ever sends one is about an older text", () =>
	pushing(
		{ textDocumentSync: 1 },
		(root) => [
			opened(root),
			{ method: "textDocument/didChange", do: [publish(root), { delay: 1500 }, publish(root, "wrong")] },
		],
		async (ask) => {
			expect(await ask("right", false)).toEqual([]);
			expect(await ask("wrong", false)).toEqual(["wrong"]);
		},
		{ pushes: { afterMs: 1200 } },
	));

test.concurrent("a push while the server reads its project is not yet the answer", () =>
	pushing(
		{ textDocumentSync: 1 },
		(root) => [
			{
				method: "textDocument/didOpen",
				do: [
					...[progress("begin"), publish(root), { delay: 1500 }],
					...[publish(root), progress("end"), { delay: 100 }, publish(root, "wrong")],
				],
			},
		],
		async (ask) => expect(await ask("wrong", false)).toEqual(["wrong"]),
		{ pushes: { afterLoading: true } },
	));

test.concurrent("a server that publishes only changes is asked by a wrong text in between whether a silent one is clean", () =>
	withFake(
		{ publishes: "changes" },
		async (fake) => {
			const server = await fake.start();
			collectPushes(server);
			const path = fake.write(file, "");
			const sent = () => fake.received("textDocument/didChange").map(({ params }) => params?.contentChanges);
			const ask = async (text: string) => {
				const document = server.documents.set(path, "fake", text);
				const found = await pushedDiagnostics(server, document, { signal: AbortSignal.timeout(10_000) });
				return found.map(({ message }) => String(message));
			};
			expect(await ask("right\n")).toEqual([]);
			expect(await ask("alright\n")).toEqual([]);
			expect(sent().slice(1)).toEqual([[{ text: "alright\nWRONG" }], [{ text: "alright\n" }]]);
			expect(await ask("right WRONG\n")).toHaveLength(1);
			expect(await ask("right WRONG\n\n")).toHaveLength(1);
			expect(await ask("right\n")).toEqual([]);
		},
		{ pushes: { provokedBy: "WRONG" } },
	));

const changed = (root: string): Rule => ({ method: "textDocument/didChange", do: [publish(root)] });
const command = { command: "publish", arguments: ["", true] };

/** Makes one request about a text after an event; returns the diagnostics, the commands sent and the learned time. */
function asked(answer: (root: string) => readonly Step[], event?: string) {
	const asked: { found?: string[]; commands?: unknown[]; learnedMs?: number | undefined } = {};
	const run = async (fake: Fake) => {
		const path = fake.write(file, "");
		const onCommand: Rule = { method: "workspace/executeCommand", do: answer(fake.root) };
		fake.script({ capabilities: { textDocumentSync: 1 }, on: [opened(fake.root), changed(fake.root), onCommand] });
		const server = await fake.start();
		collectPushes(server);
		// The first answer comes while the index is being built.
		await pushedDiagnostics(server, server.documents.set(path, "fake", ""), { save: false });
		server.learnedMs = undefined;
		const document = server.documents.set(path, "fake", "a");
		if (event)
			server.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: toUri(`${fake.root}/${event}`), type: 1 }] });
		const items = await pushedDiagnostics(server, document, { save: false, signal: AbortSignal.timeout(10_000) });
		asked.found = items.map(({ message }) => String(message));
		asked.commands = fake.received("workspace/executeCommand").map(({ params }) => params?.arguments);
		asked.learnedMs = server.learnedMs;
		asked.commands = asked.commands.map((given) => JSON.stringify(given).replace(toUri(path), "URI"));
	};
	return withFake({}, run, { pushes: { endedBy: command } }).then(() => asked);
}

const publishedAtCommand = (root: string) => [publish(root, "wrong"), { reply: null }];

test.concurrent("the push before the answer of the publishing command is the answer, without a quiet time", async () => {
	expect(await asked(publishedAtCommand)).toEqual({
		found: ["wrong"],
		commands: ['["URI","",true]'],
		learnedMs: undefined,
	});
});

test.concurrent("an event about the open file itself keeps the command's answer certain", async () => {
	expect(await asked(publishedAtCommand, file)).toMatchObject({ found: ["wrong"], learnedMs: undefined });
});

test.concurrent("the command is not sent soon after an event about a file that is not open, and a quiet time is waited for", async () => {
	const { found, commands, learnedMs } = await asked(publishedAtCommand, "other.fake");
	expect({ found, commands }).toEqual({ found: [], commands: [] });
	expect(learnedMs).toBeGreaterThan(0);
});

test.concurrent("another document's changed text is checked by the command once, before the requested file", async () => {
	const run = async (fake: Fake) => {
		const [path, other] = [fake.write(file, ""), fake.write("other.fake", "")];
		const onCommand: Rule = { method: "workspace/executeCommand", do: publishedAtCommand(fake.root) };
		fake.script({ capabilities: { textDocumentSync: 1 }, on: [opened(fake.root), changed(fake.root), onCommand] });
		const server = await fake.start();
		collectPushes(server);
		const ask = (text: string) =>
			pushedDiagnostics(server, server.documents.set(path, "fake", text, "on disk"), { save: false });
		// The first answer comes while the index is being built.
		await ask("");
		const commands = () =>
			fake.received("workspace/executeCommand").map(({ params }) => basename(String(params?.arguments?.[0 as never])));
		server.documents.set(other, "fake", "", "on disk");
		await ask("a");
		expect(commands()).toEqual([file]);
		server.documents.set(other, "fake", "changed");
		await ask("b");
		await ask("c");
		expect(commands()).toEqual([file, "other.fake", file, file]);
	};
	await withFake({}, run, { pushes: { endedBy: command } });
});

test.concurrent("a server that refuses the publishing command is waited for like any other", async () => {
	const { found, learnedMs } = await asked(() => [{ error: { code: -32601, message: "unknown" } }]);
	expect(found).toEqual([]);
	expect(learnedMs).toBeGreaterThan(0);
});

test.concurrent("a server that exits before it has published is reported as crashed", async () => {
	const run = async (fake: Fake) => {
		fake.script({
			capabilities: { documentSymbolProvider: true, diagnosticProvider: null },
			on: [{ method: "textDocument/documentSymbol", do: [{ reply: [] }, { crash: 1 }] }],
		});
		const server = await fake.start();
		collectPushes(server);
		const document = server.documents.set(fake.write(file, ""), "fake", "");
		const asked = diagnosticsOf(server, document, { signal: AbortSignal.timeout(20_000) });
		await expect(asked).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
	};
	await withFake({}, run);
});
