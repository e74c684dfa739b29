import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { takeBaseline } from "../../src/daemon/edits.ts";
import type { BaselineParams } from "../../src/daemon/protocol.ts";
import { anticipate } from "../../src/diagnostics/anticipate.ts";
import { type CheckContext, Checker } from "../../src/diagnostics/check.ts";
import { ImportGraph } from "../../src/diagnostics/import-graph.ts";
import { Ledger } from "../../src/diagnostics/ledger.ts";
import { shapeOf, symbolKinds } from "../../src/diagnostics/shape.ts";
import type { CheckReport } from "../../src/findings.ts";
import { aborter } from "../../src/util/abort.ts";
import type { Located } from "../../src/workspace/locate.ts";
import { Pool } from "../../src/workspace/pool.ts";
import { type Fake, withFake } from "../servers/fake.ts";
import type { Rule } from "../servers/script.ts";
import { met, notYet, until } from "../support/until.ts";
import { withProject } from "./project.ts";

const before = "export interface A {\n\tx: number;\n}\n";
const after = "export interface A {\n\tx: WRONG;\n}\n";
const user = 'import type { A } from "./a.ts";\nexport const a: A = { x: 1 };\n';
const pull = "textDocument/diagnostic";
const symbols = "textDocument/documentSymbol";

const declaration = {
	name: "A",
	kind: symbolKinds.interface,
	range: { start: { line: 0, character: 0 }, end: { line: 2, character: 1 } },
	selectionRange: { start: { line: 0, character: 17 }, end: { line: 0, character: 18 } },
};

interface Scene {
	readonly fake: Fake;
	readonly pool: Pool;
	readonly checker: Checker;
	readonly located: Located;
	/** Another file, as another session asks about it. */
	readonly other: Located;
	context(session?: Ledger): CheckContext;
	/** The baseline of an edit from `before` to `after`. */
	announce(): Promise<void>;
	/** The same until the server is asked about the new text, which is then written and checked. */
	edit(): Promise<CheckReport["files"]>;
	/** What the server was told and asked of the files so far: `a.ts = after`, `pull user.ts`. */
	heard(): string[];
	hears(what: string): Promise<unknown>;
}

function withScene<T>(
	body: (scene: Scene) => Promise<T>,
	on: readonly Rule[] = [],
	config: Partial<ServerConfig> = {},
	watched = false,
): Promise<T> {
	const capabilities = {
		diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
		documentSymbolProvider: true,
		textDocumentSync: 1,
	};
	return withFake(
		{ capabilities, on: [{ method: symbols, do: [{ reply: [declaration] }] }, ...on] },
		async (fake) => {
			const pool = new Pool((message) => void fake.log.push(message));
			const graph = new ImportGraph(fake.root);
			const checker = new Checker(pool, { graphOf: () => graph, isWatched: async () => watched });
			const end = aborter();
			const at = (name: string, text: string): Located => ({
				path: fake.write(name, text),
				display: name,
				workspace: fake.root,
				routes: [fake.route],
			});
			const [located, other] = [at("a.ts", before), at("user.ts", user)];
			const mine = new Ledger();
			const context = (ledger = mine) => ({
				cwd: fake.root,
				env: async () => fake.env,
				signal: end.signal,
				ledger,
				call: "edit",
				later: (rest: Promise<unknown>) => void rest.catch(() => {}),
			});
			const announce = () => checker.baseline(located, before, after, context());
			const heard = () => fake.record().flatMap(({ got }) => said(got) ?? []);
			const hears = (what: string) =>
				until(`the server hears: ${what}`, async () =>
					heard().includes(what) ? met(true) : notYet(heard().join(", ")),
				);
			try {
				return await body({
					fake,
					pool,
					checker,
					located,
					other,
					context,
					heard,
					announce,
					hears,
					async edit() {
						await announce();
						await hears("pull user.ts");
						fake.write("a.ts", after);
						return (await checker.check(located, "affected", context())).files;
					},
				});
			} finally {
				end.abort();
				await pool.close();
			}
		},
		{ match: ["ts"], languageId: "typescript", strategy: "pull", pullsUnopened: true, ...config },
	);
}

function said(got: { readonly method?: string; readonly params?: Record<string, unknown> } | undefined) {
	const { uri = "", text } = (got?.params?.textDocument ?? {}) as { uri?: string; text?: string };
	const name = uri.slice(uri.lastIndexOf("/") + 1);
	if (got?.method === pull) return `pull ${name}`;
	const changes = got?.params?.contentChanges as readonly { readonly text: string }[] | undefined;
	const shown = text ?? changes?.[0]?.text;
	if (shown === undefined) return undefined;
	return `${name} = ${shown === before ? "before" : shown === after ? "after" : "something"}`;
}

/** The edit's own error, and that its user has none. */
function expectFound(files: CheckReport["files"]): void {
	expect(files.map(({ path, diagnostics }) => [path, diagnostics.length, diagnostics[0]?.new])).toEqual([
		["a.ts", 1, true],
		["user.ts", 0, undefined],
	]);
}

test("what a tool is about to write is asked about before it is written, with those that see it", () =>
	withScene(async ({ fake, announce, hears, heard }) => {
		await announce();
		await hears("pull user.ts");
		expect(heard()).toEqual(["a.ts = before", "pull a.ts", "a.ts = after", "pull a.ts", "pull user.ts"]);
		expect(readFileSync(join(fake.root, "a.ts"), "utf8")).toBe(before);
	}));

test("so are the files that are known to be wrong", () =>
	withScene(async ({ fake, announce, hears, context }) => {
		const path = fake.write("wrong.ts", "export const wrong = 1;\n");
		const error = { line: 1, column: 1, endLine: 1, endColumn: 2, severity: "error", message: "wrong" } as const;
		context().ledger.saw(fake.route, { path, text: "", diagnostics: [error] });
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
		await checker.check(other, "file", context(new Ledger()));
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
			const slow = checker.check(other, "file", context(new Ledger()));
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
			await checker.check(other, "file", context(new Ledger()));
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
