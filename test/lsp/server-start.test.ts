import { describe, expect, test, vi } from "vitest";
import { servers } from "../../server.ts";
import { LspError } from "../../src/contract/errors.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import { expectNoProcesses } from "../support/processes.ts";

/** The error of a start that must fail, after which no process is left. */
async function failure(fake: Fake): Promise<LspError> {
	const error = await fake.start().then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(LspError);
	// All of its group were killed at once; the kernel takes each of them away when it gets to it.
	await expectNoProcesses(fake.runId);
	return error as LspError;
}

describe.concurrent("a server that cannot be started is an error with its reason, and has exited", () => {
	test("when it never answers initialize", () =>
		withFake(
			{ start: [{ grandchild: "stubborn" }], on: [{ method: "initialize", do: [{ never: true }] }] },
			async (fake) => {
				const error = await failure(fake);
				expect(error.code).toBe("LSP_SERVER_TIMEOUT");
				expect(error.message).toContain("1 s");
			},
			{ initializeSeconds: 1 },
		));

	test("when it exits at once, with what it wrote to standard error", () =>
		withFake(
			{ start: [{ stderr: "x".repeat(1 << 20) }, { stderr: "\nno license found\n" }, { crash: 3 }] },
			async (fake) => {
				const error = await failure(fake);
				expect(error.code).toBe("LSP_SERVER_START_FAILED");
				expect(error.message).toContain("exited with code 3");
				expect(error.details).toMatchObject({ exit_code: 3, language: "fake", command: expect.any(String) });
				expect(error.details.stderr).toMatch(/no license found$/);
				expect(String(error.details.stderr).length).toBeLessThanOrEqual(4096);
				expect(error.details.suggestion).toMatch(/\w/);
			},
		));

	test("when it prints why to standard output, next to a frame and with nothing on standard error", () =>
		withFake(
			{
				start: [{ raw: "Starting…\n" }],
				on: [
					{
						method: "initialize",
						do: [
							{ notify: "window/logMessage", params: { type: 4, message: "größer { }" } },
							{ raw: "\njdtls requires at least Java 21\n" },
							{ crash: 1 },
						],
					},
				],
			},
			async (fake) => {
				const error = await failure(fake);
				expect(error.message).toMatch(/exited with code 1: jdtls requires at least Java 21\.$/);
				expect(error.details.stdout).toBe("Starting…\n\njdtls requires at least Java 21");
			},
		));

	test("when it sends the reason in a message, which takes precedence over its last line", () =>
		withFake(
			{
				on: [
					{
						method: "initialize",
						do: [
							{ notify: "window/showMessage", params: { type: 1, message: "No JDK was found." } },
							{ stderr: "    at Main.java:3\n" },
							{ crash: 1 },
						],
					},
				],
			},
			async (fake) => expect((await failure(fake)).message).toContain("exited with code 1: No JDK was found."),
		));

	test("when a signal ends it in the middle of initialize", () =>
		withFake({ on: [{ method: "initialize", do: [{ crash: "SIGSEGV" }] }] }, async (fake) => {
			const error = await failure(fake);
			expect(error.code).toBe("LSP_SERVER_START_FAILED");
			expect(error.message).toContain("SIGSEGV");
		}));

	test("when it is not installed", () =>
		withFake(
			{},
			async (fake) => {
				const error = await failure(fake);
				expect(error.code).toBe("LSP_SERVER_UNAVAILABLE");
				expect(error.message).toContain("/no/such/server");
			},
			{ command: "/no/such/server" },
		));

	test.each([
		["with an error", { error: { code: -32603, message: "bad configuration" } }, "bad configuration"],
		["without capabilities", { reply: { serverInfo: { name: "x" } } }, "capabilities"],
		["with null capabilities", { reply: { capabilities: null } }, "capabilities"],
		["with null", { reply: null }, "capabilities"],
		["with a text", { reply: "hello" }, "capabilities"],
		["with a position encoding of its own", { reply: { capabilities: { positionEncoding: "utf-7" } } }, "utf-7"],
	])("when it answers initialize %s", (_, step, reason) =>
		withFake({ on: [{ method: "initialize", do: [step] }] }, async (fake) => {
			const error = await failure(fake);
			expect(error.code).toBe("LSP_SERVER_START_FAILED");
			expect(error.message).toContain(reason);
		}),
	);

	test("when it answers under another id, which is no answer", () =>
		withFake(
			{ on: [{ method: "initialize", do: [{ send: { id: "0", result: { capabilities: {} } } }] }] },
			async (fake) => {
				expect((await failure(fake)).code).toBe("LSP_SERVER_TIMEOUT");
			},
			{ initializeSeconds: 1 },
		));

	test("when its first output cannot be read", () =>
		withFake({ start: [{ raw: "Content-Length: -7\r\n\r\n" }, { stay: true }] }, async (fake) => {
			expect((await failure(fake)).code).toBe("LSP_SERVER_START_FAILED");
			expect(fake.log.join("\n")).toContain("Content-Length");
		}));

	test("when it closes its output and keeps running", () =>
		withFake({ on: [{ method: "initialize", do: [{ close: "stdout" }] }], start: [{ stay: true }] }, async (fake) => {
			expect((await failure(fake)).code).toBe("LSP_SERVER_START_FAILED");
		}));
});

describe("a server that starts in an unusual way is still used", () => {
	test("with a banner before its first frame, and frames in pieces of one byte", () =>
		withFake({ start: [{ raw: "Welcome!\n\u001b[1mready\u001b[0m\n> " }, { split: 1 }] }, async (fake) => {
			const server = await fake.start();
			expect(server.version).toBe("1.0.0");
		}));

	test("with a version of its compiler that is not a string, and then its own one counts", () =>
		withFake(
			{ on: [{ method: "initialized", do: [{ notify: "$/typescriptVersion", params: {} }, { notify: "test/done" }] }] },
			async (fake) => {
				const server = await fake.start();
				await new Promise<unknown>((resolve) => server.on("test/done", resolve));
				expect(server.version).toBe("1.0.0");
			},
		));

	test("with two answers to initialize, of which the first counts", () =>
		withFake(
			{
				on: [
					{
						method: "initialize",
						do: [{ default: true }, { delay: 300 }, { send: { id: 0, result: { capabilities: null } } }],
					},
				],
			},
			async (fake) => {
				const server = await fake.start();
				expect(await server.request("textDocument/hover", { textDocument: { uri: "file:///a" } })).not.toBeNull();
				expect(server.state).toBe("ready");
				expect(server.offers("textDocument/hover")).toBe(true);
			},
		));

	test("initialize has the client, the root and the client capabilities", () =>
		withFake({}, async (fake) => {
			await fake.start();
			const params = fake.received("initialize")[0]?.params;
			expect(params).toMatchObject({
				processId: process.pid,
				clientInfo: { name: "pi-lsp" },
				rootUri: `file://${fake.root}`,
				workspaceFolders: [{ uri: `file://${fake.root}` }],
			});
		}));
});

test("a server without another setting has 300 s to answer initialize", () =>
	withFake({ on: [{ method: "initialize", do: [{ never: true }] }] }, async (fake) => {
		const setTimer = setTimeout;
		// Five minutes are over at once; every other time stays unchanged.
		const timers = vi
			.spyOn(globalThis, "setTimeout")
			.mockImplementation(((run: () => void, ms?: number) =>
				setTimer(run, ms === 300_000 ? 0 : ms)) as typeof setTimeout);
		try {
			const error = await failure(fake);
			expect(error.code).toBe("LSP_SERVER_TIMEOUT");
			expect(error.message).toBe("fake did not answer initialize within 300 s.");
		} finally {
			timers.mockRestore();
		}
	}));

test("Biome gets no document before it reports that it has read its configuration", () => {
	const ready = { notify: "window/logMessage", params: { type: 3, message: "Server initialized with PID: 1" } };
	const biome = servers.find(({ id }) => id === "biome");
	return withFake(
		{ on: [{ method: "initialized", do: [{ delay: 400 }, ready] }] },
		async (fake) => {
			const begunAt = performance.now();
			const { readiness } = await fake.start();
			expect(performance.now() - begunAt).toBeGreaterThanOrEqual(390);
			expect(readiness.busy).toBeUndefined();
		},
		{ loading: biome?.loading ?? {} },
	);
});
