import { chmodSync } from "node:fs";
import process from "node:process";
import { afterEach, describe, expect, test } from "vitest";
import type { CallerConfig } from "../../src/config/caller-config.ts";
import { readSettings, type Settings } from "../../src/config/read-settings.ts";
import { locate } from "../../src/routing/locate.ts";
import { type Tree, withTree } from "./tree.ts";

/** The settings of a caller that was started in the workspace with this configuration; it trusts nothing. */
function settings(tree: Tree, config?: Omit<CallerConfig, "directory">): Promise<Settings> {
	const env = { XDG_CONFIG_HOME: tree.path("config"), HOME: tree.path("home") };
	return readSettings(tree.path("ws"), {
		env,
		withoutTrust: true,
		...(config ? { config: { ...config, directory: tree.path("ws") } } : {}),
	});
}

function server(found: Settings, id: string) {
	return found.servers.find((each) => each.id === id);
}

test("the caller's configuration overrides the user's and the repository's, and its arguments override its file", () =>
	withTree(["ws/", "config/pi-lsp/"], async (tree) => {
		tree.write("config/pi-lsp/config.json", '{"severity":"hint","warmMs":7,"servers":{"gopls":{"command":"user-go"}}}');
		tree.write(
			"ws/.pi-lsp.json",
			'{"severity":"warning","mode":"turn","servers":{"gopls":{"command":"repository-go"}}}',
		);
		const file = tree.write("typed/lsp.json", '{"severity":"info","servers":{"gopls":{"command":"./go"}}}');
		const byFile = await settings(tree, { file });
		expect(byFile).toMatchObject({ severity: "info", warmMs: 7, mode: "turn", problems: [] });
		expect(server(byFile, "gopls")).toMatchObject({ command: tree.path("typed/go"), namedBy: "caller" });
		const both = await settings(tree, { file, servers: ["go:./gopls,-v"] });
		expect(server(both, "gopls")).toMatchObject({ command: tree.path("ws/gopls"), args: ["-v"] });
		expect(server(await settings(tree), "gopls")).toMatchObject({ command: "user-go" });
	}));

test("a change of the file takes effect at the next query", () =>
	withTree(["ws/"], async (tree) => {
		const file = tree.write("typed.json", '{"severity":"info"}');
		expect((await settings(tree, { file })).severity).toBe("info");
		tree.write("typed.json", '{"severity":"warning"}');
		expect((await settings(tree, { file })).severity).toBe("warning");
	}));

test("a missing file is refused, mistakes in an existing one are reported as problems", () =>
	withTree(["ws/"], async (tree) => {
		const gone = settings(tree, { file: tree.path("gone.json") });
		await expect(gone).rejects.toMatchObject({ code: "LSP_CONFIG_INVALID" });
		const file = tree.write("typed.json", '{\n"severity": 5 }');
		const { problems } = await settings(tree, { file, servers: ["nonsense"] });
		expect(problems).toEqual([
			expect.stringMatching(/typed\.json:2: "severity" /),
			'an argument: "nonsense" is not "language:program"',
		]);
	}));

test("the repository's own file, given by its name, counts like the user's for this caller and for no other", () =>
	withTree(["ws/"], async (tree) => {
		const file = tree.write("ws/.pi-lsp.json", `{"trustedRoots":["${tree.path("ws")}"]}`);
		const refused = [expect.stringContaining('"trustedRoots" counts in the user\'s own configuration only')];
		// The file is read once for each of the two callers, in any order.
		expect((await settings(tree)).problems).toEqual(refused);
		expect((await settings(tree, { file })).problems).toEqual(refused);
		tree.write("ws/.pi-lsp.json", `{"trustedRoots":["${tree.path("ws")}"] }`);
		expect((await settings(tree, { file })).problems).toEqual(refused);
		expect((await settings(tree)).problems).toEqual(refused);
	}));

describe("a program that the caller names", () => {
	const path = process.env.PATH;
	afterEach(() => {
		process.env.PATH = path;
	});
	const routed = (files: Readonly<Record<string, string>>, servers: readonly string[]) =>
		withTree(["ws/"], async (tree) => {
			for (const [name, text] of Object.entries(files)) tree.write(`ws/${name}`, text);
			for (const program of ["pyright-langserver", "ty", "pylsp", "mine-ls"])
				chmodSync(tree.write(`bin/${program}`, "#!/bin/sh\n"), 0o755);
			process.env.PATH = tree.path("bin");
			const { routes } = await locate("a.py", await settings(tree, { servers }));
			return routes.map(({ config }) => config.id);
		});

	test("replaces the language's own, whatever the project uses", async () => {
		const files = { "a.py": "x = 1\n", "pyrightconfig.json": "{}" };
		expect(await routed(files, [])).toEqual(["pyright"]);
		expect(await routed(files, ["python:ty"])).toEqual(["ty"]);
		expect(await routed(files, ["python:mine-ls,--stdio"])).toEqual(["mine-ls"]);
	});

	test("needs trust if it runs code of the repository, like any other program", async () => {
		expect(await routed({ "a.py": "x = 1\n" }, ["python:pylsp"])).toEqual(["pyright"]);
	});

	test("takes nothing from the repository's server of the same name", () =>
		withTree(["ws/"], async (tree) => {
			const mine = (command: string) => JSON.stringify({ servers: { mine: { command, match: ["x"] } } });
			tree.write("ws/.pi-lsp.json", mine("/evil"));
			expect(server(await settings(tree), "mine")).toMatchObject({ runsRepositoryCode: true, fromRepository: true });
			const file = tree.write("typed.json", mine("/good"));
			const found = server(await settings(tree, { file }), "mine");
			expect(found).toMatchObject({ command: "/good", namedBy: "caller" });
			expect(found).not.toHaveProperty("runsRepositoryCode");
			expect(found).not.toHaveProperty("fromRepository");
		}));
});
