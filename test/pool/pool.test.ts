import { mkdirSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { LspError } from "../../src/contract/errors.ts";
import { standardLimits } from "../../src/pool/limits.ts";
import { Pool } from "../../src/pool/pool.ts";
import { entryKey } from "../../src/pool/server-entry.ts";
import { deadline } from "../../src/util/abort.ts";
import { collectGarbage } from "../../src/util/collect-garbage.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import { processesOf } from "../support/processes.ts";
import { met, notYet, until } from "../support/until.ts";

const hover = "textDocument/hover";

/** Runs a test with a pool for one fake server; servers that it still runs at the end are stopped. */
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
				pool.use(fake.route, { workspace: fake.root, env: async () => fake.env }, (server) =>
					server.request(hover, { textDocument: { uri: "file:///a" } }),
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

const realNow = Date.now;
let passed = 0;

/** Ends the pause between starts. */
function passTime(ms: number): void {
	passed += ms;
	Date.now = () => realNow() + passed;
}

afterEach(() => {
	Date.now = realNow;
	passed = 0;
});

describe("Pool: the server of a root", () => {
	test("A slow server is started once for concurrent callers", () =>
		withPool({ on: [{ method: "initialize", do: [{ delay: 500 }, { default: true }] }] }, async (pool, fake, ask) => {
			await Promise.all(Array.from({ length: 20 }, ask));
			expect(fake.starts()).toBe(1);
			expect(pool.list()).toMatchObject([{ id: "fake", root: fake.root, state: "active", version: "1.0.0" }]);
		}));

	test("A start continues for other callers when one gives up", () =>
		withPool({ on: [{ method: "initialize", do: [{ delay: 500 }, { default: true }] }] }, async (pool, fake, ask) => {
			const impatient = pool.use(
				fake.route,
				{ workspace: fake.root, env: async () => fake.env, signal: AbortSignal.abort() },
				async () => "done",
			);
			const patient = ask();
			await expect(impatient).rejects.toMatchObject({ code: "LSP_CANCELLED" });
			await patient;
			expect(fake.starts()).toBe(1);
		}));

	test("A start is repeated for other callers when its first caller leaves before it sends its environment", () =>
		withPool({}, async (pool, fake, ask) => {
			const left = () => Promise.reject(new Error("the connection was closed"));
			const gone = Promise.allSettled(
				Array.from({ length: 6 }, (_, index) =>
					pool.use(fake.route, { workspace: fake.root, env: () => left() }, async () => index),
				),
			);
			const answers = await Promise.all(Array.from({ length: 5 }, ask));
			expect(answers).toHaveLength(5);
			await gone;
			expect(fake.starts()).toBe(1);
			// The start has not failed either; after a few failed starts the server would count as broken.
			expect(fake.log.filter((line) => line.includes("start failed"))).toEqual([]);
		}));

	test("A server that no caller waits for any more before its start is forgotten, and not reported as broken", () =>
		withPool({}, async (pool, fake) => {
			const env = () => Promise.reject(new Error("the connection was closed"));
			const asked = pool.use(fake.route, { workspace: fake.root, env }, async () => "never");
			await expect(asked).rejects.toThrow("The caller left");
			expect(pool.list()).toEqual([]);
			expect(fake.starts()).toBe(0);
		}));

	test("A server whose only caller gives up while it starts has not crashed, and answers the next caller", () =>
		withPool({ on: [{ method: "initialize", do: [{ delay: 800 }, { default: true }] }] }, async (pool, fake, ask) => {
			const leaving = new AbortController();
			const caller = { workspace: fake.root, env: async () => fake.env, signal: leaving.signal };
			const asked = pool.use(fake.route, caller, async () => "never");
			await until("the server starts", () => (fake.starts() > 0 ? met(true) : notYet("")));
			leaving.abort(new Error("The caller left."));
			await expect(asked).rejects.toThrow("The caller left.");
			expect(pool.list().filter(({ state }) => state === "broken")).toEqual([]);
			expect(await ask()).not.toBeUndefined();
			expect(pool.list().map(({ state }) => state)).toEqual(["active"]);
		}));

	test("A new server starts after a stop only when the previous process has ended", () =>
		withPool({}, async (pool, fake, ask) => {
			await ask();
			for (let round = 0; round < 5; round++) {
				const [, after] = await Promise.all([pool.stop(), ask()]);
				expect(after).not.toBeUndefined();
				expect(processesOf(fake.runId).length).toBeLessThanOrEqual(1);
			}
		}));
});

describe("Pool: a server that crashes", () => {
	test("A question is answered by a new server after a crash", () =>
		withPool({ on: [{ method: hover, generation: 1, do: [{ crash: 1 }] }] }, async (_pool, fake, ask) => {
			expect(await ask()).toMatchObject({ contents: { kind: "plaintext" } });
			expect(fake.starts()).toBe(2);
		}));

	test("A question is answered by a new server if the first one ends while it still reads its project", () =>
		withPool(
			{
				on: [
					{ method: "initialized", generation: 1, do: [{ crash: 0 }] },
					{ method: "initialized", do: [{ notify: "window/logMessage", params: { type: 3, message: "ready" } }] },
				],
			},
			async (_pool, fake, ask) => {
				expect(await ask()).toMatchObject({ contents: { kind: "plaintext" } });
				expect(fake.starts()).toBe(2);
			},
			{ loading: { log: "^ready", opensAfter: true } },
		));

	test("A server that ends with 0 before it is initialized, as a proxy does whose server ends, is started once more", () =>
		withPool({ on: [{ method: "initialize", generation: 1, do: [{ crash: 0 }] }] }, async (_pool, fake, ask) => {
			expect(await ask()).toMatchObject({ contents: { kind: "plaintext" } });
			expect(fake.starts()).toBe(2);
		}));

	test("A question that crashes every server fails after two attempts", () =>
		withPool({ on: [{ method: hover, do: [{ crash: 1 }] }] }, async (_pool, fake, ask) => {
			await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
			expect(fake.starts()).toBe(2);
		}));

	test("A server that has crashed is released, although callers get its error until the next start", () =>
		withPool({ on: [{ method: hover, do: [{ crash: 1 }] }] }, async (pool, fake) => {
			const caller = { workspace: fake.root, env: async () => fake.env };
			const used: WeakRef<object>[] = [];
			const crashing = pool.use(fake.route, caller, (server) => {
				used.push(new WeakRef(server));
				return server.request(hover, {});
			});
			await expect(crashing).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
			expect(used).toHaveLength(2);
			await until("both servers are collected", () => {
				collectGarbage("all");
				const kept = used.filter((server) => server.deref()).length;
				return kept === 0 ? met(kept) : notYet(`${kept} are kept`);
			});
		}));

	test("Work with retry: false is not repeated after a crash", () =>
		withPool({ on: [{ method: hover, do: [{ crash: 1 }] }] }, async (pool, fake) => {
			const work = pool.use(
				fake.route,
				{ workspace: fake.root, env: async () => fake.env },
				(server) => server.request(hover, {}),
				{ retry: false },
			);
			await expect(work).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
			expect(fake.received(hover)).toHaveLength(1);
		}));

	test.each([
		{ who: "by itself", next: "LSP_SERVER_UNAVAILABLE" },
		{ who: "because the pool stops it", next: "LSP_SERVER_CRASHED" },
	])("The question after a crash on one text ends with $next if the server ended $who", ({ who, next }) =>
		withPool({ on: [{ method: hover, do: who === "by itself" ? [{ crash: 1 }] : [] }] }, async (pool, fake) => {
			const path = fake.write("a.fake", "one\n");
			const about = (text: string) =>
				pool.use(
					fake.route,
					{ workspace: fake.root, env: async () => fake.env },
					async (server) => {
						server.documents.set(path, "fake", text, undefined);
						const answer = server.request(hover, { textDocument: { uri: `file://${path}` } });
						if (who !== "by itself") void server.stop();
						return answer;
					},
					{ path },
				);
			await expect(about("one\n")).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
			await expect(about("one\n")).rejects.toMatchObject({ code: next });
			if (who !== "by itself") return;
			fake.write("a.fake", "two\n");
			await expect(about("two\n")).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
		}),
	);

	test("A server that fails at every start is broken, and its error has the time of the next attempt", () =>
		withPool({ start: [{ stderr: "no license\n" }, { crash: 9 }] }, async (pool, fake, ask) => {
			const failed = { code: "LSP_SERVER_START_FAILED", details: { retry_after: expect.any(Number) } };
			for (let start = 1; start <= 5; start++) {
				await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_START_FAILED" });
				expect(fake.starts()).toBe(start);
				if (start === 5) break;
				// Until the pause is over callers get the error of the last start, and wait for nothing.
				await expect(ask()).rejects.toMatchObject(failed);
				expect(fake.starts()).toBe(start);
				passTime(17_000);
			}
			await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_UNAVAILABLE" });
			expect(fake.starts()).toBe(5);
			expect(pool.list()).toMatchObject([{ state: "broken", error: expect.stringContaining("9") }]);
		}));
});

test("Pool: a server that was killed because it hangs is not reported to have exited by itself", () =>
	withPool(
		{ on: [{ method: hover, do: [{ never: true }] }] },
		async (pool, fake) => {
			const late = () => new LspError("LSP_SERVER_TIMEOUT", "late");
			const ask = () =>
				pool.use(fake.route, { workspace: fake.root, env: async () => fake.env }, (server) =>
					server.request(hover, {}, deadline(50, late).signal),
				);
			for (let count = 0; count < 3; count++) await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_TIMEOUT" });
			await until("the server has ended", () => {
				const [{ error = "" } = {}] = pool.list();
				return error.startsWith("it was killed, since it had stopped answering;") ? met(error) : notYet(error);
			});
		},
		{ wedgedSeconds: 0.1 },
	));

describe("Pool.stop and Pool.kill", () => {
	test("Pool.stop does not wait for a server that never answers initialize", () =>
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

	test("Pool.kill ends a server that is still starting", () =>
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

	test("Pool.stop resolves at once if the program of the server is missing", () =>
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

describe("Pool: a file whose existence forbids a server without trust", () => {
	const config = { restricted: { unless: [".tool/config"] } };
	const watched = "workspace/didChangeWatchedFiles";

	test("ends the server before the next query, which is refused while the file exists", () =>
		withPool(
			{},
			async (pool, fake, ask) => {
				await ask();
				const file = fake.write(".tool/config", "");
				await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_UNTRUSTED" });
				await expect.poll(() => processesOf(fake.runId)).toEqual([]);
				expect(fake.received(hover)).toHaveLength(1);
				expect(pool.list()).toMatchObject([{ state: "unavailable", error: expect.stringContaining("not trusted") }]);
				rmSync(file);
				await ask();
				expect(fake.starts()).toBe(2);
			},
			config,
		));

	test("ends the server before it is notified of any file", () =>
		withPool(
			{},
			async (pool, fake, ask) => {
				await ask();
				const [server] = pool.servers();
				server?.notify(watched, { changes: [] });
				fake.write(".tool/config", "");
				server?.notify(watched, { changes: [{ uri: "file:///a", type: 1 }] });
				await expect.poll(() => pool.size).toBe(0);
				expect(fake.received(watched)).toHaveLength(1);
			},
			config,
		));

	test("does not affect the server of a caller with trust", () =>
		withFake(
			{},
			async (fake) => {
				fake.write(".tool/config", "");
				const pool = new Pool(() => {});
				const route = { ...fake.route, trusted: true };
				await pool.use(route, { workspace: fake.root, env: async () => fake.env }, async () => {});
				expect(fake.starts()).toBe(1);
				await pool.close();
			},
			config,
		));
});

test("Pool: an unused server is stopped after its idle time, and a server in use is not", () =>
	withPool(
		{ on: [{ method: hover, do: [{ delay: 1500 }, { default: true }] }] },
		async (pool, fake, ask) => {
			await ask();
			// The time after the first use runs out during the second one.
			await ask();
			expect(fake.starts()).toBe(1);
			await expect.poll(() => processesOf(fake.runId).length, { timeout: 10_000 }).toBe(0);
			await expect.poll(() => pool.size).toBe(0);
			await ask();
			expect(fake.starts()).toBe(2);
		},
		{ idleMinutes: 0.5 / 60 },
	));

describe("Pool: limits of the machine", () => {
	const limits = { ...standardLimits(), servers: 2, weighMs: 200 };

	/** Asks a server at a root of its own, so that each root has one. */
	function asker(pool: Pool, fake: Fake) {
		return (root: string, work: () => Promise<void> = async () => {}) => {
			mkdirSync(join(fake.root, root), { recursive: true });
			const route = { ...fake.route, root: join(fake.root, root) };
			return pool.use(route, { workspace: fake.root, env: async () => fake.env }, async () => work());
		};
	}

	test("The least recently used server is stopped for one more", () =>
		withFake({}, async (fake) => {
			const pool = new Pool(() => {}, { limits });
			const ask = asker(pool, fake);
			for (const root of ["a", "b", "a", "c"]) await ask(root);
			expect(pool.list().map(({ root }) => relative(fake.root, root))).toEqual(["a", "c"]);
			await pool.close();
		}));

	test("A caller waits while all servers are in use, and is answered", () =>
		withFake({}, async (fake) => {
			const pool = new Pool(() => {}, { limits });
			const ask = asker(pool, fake);
			let release = () => {};
			const held = new Promise<void>((resolve) => {
				release = resolve;
			});
			const busy = [ask("a", () => held), ask("b", () => held)];
			await expect.poll(() => pool.list().filter(({ state }) => state === "active").length).toBe(2);
			const third = ask("c");
			await expect.poll(() => pool.list().length).toBe(3);
			expect(fake.starts()).toBe(2);
			release();
			await Promise.all([...busy, third]);
			expect(fake.starts()).toBe(3);
			await pool.close();
		}));

	test("More concurrent callers than the limit are all answered, in the order of arrival", () =>
		withFake({}, async (fake) => {
			const started: unknown[] = [];
			const pool = new Pool((event, facts) => void (event === "starting" && started.push(facts?.root)), { limits });
			const ask = asker(pool, fake);
			const roots = ["a", "b", "c", "d", "e", "f"];
			const answered: string[] = [];
			await Promise.all(roots.map((root) => ask(root, async () => void answered.push(root))));
			expect(answered).toHaveLength(roots.length);
			// The order of the answers of two that start at once is not defined.
			expect(started.slice(0, 2).map(String).sort()).toEqual(["a", "b"].map((root) => join(fake.root, root)));
			expect(started.slice(2).map((root) => basename(String(root)))).toEqual(["c", "d", "e", "f"]);
			expect(pool.list().length).toBe(2);
			await pool.close();
		}));

	test("A server that takes the machine's memory is killed while it is used, which counts as its crash", () =>
		withFake({ on: [{ method: hover, do: [{ never: true }] }] }, async (fake) => {
			const log: string[] = [];
			const greedy = { ...limits, killBytes: 1, weighOftenMs: 50 };
			const pool = new Pool((line) => log.push(line), { limits: greedy });
			const caller = { workspace: fake.root, env: async () => fake.env };
			const asked = pool.use(fake.route, caller, (server) => server.request(hover, {}));
			await expect(asked).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
			expect(fake.starts()).toBe(2);
			expect(log.filter((line) => line.includes("killed for its memory"))).toHaveLength(2);
			await pool.close();
		}));

	test("A server that is being stopped is killed with all others", () =>
		withFake(
			{ start: [{ stay: true }, { ignoreTerm: true }], on: [{ method: "shutdown", do: [{ never: true }] }] },
			async (fake) => {
				const pool = new Pool(() => {}, { limits });
				await asker(pool, fake)("a");
				const closed = pool.close();
				pool.kill();
				await closed;
				// The server would have got a request, SIGTERM, and SIGKILL after six seconds.
				expect(fake.record().some(({ did }) => did === "ignored SIGTERM")).toBe(false);
			},
		));

	test("A server with too much memory is stopped when it is unused, and started again by the next use", () =>
		withFake({}, async (fake) => {
			const log: string[] = [];
			const pool = new Pool((line) => log.push(line), { limits: { ...limits, serverBytes: 1 } });
			const ask = asker(pool, fake);
			await ask("a");
			await expect.poll(() => pool.size, { timeout: 10_000 }).toBe(0);
			expect(log.join("\n")).toContain("holds too much");
			await ask("a");
			expect(fake.starts()).toBe(2);
			await pool.close();
		}));
});

describe("Pool: a changed configuration", () => {
	const withArgs = (fake: Fake, args: readonly string[], more: object = {}) => ({
		...fake.route,
		config: { ...fake.config, args: [...fake.config.args, ...args] },
		callerKey: "a",
		...more,
	});
	const askBy = (pool: Pool, fake: Fake, route: Parameters<Pool["use"]>[0], work = async () => {}) =>
		pool.use(route, { workspace: fake.root, env: async () => fake.env }, work);

	test("The previous server is stopped when its last use ends, and its status reports that until then", () =>
		withPool({}, async (pool, fake) => {
			let release = () => {};
			const held = new Promise<void>((resolve) => {
				release = resolve;
			});
			const long = askBy(pool, fake, withArgs(fake, []), () => held);
			await askBy(pool, fake, withArgs(fake, ["--other"]));
			const replaced = "replaced by a changed configuration";
			expect(pool.list().map((server) => server.replaced)).toEqual([replaced, undefined]);
			release();
			await long;
			await until("it is gone", () => (pool.size === 1 ? met(true) : notYet(`${pool.size} servers`)));
			expect(pool.list()).toMatchObject([{ state: "active" }]);
			expect(pool.running(withArgs(fake, ["--other"]))).toBeDefined();
		}));

	test("An idle previous server is stopped at once, and starts again when the change is undone", () =>
		withPool({}, async (pool, fake) => {
			await askBy(pool, fake, withArgs(fake, []));
			await askBy(pool, fake, withArgs(fake, ["--other"]));
			await until("it is gone", () => (pool.size === 1 ? met(true) : notYet(`${pool.size} servers`)));
			await askBy(pool, fake, withArgs(fake, []));
			await until("the other is gone", () => (pool.size === 1 ? met(true) : notYet(`${pool.size} servers`)));
			expect(pool.running(withArgs(fake, []))).toBeDefined();
		}));

	test("A server that another caller uses keeps running", () =>
		withPool({}, async (pool, fake) => {
			await askBy(pool, fake, withArgs(fake, []));
			await askBy(pool, fake, withArgs(fake, [], { callerKey: "b" }));
			await askBy(pool, fake, withArgs(fake, ["--other"]));
			expect(pool.list().map((server) => server.replaced)).toEqual([undefined, undefined]);
		}));

	test("Callers with different environments have a server each, and one that names none shares the existing server", () =>
		withPool({}, async (pool, fake) => {
			const askIn = (FLAGS: string, environment?: string) =>
				pool.use(
					{ ...fake.route, environment },
					{ workspace: fake.root, env: async () => ({ ...fake.env, FLAGS }) },
					async ({ launch }) => launch.env.FLAGS,
				);
			expect(await askIn("one", "key of one")).toBe("one");
			expect(await askIn("two", "key of two")).toBe("two");
			expect(await askIn("one", "key of one")).toBe("one");
			expect(await askIn("three")).toBe("one");
			expect(fake.starts()).toBe(2);
			expect(pool.list().map((server) => server.environmentMismatch)).toEqual([["FLAGS"], ["FLAGS"]]);
		}));

	test("Every field of the start, and trust, makes another server", async () => {
		const config = { id: "x", match: [], command: "x", args: [], rootMarkers: [], languageId: "x" };
		const route = { config, root: "/r", languageId: "x" };
		const over = [
			{ settings: { a: 1 } },
			{ initializationOptions: 1 },
			{ environment: { A: "1" } },
			{ cwd: "a" },
			{ strategy: "push" as const },
			{ candidates: [{ command: "y", args: [] }] },
			{ command: "y" },
			{ args: ["a"] },
		];
		const routes = [
			route,
			{ ...route, trusted: true },
			...over.map((more) => ({ ...route, config: { ...config, ...more } })),
		];
		expect(new Set(routes.map((each) => entryKey(each))).size).toBe(routes.length);
		expect(entryKey({ ...route, config: { ...config, idleMinutes: 1 } as ServerConfig })).toBe(entryKey(route));
	});

	test("A server is not started if the trust was withdrawn", () =>
		withPool({}, async (pool, fake) => {
			let trusted = true;
			const route = withArgs(fake, [], { trusted: true, stillTrusted: async () => trusted });
			await askBy(pool, fake, route);
			await pool.stop();
			trusted = false;
			await expect(askBy(pool, fake, route)).rejects.toMatchObject({ code: "LSP_SERVER_UNTRUSTED" });
			expect(fake.starts()).toBe(1);
		}));
});
