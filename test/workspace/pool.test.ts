import { describe, expect, test } from "vitest";
import { Pool } from "../../src/workspace/pool.ts";
import { type Fake, withFake } from "../servers/fake.ts";
import type { Script } from "../servers/script.ts";
import { processesOf } from "../support/processes.ts";

const hover = "textDocument/hover";

/** Runs a test with a pool for one fake server; what it still runs at the end is stopped. */
function withPool(
	script: Script,
	body: (pool: Pool, fake: Fake, ask: () => Promise<unknown>) => Promise<void>,
	config: Parameters<typeof withFake>[2] = {},
): Promise<void> {
	return withFake(
		script,
		async (fake) => {
			const pool = new Pool((message) => void fake.log.push(message));
			const ask = () =>
				pool.use(
					fake.route,
					fake.root,
					async () => fake.env,
					undefined,
					(server) => server.request(hover, { textDocument: { uri: "file:///a" } }),
				);
			try {
				await body(pool, fake, ask);
			} finally {
				await pool.stop();
			}
		},
		config,
	);
}

describe("one server for each root", () => {
	test("is started once for callers that come together, slow as it may be", () =>
		withPool({ on: [{ method: "initialize", do: [{ delay: 500 }, { default: true }] }] }, async (pool, fake, ask) => {
			await Promise.all(Array.from({ length: 20 }, ask));
			expect(fake.starts()).toBe(1);
			expect(pool.list()).toMatchObject([{ id: "fake", root: fake.root, state: "active", version: "1.0.0" }]);
		}));

	test("goes on starting for the others when one caller gives up", () =>
		withPool({ on: [{ method: "initialize", do: [{ delay: 500 }, { default: true }] }] }, async (pool, fake, ask) => {
			const impatient = pool.use(
				fake.route,
				fake.root,
				async () => fake.env,
				AbortSignal.abort(),
				async () => "done",
			);
			const patient = ask();
			await expect(impatient).rejects.toMatchObject({ code: "LSP_CANCELLED" });
			await patient;
			expect(fake.starts()).toBe(1);
		}));

	test("is replaced after a stop, and never stands beside the one before", () =>
		withPool({}, async (pool, fake, ask) => {
			await ask();
			for (let round = 0; round < 5; round++) {
				const [, after] = await Promise.all([pool.stop(), ask()]);
				expect(after).not.toBeUndefined();
				expect(processesOf(fake.runId).length).toBeLessThanOrEqual(1);
			}
		}));
});

describe("a server that crashes", () => {
	test("in the middle of a question is started again, and the question is answered", () =>
		withPool({ on: [{ method: hover, generation: 1, do: [{ crash: 1 }] }] }, async (_pool, fake, ask) => {
			expect(await ask()).toMatchObject({ contents: { kind: "plaintext" } });
			expect(fake.starts()).toBe(2);
		}));

	test("at the same question every time fails that question after two tries", () =>
		withPool({ on: [{ method: hover, do: [{ crash: 1 }] }] }, async (_pool, fake, ask) => {
			await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
			expect(fake.starts()).toBe(2);
		}));

	test("is not asked again about work that changes something", () =>
		withPool({ on: [{ method: hover, do: [{ crash: 1 }] }] }, async (pool, fake) => {
			const work = pool.use(
				fake.route,
				fake.root,
				async () => fake.env,
				undefined,
				(server) => server.request(hover, {}),
				{ retry: false },
			);
			await expect(work).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
			expect(fake.received(hover)).toHaveLength(1);
		}));

	test("again and again is broken: it is not started at every question, and says when it will be tried", () =>
		withPool({ start: [{ stderr: "no license\n" }, { crash: 9 }] }, async (pool, fake, ask) => {
			for (let round = 0; round < 3; round++)
				await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_START_FAILED" });
			expect(fake.starts()).toBe(3);
			expect(pool.list()).toMatchObject([{ state: "broken", error: expect.stringContaining("9") }]);
		}));
});

describe("stopping", () => {
	test("does not wait for a server that never answers initialize", () =>
		withPool(
			{ on: [{ method: "initialize", do: [{ never: true }] }] },
			async (pool, fake, ask) => {
				const asked = ask().catch((error: unknown) => error);
				await expect.poll(() => fake.received("initialize").length, { timeout: 10_000 }).toBe(1);
				const began = performance.now();
				await pool.stop();
				await asked;
				expect(processesOf(fake.runId)).toEqual([]);
				expect(performance.now() - began).toBeLessThan(9000);
			},
			{ initializeSeconds: 12 },
		));

	test("for good ends a server that is still starting, too", () =>
		withPool(
			{ on: [{ method: "initialize", do: [{ never: true }] }] },
			async (pool, fake, ask) => {
				const asked = ask().catch((error: unknown) => error);
				await expect.poll(() => fake.received("initialize").length, { timeout: 10_000 }).toBe(1);
				pool.kill();
				await expect.poll(() => processesOf(fake.runId).length, { timeout: 2000 }).toBe(0);
				await asked;
			},
			{ initializeSeconds: 4 },
		));

	test("of a pool whose server is not there is done at once", () =>
		withPool(
			{},
			async (pool, _fake, ask) => {
				await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_UNAVAILABLE" });
				await pool.stop();
				expect(pool.size).toBe(0);
			},
			{ command: "/no/such/server" },
		));
});

test("a server that nobody asks any more is stopped, one that is asked is not", () =>
	withPool(
		{ on: [{ method: hover, do: [{ delay: 1500 }, { default: true }] }] },
		async (pool, fake, ask) => {
			await ask();
			expect(fake.starts()).toBe(1);
			await expect.poll(() => processesOf(fake.runId).length, { timeout: 10_000 }).toBe(0);
			await expect.poll(() => pool.size).toBe(0);
			await ask();
			expect(fake.starts()).toBe(2);
		},
		{ idleMinutes: 0.5 / 60 },
	));
