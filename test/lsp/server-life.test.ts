import { describe, expect, test } from "vitest";
import { LspError } from "../../src/contract/errors.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { deadline } from "../../src/util/abort.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import { met, notYet, until } from "../support/until.ts";

const hover = "textDocument/hover";

/** Resolves when the server's process has ended. */
function ended(server: LanguageServer): Promise<unknown> {
	return until("the server has ended", () => (server.state === "stopped" ? met(true) : notYet(server.state)), {
		timeoutMs: 10_000,
	});
}

const questions = [
	["workspace/configuration", { items: [{ section: "a" }, {}] }],
	["workspace/workspaceFolders", undefined],
	["workspace/applyEdit", { edit: {} }],
	["workspace/codeLens/refresh", undefined],
	["workspace/semanticTokens/refresh", undefined],
	["workspace/inlayHint/refresh", undefined],
	["workspace/inlineValue/refresh", undefined],
	["workspace/diagnostic/refresh", undefined],
	["workspace/foldingRange/refresh", undefined],
	["client/registerCapability", { registrations: [{ id: "r", method: "textDocument/formatting" }] }],
	["client/unregisterCapability", { unregisterations: [{ id: "r", method: "textDocument/formatting" }] }],
	["window/workDoneProgress/create", { token: "t" }],
	["window/showMessageRequest", { type: 1, message: "well?" }],
	["window/showDocument", { uri: "file:///a" }],
	["client/registerCapability", { registrations: [null] }],
	["workspace/configuration", null],
	["$/noSuchThing", {}],
] as const;

/** The fake's requests, under ids of every kind; small numbers collide with the client's own. */
const asks = questions.map(([ask, params], index) => ({ ask, params, id: index % 2 ? index - 3 : `q${index}` }));

/** All the client's answers to the fake's requests. */
async function answersTo(fake: Fake): Promise<NonNullable<ReturnType<Fake["record"]>[number]["got"]>[]> {
	return until("every question is answered", () => {
		const answers = fake.record().flatMap(({ got }) => (got && got.method === undefined ? [got] : []));
		return answers.length >= asks.length ? met(answers) : notYet(`${answers.length} of ${asks.length}`);
	});
}

describe("every request from a server is answered, and never with an error,", () => {
	test("before it answers initialize", () =>
		withFake({ on: [{ method: "initialize", do: [...asks, { default: true }] }] }, async (fake) => {
			await fake.start();
			const answers = await answersTo(fake);
			expect(answers.filter(({ error }) => error)).toEqual([]);
			expect(answers.map(({ id }) => id).sort()).toEqual(asks.map(({ id }) => id).sort());
			expect(answers.find(({ id }) => id === "q0")?.result).toEqual([null, {}]);
		}));

	test("during a request", () =>
		withFake({ on: [{ method: hover, do: [...asks, { default: true }] }] }, async (fake) => {
			const server = await fake.start();
			await server.request(hover, { textDocument: { uri: "file:///a" } });
			expect((await answersTo(fake)).filter(({ error }) => error)).toEqual([]);
		}));

	test("while it shuts down", () =>
		withFake({ on: [{ method: "shutdown", do: [...asks, { delay: 300 }, { default: true }] }] }, async (fake) => {
			const server = await fake.start();
			await server.stop();
			expect((await answersTo(fake)).filter(({ error }) => error)).toEqual([]);
		}));
});

describe("a request", () => {
	test.each([-32801, -32802])("is sent again if the server cancels it with %i", (code) =>
		withFake(
			{
				on: [
					{ method: hover, nth: 1, do: [{ error: { code, message: "modified" } }] },
					{ method: hover, nth: 2, do: [{ error: { code, message: "modified" } }] },
					{ method: hover, do: [{ reply: { contents: "fine" } }] },
				],
			},
			async (fake) => {
				const server = await fake.start();
				expect(await server.request(hover, {})).toEqual({ contents: "fine" });
				expect(fake.received(hover)).toHaveLength(3);
			},
		),
	);

	test("rejects with a typed error if the server always cancels it", () =>
		withFake({ on: [{ method: hover, do: [{ error: { code: -32801, message: "modified" } }] }] }, async (fake) => {
			const server = await fake.start();
			await expect(server.request(hover, {})).rejects.toMatchObject({ code: "LSP_SERVER_ERROR" });
			expect(fake.received(hover).length).toBeLessThanOrEqual(5);
		}));

	test("names the server and the reason if it fails", () =>
		withFake({ on: [{ method: hover, do: [{ error: { code: -32603, message: "no such thing" } }] }] }, async (fake) => {
			const server = await fake.start();
			await expect(server.request(hover, {})).rejects.toMatchObject({
				code: "LSP_SERVER_ERROR",
				message: "fake: no such thing",
			});
		}));

	test("does not delay others if it has no response, and its cancellation reaches the server", () =>
		withFake({ on: [{ method: hover, nth: 1, do: [{ never: true }] }] }, async (fake) => {
			const server = await fake.start();
			const controller = new AbortController();
			const slow = server.request(hover, { textDocument: { uri: "file:///a" } }, controller.signal);
			expect(await server.request(hover, { textDocument: { uri: "file:///a" } })).not.toBeNull();
			controller.abort();
			await expect(slow).rejects.toMatchObject({ code: "LSP_CANCELLED" });
			await until("the server hears of it", () =>
				fake.received("$/cancelRequest").length ? met(true) : notYet("nothing yet"),
			);
		}));

	test("in flight at a crash rejects with how the server ended and its last output", () =>
		withFake({ on: [{ method: hover, do: [{ stderr: "out of memory\n" }, { crash: 134 }] }] }, async (fake) => {
			const server = await fake.start();
			const error = await server.request(hover, {}).catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({
				code: "LSP_SERVER_CRASHED",
				details: { exit_code: 134, stderr: expect.stringContaining("out of memory") },
			});
			expect((error as Error).message).toContain("134");
		}));

	test("is answered once however often the server answers it", () =>
		withFake(
			{ on: [{ method: hover, do: [{ default: true }, { default: true }, { send: { id: 999, result: 1 } }] }] },
			async (fake) => {
				const server = await fake.start();
				for (let i = 0; i < 3; i++)
					expect(await server.request(hover, { textDocument: { uri: "file:///a" } })).not.toBeNull();
			},
		));
});

describe("a server that breaks its pipes is ended within a second", () => {
	test.each([
		["closes its output and lives on", [{ close: "stdout" as const }]],
		["writes a frame that cannot be read", [{ raw: "Content-Length: 5\r\n\r\nhello" }]],
		["writes a negative length", [{ raw: "Content-Length: -1\r\n\r\n" }]],
		["writes a frame that is no UTF-8", [{ bytes: "436f6e74656e742d4c656e6774683a20330d0a0d0a22ff22" }]],
		[
			"is killed in the middle of a frame",
			[{ raw: 'Content-Length: 500\r\n\r\n{"json' }, { crash: "SIGKILL" as const }],
		],
	])("%s", (_, steps) =>
		withFake({ start: [{ stay: true }], on: [{ method: hover, do: steps }] }, async (fake) => {
			const server = await fake.start();
			const began = performance.now();
			await expect(server.request(hover, {})).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
			await ended(server);
			expect(performance.now() - began).toBeLessThan(5000);
		}),
	);

	test("closes its input and keeps running: the next message detects it", () =>
		withFake(
			{ start: [{ stay: true }], on: [{ method: hover, do: [{ default: true }, { close: "stdin" }] }] },
			async (fake) => {
				const server = await fake.start();
				await server.request(hover, { textDocument: { uri: "file:///a" } });
				const poke = setInterval(() => server.notify("$/poke", {}), 20);
				try {
					await ended(server);
				} finally {
					clearInterval(poke);
				}
			},
		));
});

test("malformed notifications disturb nothing", () =>
	withFake(
		{
			on: [
				{
					method: hover,
					do: [
						{ notify: "$/progress", params: null },
						{ notify: "$/progress", params: { token: "t" } },
						{ notify: "$/progress", params: { token: "t", value: { kind: "end" } } },
						{ notify: "textDocument/publishDiagnostics", params: null },
						{ notify: "textDocument/publishDiagnostics", params: [] },
						{ notify: "window/logMessage" },
						{ notify: "$/noSuchThing", params: { a: 1 }, times: 1000 },
						{ default: true },
					],
				},
			],
		},
		async (fake) => {
			const server = await fake.start();
			expect(await server.request(hover, { textDocument: { uri: "file:///a" } })).not.toBeNull();
			expect(server.state).toBe("ready");
		},
	));

test("the activity of a busy server is known", () =>
	withFake(
		{
			on: [
				{
					method: hover,
					do: [
						{ notify: "$/progress", params: { token: 1, value: { kind: "begin", title: "Indexing", percentage: 0 } } },
						{
							notify: "$/progress",
							params: { token: 1, value: { kind: "report", message: "a.ts", percentage: 40.2 } },
						},
						{ default: true },
					],
				},
			],
		},
		async (fake) => {
			const server = await fake.start();
			await server.request(hover, { textDocument: { uri: "file:///a" } });
			expect(server.readiness.busy).toBe("Indexing a.ts 40%");
		},
	));

test("registrations since the handshake count as offers until they are taken back", () =>
	withFake(
		{
			on: [
				{
					method: hover,
					nth: 1,
					do: [
						{
							ask: "client/registerCapability",
							params: { registrations: [{ id: "x", method: "textDocument/rename" }] },
						},
						{ default: true },
					],
				},
				{
					method: hover,
					nth: 2,
					do: [{ ask: "client/unregisterCapability", params: { unregisterations: [{ id: "x" }] } }, { default: true }],
				},
			],
		},
		async (fake) => {
			const server = await fake.start();
			const ask = () => server.request(hover, { textDocument: { uri: "file:///a" } });
			const offers = () => server.offers("textDocument/rename");
			expect(offers()).toBe(false);
			await ask();
			expect(offers()).toBe(true);
			await ask();
			expect(offers()).toBe(false);
		},
	));

describe("a server that does not answer in time", () => {
	const late = () => new LspError("LSP_SERVER_TIMEOUT", "late");

	async function askThrice(server: LanguageServer): Promise<void> {
		for (let count = 0; count < 3; count++) {
			const limit = deadline(50, late);
			await expect(server.request(hover, {}, limit.signal)).rejects.toMatchObject({ code: "LSP_SERVER_TIMEOUT" });
		}
	}

	test("is killed after three requests in a row without one byte", () =>
		withFake(
			{ on: [{ method: hover, do: [{ never: true }] }] },
			async (fake) => {
				const server = await fake.start();
				await askThrice(server);
				await ended(server);
			},
			{ wedgedSeconds: 0.1 },
		));

	test("lives on after three requests within a few seconds, since it may be loading a large project", () =>
		withFake({ on: [{ method: hover, do: [{ never: true }] }] }, async (fake) => {
			const server = await fake.start();
			await askThrice(server);
			expect(server.state).toBe("ready");
		}));

	test("lives on if it sends something meanwhile", () =>
		withFake(
			{
				on: [
					{
						method: hover,
						do: [{ notify: "window/logMessage", params: { type: 4, message: "busy" } }, { never: true }],
					},
				],
			},
			async (fake) => {
				const server = await fake.start();
				await askThrice(server);
				expect(server.state).toBe("ready");
			},
		));
});
