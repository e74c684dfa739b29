import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { removeAnswer, writeAnswer } from "../../src/config/trust-store.ts";
import { RouteCache } from "../../src/routing/route-cache.ts";
import { type Tree, withTree } from "../config/tree.ts";
import { met, notYet, until } from "../support/until.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe("RouteCache.settings", () => {
	test("Calls of one turn of the event loop share a result; a call of the next turn sees a change", () =>
		withTree(["ws/.git/"], async (tree) => {
			const lookups = new RouteCache(envOf(tree));
			const caller = { cwd: tree.path("ws") };
			const [first, second] = [lookups.settings(caller), lookups.settings(caller)];
			expect(second).toBe(first);
			expect((await first).severity).toBe("error");
			tree.write("ws/.pi-lsp.json", `{ "severity": "warning" }`);
			await nextTurn();
			expect((await lookups.settings(caller)).severity).toBe("warning");
		}));

	test("Callers with another directory, trust or configuration share no result", () =>
		withTree(["ws/.git/", "other/.git/"], async (tree) => {
			const lookups = new RouteCache(envOf(tree));
			const cwd = tree.path("ws");
			const config = { file: tree.write("own.json", `{ "severity": "hint" }`), directory: tree.base };
			const all = [
				lookups.settings({ cwd }),
				lookups.settings({ cwd: tree.path("other") }),
				lookups.settings({ cwd, trust: true }),
				lookups.settings({ cwd, config }),
			];
			expect(new Set(all).size).toBe(4);
			const [plain, , trusted, configured] = await Promise.all(all);
			expect([plain?.trusted, trusted?.trusted]).toEqual([false, true]);
			expect([plain?.severity, configured?.severity]).toEqual(["error", "hint"]);
		}));
});

test("RouteCache: an answer about trust, and its removal, takes effect at once", () =>
	withTree(["ws/.git/"], async (tree) => {
		const env = envOf(tree);
		const lookups = new RouteCache(env);
		const caller = { cwd: tree.path("ws") };
		const isTrusted = async () => {
			await nextTurn();
			return (await lookups.settings(caller)).trusted;
		};
		expect(await isTrusted()).toBe(false);
		const { hash, shown } = (await lookups.settings(caller)).trust;
		for (let round = 0; round < 3; round++) {
			writeAnswer({ root: caller.cwd, at: "2026-01-01T00:00:00Z", answer: "yes", hash, shown }, env);
			expect(await isTrusted()).toBe(true);
			removeAnswer(caller.cwd, env);
			expect(await isTrusted()).toBe(false);
		}
	}));

describe("RouteCache.locate", () => {
	test("A file keeps its routes while nothing changes, also after an edit of its text", () =>
		withProject(async ({ tree, look, kept }) => {
			const before = await kept();
			expect(await look()).toBe(before);
			tree.write("ws/src/a.ts", "export const a = 2;\n");
			await nextTurn();
			expect(await look()).toBe(before);
		}));

	test("A file keeps its routes when neighbouring files are replaced, and when a file is added above the workspace", () =>
		withProject(async ({ tree, look, kept }) => {
			const before = await kept();
			for (const text of ["2", "3"]) {
				tree.write("ws/src/.pi-lsp-u1-0-new", text);
				await nextTurn();
				expect(await look()).toBe(before);
				renameSync(tree.path("ws/src/.pi-lsp-u1-0-new"), tree.path("ws/src/a.ts"));
				tree.write(`other${text}/a.ts`, "");
				await nextTurn();
				expect(await look()).toBe(before);
			}
		}));

	test("A file keeps its routes while a check locates 3,000 others", () =>
		withProject(async ({ tree, lookups, look, kept }) => {
			const before = await kept();
			for (let index = 0; index < 3000; index++)
				await lookups.locate(tree.path(`ws/lib/f${index}.ts`), { cwd: tree.path("ws") }, { mayBeMissing: true });
			expect(await look()).toBe(before);
		}));

	const changes: Readonly<Record<string, (tree: Tree) => unknown>> = {
		"a configuration appears": (tree) => tree.write("ws/.pi-lsp.json", `{ "severity": "warning" }`),
		"the person's own configuration appears": (tree) => tree.write("config/pi-lsp/config.json", "{}"),
		"the manifest is written": (tree) => tree.write("ws/package.json", `{ "name": "other" }`),
		"a marker of a root appears next to the file": (tree) => tree.write("ws/src/tsconfig.json", "{}"),
		"the workspace begins elsewhere": (tree) => mkdirSync(tree.path("ws/src/.git")),
		"a directory becomes a link to another one": (tree) => {
			renameSync(tree.path("ws/src"), tree.path("elsewhere"));
			symlinkSync(tree.path("elsewhere"), tree.path("ws/src"));
		},
	};
	test.each(Object.entries(changes))("A file gets new routes when %s", (_, change) =>
		withProject(async ({ tree, look, kept }) => {
			const before = await kept();
			change(tree);
			await nextTurn();
			const now = await look().catch((error: Error) => error);
			expect(now).not.toBe(before);
		}),
	);

	test("A file gets new routes when the caller's own directory leads elsewhere", () =>
		withProject(async ({ tree, lookups }) => {
			for (const file of ["other/.git/", "other/package.json", "other/tsconfig.json", "other/src/a.ts"])
				if (file.endsWith("/")) mkdirSync(tree.path(file), { recursive: true });
				else tree.write(file, file.endsWith(".json") ? "{}" : "");
			const caller = { cwd: tree.path("link") };
			symlinkSync(tree.path("ws"), caller.cwd);
			const before = await lookups.locate("src/a.ts", caller);
			await nextTurn();
			const again = await lookups.locate("src/a.ts", caller);
			expect([before, again].map(({ settings }) => settings.directory)).toEqual([tree.path("ws"), tree.path("ws")]);
			rmSync(caller.cwd);
			symlinkSync(tree.path("other"), caller.cwd);
			await nextTurn();
			const { settings, located } = await lookups.locate("src/a.ts", caller);
			expect([settings.directory, located.path]).toEqual([tree.path("other"), tree.path("other/src/a.ts")]);
		}));

	test("A cached file is refused if it is now removed, no file, too large or binary", () =>
		withProject(async ({ tree, look, kept }) => {
			await kept();
			const codeNow = async () => {
				await nextTurn();
				return look().then(
					() => "fine",
					({ code }: { code: string }) => code,
				);
			};
			tree.write("ws/src/a.ts", "text with a zero\0");
			expect(await codeNow()).toBe("LSP_BINARY_FILE");
			tree.write("ws/src/a.ts", "x".repeat(3 * 1024 * 1024));
			expect(await codeNow()).toBe("LSP_FILE_TOO_LARGE");
			rmSync(tree.path("ws/src/a.ts"));
			expect(await codeNow()).toBe("LSP_FILE_NOT_FOUND");
			mkdirSync(tree.path("ws/src/a.ts"));
			expect(await codeNow()).toBe("LSP_NOT_A_FILE");
		}));

	test("A file has the servers of the compiler that the project now names", () =>
		withProject(async ({ tree, lookups, caller, kept }) => {
			await kept();
			const ids = async () => {
				await nextTurn();
				return (await lookups.locate("src/a.ts", caller)).located.routes.map(({ config }) => config.id);
			};
			expect(await ids()).toEqual(["typescript"]);
			tree.write("ws/package.json", `{ "devDependencies": { "typescript": "^5.9.0" } }`);
			expect(await ids()).toEqual(["typescript-language-server"]);
		}));

	test("Routes with a linter are kept until its program is added or removed", () =>
		withProject(async ({ tree, lookups, caller: { cwd } }) => {
			const caller = { cwd, environment: { key: "own", path: tree.mkdir("bin") } };
			tree.write("ws/biome.json", "{}");
			const look = async () => {
				await nextTurn();
				return (await lookups.locate("src/a.ts", caller)).located.routes;
			};
			const kept = () =>
				until("a look-up is kept", async () => {
					const first = await look();
					return (await look()) === first ? met(ids(first)) : notYet("it was looked up again");
				});
			const ids = (routes: Awaited<ReturnType<typeof look>>) => routes.map(({ config }) => config.id);
			expect(await kept()).toEqual(["typescript"]);
			for (let round = 0; round < 2; round++) {
				chmodSync(tree.write("bin/biome", "#!/bin/sh\n"), 0o755);
				expect(ids(await look())).toEqual(["typescript", "biome"]);
				expect(await kept()).toEqual(["typescript", "biome"]);
				rmSync(tree.path("bin/biome"));
				// A program that was found counts for two seconds.
				await until("the program is missed", async () =>
					ids(await look()).includes("biome") ? notYet("biome has a route") : met(true),
				);
				expect(await kept()).toEqual(["typescript"]);
			}
			chmodSync(tree.write("bin/biome", "#!/bin/sh\n"), 0o755);
			expect(await kept()).toEqual(["typescript", "biome"]);
			rmSync(tree.path("ws/biome.json"));
			expect(ids(await look())).toEqual(["typescript"]);
			tree.write("ws/src/biome.jsonc", "{}");
			expect(ids(await look())).toEqual(["typescript", "biome"]);
		}));

	test("Files of one directory share routes only in the same language and at the same servers", () =>
		withProject(async ({ tree, lookups, caller, kept }) => {
			await kept();
			for (const file of ["b.ts", "c.tsx", "d.json"]) tree.write(`ws/src/${file}`, "");
			const routes = async (file: string) => (await lookups.locate(`src/${file}`, caller)).located.routes;
			const languages = async (file: string) => (await routes(file)).map(({ languageId }) => languageId);
			expect(await routes("b.ts")).toBe(await routes("a.ts"));
			expect(await languages("b.ts")).toEqual(["typescript"]);
			expect(await languages("c.tsx")).toEqual(["typescriptreact"]);
			expect(await languages("d.json")).toEqual(["json"]);
		}));

	test("A name with @ means the file of that very name once there is one", () =>
		withProject(async ({ tree, lookups, caller, kept }) => {
			await kept();
			const shown = async () => {
				await nextTurn();
				return (await lookups.locate("@src/a.ts", caller)).located.display;
			};
			expect([await shown(), await shown()]).toEqual(["src/a.ts", "src/a.ts"]);
			tree.write("ws/@src/a.ts", "");
			expect(await shown()).toBe("@src/a.ts");
		}));

	test("A script has the servers of the interpreter that its first line now names", () =>
		withProject(async ({ tree, lookups, caller, kept }) => {
			await kept();
			const first = async (text: string) => {
				tree.write("ws/src/run", text);
				await nextTurn();
				return (await lookups.locate("src/run", caller)).located.routes[0]?.languageId;
			};
			expect(await first("#!/bin/bash\n")).toBe("shellscript");
			expect(await first("#!/usr/bin/env python3\n")).toBe("python");
			expect(await first("#!/bin/bash\n")).toBe("shellscript");
		}));
});

test("RouteCache: a connection counts for all callers of its workspace as soon as it is set", () =>
	withProject(async ({ tree, caller, kept }) => {
		// From here on results are kept.
		await kept();
		for (let ticks = 0; ticks < 120; ticks++) {
			const lookups = new RouteCache(envOf(tree));
			const address = async () => {
				await nextTurn();
				return (await lookups.locate("src/a.ts", caller)).located.routes[0]?.config.connect;
			};
			const before = lookups.locate("src/a.ts", caller);
			for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
			lookups.connect(caller.cwd, "typescript", "host:1");
			await before;
			expect(await address(), `named after ${ticks} ticks`).toBe("host:1");
			lookups.connect(tree.path("elsewhere"), "typescript", "host:2");
			expect(await address()).toBe("host:1");
			lookups.connect(caller.cwd, "typescript", undefined);
			expect(await address()).toBeUndefined();
		}
	}));

function envOf(tree: Tree) {
	return { XDG_CONFIG_HOME: tree.path("config") };
}

/** Runs `body` in a project of one file; `look` gives its servers, the same object while there was no new search. */
function withProject(
	body: (project: {
		readonly tree: Tree;
		readonly lookups: RouteCache;
		readonly caller: { readonly cwd: string };
		look(): Promise<object>;
		/** Does the same after the result is kept: files on disk have to be a few milliseconds old. */
		kept(): Promise<object>;
	}) => Promise<void>,
): Promise<void> {
	return withTree(["ws/.git/", "ws/package.json", "ws/tsconfig.json", "ws/src/a.ts", "config/"], async (tree) => {
		tree.write("ws/package.json", "{}");
		const lookups = new RouteCache(envOf(tree));
		const caller = { cwd: tree.path("ws") };
		const look = async () => (await lookups.locate("src/a.ts", caller)).located.routes;
		const kept = () =>
			until("a look-up is kept", async () => {
				const first = await look();
				await nextTurn();
				return (await look()) === first ? met(first) : notYet("it was looked up again");
			});
		await body({ tree, lookups, caller, look, kept });
	});
}
