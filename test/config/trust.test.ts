import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../src/config/read-settings.ts";
import { readAnswer, removeAnswer, writeAnswer } from "../../src/config/trust-store.ts";
import { Service } from "../../src/daemon/service.ts";
import { trust as trustMethod } from "../../src/daemon/trust.ts";
import { launchCommand } from "../../src/launch/launch-command.ts";
import { type Tree, withTree } from "./tree.ts";

const launch = (command: string) =>
	JSON.stringify({ severity: "error", servers: { gopls: { command, args: ["-x"] } } });

/** A repository with a program of its own in its configuration, and a user without any. */
function withRepository(body: (tree: Tree, env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
	return withTree(["ws/.git/", "ws/sub/", "config/"], async (tree) => {
		tree.write("ws/.pi-lsp.json", launch("./a"));
		await body(tree, { XDG_CONFIG_HOME: tree.path("config"), HOME: tree.base });
	});
}

async function grant(tree: Tree, env: NodeJS.ProcessEnv, answer: "yes" | "never" = "yes"): Promise<void> {
	const { hash, shown } = (await readSettings(tree.path("ws"), { env })).trust;
	writeAnswer({ root: tree.path("ws"), at: "2026-01-01T00:00:00Z", answer, hash, shown }, env);
}

function commandOf({ servers }: Awaited<ReturnType<typeof readSettings>>): string | undefined {
	return servers.find(({ id }) => id === "gopls")?.command;
}

describe("a repository", () => {
	test("is untrusted until a person allows it, and the status names the command for that", () =>
		withRepository(async (tree, env) => {
			const found = await readSettings(tree.path("ws/sub"), { env });
			expect(found).toMatchObject({ trusted: false, trust: { state: "untrusted", root: tree.path("ws") } });
			expect(commandOf(found)).toBe("gopls");
			expect(found.problems).toEqual([expect.stringMatching(/^untrusted: .* gopls .*`pi-lsp trust add`/)]);
		}));

	test("is trusted for every directory of the workspace after it was allowed", () =>
		withRepository(async (tree, env) => {
			await grant(tree, env);
			const found = await readSettings(tree.path("ws/sub"), { env });
			expect(found).toMatchObject({ trusted: true, trust: { state: "trusted", by: "grant" }, problems: [] });
			expect(commandOf(found)).toBe(tree.path("ws/a"));
		}));

	test("is stale when a file that would be run has changed, and trusted again when that is undone", () =>
		withRepository(async (tree, env) => {
			await grant(tree, env);
			tree.write("ws/.pi-lsp.json", launch("./b"));
			const found = await readSettings(tree.path("ws"), { env });
			expect(found.trusted).toBe(false);
			expect(found.trust).toMatchObject({
				state: "stale",
				changed: ['- gopls: command = "./a"', '+ gopls: command = "./b"'],
			});
			expect(commandOf(found)).toBe("gopls");
			expect(found.problems[0]).toContain('+ gopls: command = "./b"');
			tree.write("ws/.pi-lsp.json", launch("./a").replace("error", "warning"));
			expect((await readSettings(tree.path("ws"), { env })).trust.state).toBe("trusted");
		}));

	test("is refused while it stays the same, and the person is asked again when it changes", () =>
		withRepository(async (tree, env) => {
			await grant(tree, env, "never");
			expect((await readSettings(tree.path("ws"), { env })).trust.state).toBe("refused");
			tree.write("ws/.pi-lsp.json", launch("./b"));
			expect((await readSettings(tree.path("ws"), { env })).trust.state).toBe("untrusted");
		}));

	test("is trusted by the caller, whatever is stored", () =>
		withRepository(async (tree, env) => {
			await grant(tree, env, "never");
			for (const trust of [true, tree.path("ws"), tree.base])
				expect((await readSettings(tree.path("ws"), { trust, env })).trust).toMatchObject({
					state: "trusted",
					by: "caller",
				});
			for (const trust of [false, "", tree.path("ws/sub"), tree.path("w")])
				expect((await readSettings(tree.path("ws"), { trust, env })).trusted).toBe(false);
		}));

	test.each([["~"], ["~/ws"], ["ABS"]])("is trusted in and below %s of the user's trustedRoots", (root) =>
		withRepository(async (tree, env) => {
			const trustedRoots = [root === "ABS" ? tree.path("ws") : root];
			tree.write("config/pi-lsp/config.json", JSON.stringify({ trustedRoots }));
			expect((await readSettings(tree.path("ws/sub"), { env })).trust).toMatchObject({ by: "trustedRoots" });
		}),
	);

	test.each(["~/w", "ws", "", ".", "~/ws/sub", "~other"])(
		"is untrusted with %j among the user's trustedRoots",
		(root) =>
			withRepository(async (tree, env) => {
				tree.write("config/pi-lsp/config.json", JSON.stringify({ trustedRoots: [root] }));
				expect((await readSettings(tree.path("ws"), { env })).trusted).toBe(false);
			}),
	);

	test("is still trusted directly before a start only if it is unchanged", () =>
		withRepository(async (tree, env) => {
			await grant(tree, env);
			const { stillTrusted } = await readSettings(tree.path("ws"), { env });
			expect(await stillTrusted?.()).toBe(true);
			tree.write("ws/.pi-lsp.json", launch("./b"));
			expect(await stillTrusted?.()).toBe(false);
			await grant(tree, env);
			// The repository is allowed again, but its content is not the one that the call was allowed for.
			expect(await stillTrusted?.()).toBe(false);
			const again = await readSettings(tree.path("ws"), { env });
			removeAnswer(tree.path("ws"), env);
			expect(await again.stillTrusted?.()).toBe(false);
		}));
});

describe("a stored answer", () => {
	const answer = { root: "/r", at: "2026-01-01T00:00:00Z", answer: "yes", hash: "h", shown: ["a"] } as const;

	test("is readable and writable by the user only, and can be removed", () =>
		withTree(["config/"], async (tree) => {
			const env = { XDG_CONFIG_HOME: tree.path("config") };
			writeAnswer(answer, env);
			const directory = tree.path("config/pi-lsp/trust");
			const [name = "", ...more] = readdirSync(directory);
			expect([name, more]).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.json$/), []]);
			expect(lstatSync(directory).mode & 0o777).toBe(0o700);
			expect(lstatSync(join(directory, name)).mode & 0o777).toBe(0o600);
			expect(readAnswer("/r", env)).toEqual(answer);
			expect(readAnswer("/other", env)).toBeUndefined();
			expect(removeAnswer("/r", env)).toBe(true);
			expect(removeAnswer("/r", env)).toBe(false);
			expect(readAnswer("/r", env)).toBeUndefined();
		}));

	const spoilt: readonly [string, (file: string, tree: Tree) => void][] = [
		["is a link", (file, tree) => replaceByLink(file, tree)],
		["others may write to", (file) => chmodSync(file, 0o666)],
		["is about another root", (file) => writeFileSync(file, JSON.stringify({ ...answer, root: "/x" }))],
		["is no JSON", (file) => writeFileSync(file, "{")],
		["has no answer", (file) => writeFileSync(file, JSON.stringify({ ...answer, answer: true }))],
		["lies where others may write", (file) => chmodSync(join(file, ".."), 0o777)],
	];
	test.each(spoilt)("that %s does not count", (_, spoil) =>
		withTree(["config/"], async (tree) => {
			const env = { XDG_CONFIG_HOME: tree.path("config") };
			writeAnswer(answer, env);
			const directory = tree.path("config/pi-lsp/trust");
			spoil(join(directory, readdirSync(directory)[0] ?? ""), tree);
			expect(readAnswer("/r", env)).toBeUndefined();
		}),
	);

	test("is never written through a link", () =>
		withTree(["config/pi-lsp/", "elsewhere/"], async (tree) => {
			const env = { XDG_CONFIG_HOME: tree.path("config") };
			symlinkSync(tree.path("elsewhere"), tree.path("config/pi-lsp/trust"));
			expect(() => writeAnswer(answer, env)).toThrow(/not a plain directory/);
			expect(readdirSync(tree.path("elsewhere"))).toEqual([]);
		}));

	function replaceByLink(file: string, tree: Tree): void {
		const copy = tree.write("copy.json", readFileSync(file, "utf8"));
		chmodSync(copy, 0o600);
		rmSync(file);
		symlinkSync(copy, file);
	}
});

test("an answer to a question whose subject has changed since it was shown is refused", () =>
	withRepository(async (tree, env) => {
		const before = process.env.XDG_CONFIG_HOME;
		process.env.XDG_CONFIG_HOME = env.XDG_CONFIG_HOME;
		const service = new Service(() => {});
		const cwd = tree.path("ws");
		try {
			const { hash } = await trustMethod(service, { cwd }, async () => env);
			tree.write("ws/.pi-lsp.json", launch("./b"));
			const answered = trustMethod(service, { cwd, answer: "yes", hash }, async () => env);
			await expect(answered).rejects.toMatchObject({ code: "LSP_INVALID_INPUT" });
			await expect(trustMethod(service, { cwd, answer: "yes" }, async () => env)).rejects.toThrow();
			expect((await trustMethod(service, { cwd }, async () => env)).state).toBe("untrusted");
		} finally {
			if (before === undefined) delete process.env.XDG_CONFIG_HOME;
			else process.env.XDG_CONFIG_HOME = before;
		}
	}));

describe("with trust, a project's own", () => {
	const program = "#!/bin/sh\n";
	const run = (tree: Tree, config: object, trusted: boolean) =>
		launchCommand(
			{ id: "x", match: [], command: "x-ls", args: ["-a"], rootMarkers: [], languageId: "x", ...config },
			{ root: tree.path("ws/sub"), workspace: tree.path("ws"), trusted },
			{ PATH: tree.path("installed") },
		).catch(() => undefined);

	test("program of node_modules/.bin is started before the user's, and never without trust", () =>
		withTree(["ws/sub/"], async (tree) => {
			for (const file of ["ws/node_modules/.bin/x-ls", "ws/evil", "installed/x-ls"])
				chmodSync(tree.write(file, program), 0o755);
			expect(await run(tree, {}, true)).toMatchObject({ file: tree.path("ws/node_modules/.bin/x-ls"), args: ["-a"] });
			expect((await run(tree, {}, false))?.file).toBe(tree.path("installed/x-ls"));
			const named = { command: tree.path("ws/evil") };
			expect((await run(tree, { ...named, namedBy: "repository" }, true))?.file).toBe(tree.path("ws/evil"));
			expect(await run(tree, named, false)).toBeUndefined();
		}));

	test("compiler is started if it is of the major version that the server is for", () =>
		withTree(["ws/sub/"], async (tree) => {
			const bundled = { package: "typescript", script: "bin/tsc" };
			const compiler = { command: "nonesuch", bundled, typescript: { from: 7 } };
			tree.write("ws/node_modules/typescript/package.json", '{ "version": "7.1.0" }');
			expect(await run(tree, compiler, true)).toMatchObject({
				args: [tree.path("ws/node_modules/typescript/bin/tsc"), "-a"],
			});
			expect((await run(tree, compiler, false))?.args[0]).not.toContain(tree.base);
			tree.write("ws/node_modules/typescript/package.json", '{ "version": "5.9.0" }');
			chmodSync(tree.write("ws/node_modules/.bin/tsc", program), 0o755);
			const named = await run(tree, { ...compiler, command: "tsc" }, true);
			expect(named?.file).toBe(process.execPath);
			expect((await run(tree, compiler, true))?.args[0]).not.toContain(tree.base);
		}));

	test("directory below the root is where its server is started", () =>
		withTree(["ws/sub/"], async (tree) => {
			chmodSync(tree.write("installed/x-ls", program), 0o755);
			expect((await run(tree, { cwd: "inner" }, true))?.cwd).toBe(tree.path("ws/sub/inner"));
		}));
});
