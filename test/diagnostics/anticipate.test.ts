import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { takeBaseline } from "../../src/daemon/edits.ts";
import type { BaselineParams } from "../../src/daemon/protocol.ts";
import { anticipate } from "../../src/diagnostics/anticipate.ts";
import { ImportGraph } from "../../src/diagnostics/import-graph.ts";
import { Ledger } from "../../src/diagnostics/ledger.ts";
import { shapeOf } from "../../src/diagnostics/shape.ts";
import { met, notYet, until } from "../support/until.ts";
import { after, before, expectFound, pull, type Scene, withScene } from "./announced.ts";
import { withProject } from "./project.ts";

test("what a tool is about to write is asked about before it is written, with those that see it", () =>
	withScene(async ({ fake, announce, hears, heard }) => {
		await announce();
		await hears("pull user.ts");
		expect(heard()).toEqual(["a.ts = before", "pull a.ts", "a.ts = after", "pull a.ts", "pull user.ts"]);
		expect(readFileSync(join(fake.root, "a.ts"), "utf8")).toBe(before);
	}));

test("so are the files that are known to be wrong", () =>
	withScene(async ({ fake, announce, hears, ledger }) => {
		const path = fake.write("wrong.ts", "export const wrong = 1;\n");
		const error = { line: 1, column: 1, endLine: 1, endColumn: 2, severity: "error", message: "wrong" } as const;
		ledger.saw(fake.route, { path, text: "", diagnostics: [error] });
		await announce();
		await hears("pull wrong.ts");
	}));

test("once it is written the check tells the server nothing more, and says what is wrong with it", () =>
	withScene(async ({ heard, edit }) => {
		const files = await edit();
		expectFound(files);
		expect(heard().filter((what) => what.includes("="))).toEqual(["a.ts = before", "a.ts = after"]);
		// Nobody tells of what happens on disk: all is asked again.
		expect(heard().filter((what) => what === "pull a.ts")).toHaveLength(3);
	}));

test("where every change is told, what was asked ahead is the check's answer, also while it is on its way", () =>
	withScene(
		async ({ heard, edit }) => {
			const files = await edit();
			expectFound(files);
			// The error of the edited file is looked for in the one before as well, and nothing else is asked twice.
			expect(heard().filter((what) => what.startsWith("pull"))).toEqual(["pull a.ts", "pull a.ts", "pull user.ts"]);
		},
		[{ method: pull, nth: 2, do: [{ delay: 200 }, { default: true }] }],
		{},
		true,
	));

test("it is not where something was told to the server since", () =>
	withScene(
		async ({ fake, announce, hears, heard, checker, located, context, pool }) => {
			await announce();
			await hears("pull user.ts");
			fake.write("a.ts", after);
			pool.servers()[0]?.notify("workspace/didChangeWatchedFiles", { changes: [] });
			const { files } = await checker.check(located, "affected", context());
			expect(files).toMatchObject([
				{ path: "a.ts", state: "fresh", diagnostics: [{ new: true }] },
				{ path: "user.ts" },
			]);
			expect(heard().filter((what) => what === "pull a.ts")).toHaveLength(3);
		},
		[],
		{},
		true,
	));

test("nor where the file that was asked about has another text by then", () =>
	withScene(
		async ({ fake, announce, hears, heard, checker, located, context }) => {
			await announce();
			await hears("pull user.ts");
			fake.write("a.ts", after);
			fake.write("user.ts", `import type { A } from "./a.ts";\nexport const b: A = { x: 1 };\n`);
			await checker.check(located, "affected", context());
			expect(heard().filter((what) => what === "pull user.ts")).toHaveLength(2);
		},
		[],
		{},
		true,
	));

test("nor where the server gave none", () =>
	withScene(
		async ({ edit }) => {
			const files = await edit();
			expect(files).toMatchObject([
				{ path: "a.ts", state: "fresh", diagnostics: [{ new: true }] },
				{ path: "user.ts" },
			]);
		},
		[{ method: pull, nth: 2, do: [{ delay: 50 }, { error: { code: -32603, message: "no" } }] }],
		{},
		true,
	));

test("nobody else sees it: whoever comes meanwhile is answered for what is on disk", () =>
	withScene(async ({ announce, hears, heard, checker, other, context }) => {
		await announce();
		await hears("pull user.ts");
		const told = heard().length;
		await checker.check(other, "file", context({ ledger: new Ledger() }));
		expect(heard().slice(told, told + 1)).toEqual(["a.ts = before"]);
		expect(heard().at(-1)).toBe("pull user.ts");
	}));

test("what was not written, or was written otherwise, is not held against the edit", () =>
	withScene(async ({ fake, announce, hears, checker, located, context }) => {
		await announce();
		await hears("pull user.ts");
		fake.write("a.ts", `${before}// and that is all\n`);
		const { files } = await checker.check(located, "affected", context());
		expect(files).toMatchObject([{ path: "a.ts", state: "fresh", diagnostics: [] }]);
	}));

test("nothing is shown while somebody else asks", () =>
	withScene(
		async ({ announce, heard, checker, other, context, hears }) => {
			const slow = checker.check(other, "file", context({ ledger: new Ledger() }));
			await hears("pull user.ts");
			await announce();
			expect(heard()).not.toContain("a.ts = after");
			await slow;
			expect(heard()).not.toContain("a.ts = after");
		},
		[{ method: pull, nth: 1, do: [{ delay: 300 }, { default: true }] }],
	));

/** A text shown to a server that somebody else has, before it is written. */
async function shown({ fake, located, context }: Scene, next = after, old = before) {
	const server = await fake.start();
	const { ledger, signal } = context();
	const document = server.documents.set(located.path, "typescript", before);
	const shape = await shapeOf(server, document);
	if (!shape) throw new Error("no shape");
	server.documents.set(located.path, "typescript", old);
	const graph = new ImportGraph(fake.root);
	const about = {
		server,
		route: fake.route,
		located,
		ledger,
		graph,
		watched: false,
		signal,
		hints: false,
		isLate: true,
	};
	return { server, over: anticipate(about, shape, next) };
}

// Shorter than a text is held.
test("it ends with its server", { timeout: 8000 }, () =>
	withScene(async (scene) => {
		const { server, over } = await shown(scene);
		await scene.hears("pull user.ts");
		await server.stop();
		await over;
	}),
);

test("who asks next, without a look at the disk, finds the file as it is, and what was asked is cancelled", () =>
	withScene(
		async (scene) => {
			const { server, over } = await shown(scene);
			await scene.hears("pull user.ts");
			await server.turns.read(async () => {
				expect(server.documents.get(scene.located.path)?.text).toBe(before);
			});
			await over;
			await until("the questions are cancelled", async () =>
				scene.fake.received("$/cancelRequest").length === 2 ? met(true) : notYet("no"),
			);
		},
		[{ method: pull, do: [{ never: true }] }],
	));

test("what is being asked about a text that was written meanwhile goes on", () =>
	withScene(
		async (scene) => {
			const { server, over } = await shown(scene);
			await scene.hears("pull user.ts");
			scene.fake.write("a.ts", after);
			await server.turns.read(async () => {});
			await over;
			await server.request("shutdown", undefined);
			expect(scene.fake.received("$/cancelRequest")).toEqual([]);
		},
		[{ method: pull, do: [{ never: true }] }],
	));

test("nothing is shown where the server has another text than the one that is to be changed", () =>
	withScene(async (scene) => {
		const { over } = await shown(scene, after, `${before}// another\n`);
		await over;
		expect(scene.heard()).not.toContain("a.ts = after");
	}));

test("nothing is shown to a server whose answers are doubtful where nothing changed since", () =>
	withScene(
		async ({ announce, heard, checker, other, context }) => {
			await announce();
			await checker.check(other, "file", context({ ledger: new Ledger() }));
			expect(heard()).not.toContain("a.ts = after");
		},
		[],
		{ doubtfulUnchanged: true },
	));

test("a text that a server dies of counts, and is not asked about a third time", () =>
	withScene(
		async ({ fake, announce, checker, located, context, pool }) => {
			await announce();
			await until("the server dies", async () =>
				fake.received(pull).length === 2 ? met(true) : notYet(String(fake.received(pull).length)),
			);
			await until("it is gone", async () => (pool.servers().length === 0 ? met(true) : notYet("no")));
			fake.write("a.ts", after);
			const { files } = await checker.check(located, "affected", context());
			expect(files).toMatchObject([{ path: "a.ts", state: "unavailable" }]);
			expect(fake.starts()).toBeLessThanOrEqual(2);
		},
		[
			{ method: pull, nth: 2, generation: 1, do: [{ crash: 1 }] },
			{ method: pull, generation: 2, do: [{ crash: 1 }] },
			{ method: pull, generation: 3, do: [{ crash: 1 }] },
		],
	));

test("a text that is too large to be checked, or none, is not shown", () =>
	withProject(
		{ "src/a.ts": "export const a = 1;\n", ".pi-lsp.json": JSON.stringify({ maxFileBytes: 1000 }) },
		async ({ hub, ws, check }) => {
			await check(["src/a.ts"]);
			const [server] = hub.pool.servers();
			if (!server) throw new Error("no server");
			const shownFor = async (next: unknown) => {
				const params = { cwd: ws.root, session: "s", call: "c", file: "src/a.ts", text: ws.read("src/a.ts"), next };
				await takeBaseline(hub, params as BaselineParams, async () => process.env);
				for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
				const { text } = server.documents.get(ws.path("src/a.ts")) ?? {};
				await server.turns.read(async () => {});
				return text === next;
			};
			expect(await shownFor("export const a = 2;\n")).toBe(true);
			expect(await shownFor(`export const a = 2;\n${"// more\n".repeat(200)}`)).toBe(false);
			expect(await shownFor(5)).toBe(false);
		},
	));
