import { chownSync, utimesSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { readSettings, type Settings } from "../../src/config/read-settings.ts";
import { type Tree, withTree } from "./tree.ts";

function settings(tree: Tree, directory = "ws", env: NodeJS.ProcessEnv = {}): Promise<Settings> {
	return readSettings(tree.path(directory), { env: { XDG_CONFIG_HOME: tree.path("config"), ...env } });
}

/** The settings of a workspace whose `.pi-lsp.json` holds `value`. */
function withConfig(value: unknown, check: (found: Settings, tree: Tree) => void): Promise<void> {
	return withTree(["ws/"], async (tree) => {
		tree.write("ws/.pi-lsp.json", typeof value === "string" ? value : JSON.stringify(value));
		check(await settings(tree), tree);
	});
}

test("the defaults apply without a configuration", () =>
	withTree(["ws/"], async (tree) => {
		const found = await settings(tree);
		expect(found).toMatchObject({
			enabled: true,
			mode: "edit",
			severity: "error",
			warmMs: 3000,
			coldMs: 10_000,
			graceMs: 300,
			lateMs: 2000,
			unproven: "say",
			maxFileBytes: 2 * 1024 * 1024,
			editScope: "affected",
			problems: [],
		});
		expect(found.servers.map(({ id }) => id)).toContain("typescript");
	}));

/** All settings that a field of a file can set, except the list of servers. */
function fieldsOf(settings: Settings): Partial<Settings> {
	const { servers, problems, directory, workspace, callerKey, stillTrusted, trust, ...fields } = settings;
	return fields;
}

const defaults = fieldsOf(await readSettings("/nonexistent", { env: { XDG_CONFIG_HOME: "/nonexistent" } }));

describe("each field", () => {
	const wrong: [string, readonly unknown[]][] = [
		["lsp", ["yes", 1, null]],
		["mode", ["always", 1, null, ["edit"]]],
		["severity", ["errors", 1, null]],
		["disable", ["typescript", [1], null, {}]],
		["warmMs", ["1", 0, -1, null]],
		["coldMs", ["1", 0, -1, null]],
		["graceMs", ["1", 0, -1, null]],
		["lateMs", ["1", 0, -1, null]],
		["unproven", ["loud", true, null]],
		["maxFileBytes", ["1", 0, -1, null]],
		["editScope", ["all", 1, null]],
		["mutatingTools", ["x", [1], null]],
		["noSuchField", [1]],
		["__proto__", [{ mode: "off" }]],
		["constructor", [1]],
	];
	test.each(wrong)("%s with a value of the wrong kind is reported, and the rest applies", async (name, values) => {
		for (const value of values) {
			const rest = name === "severity" ? '"warmMs":7' : '"severity":"warning"';
			await withConfig(`{${JSON.stringify(name)}:${JSON.stringify(value)},${rest}}`, (found, tree) => {
				expect(found.problems).toHaveLength(1);
				expect(found.problems[0]).toContain(tree.path("ws/.pi-lsp.json"));
				expect(found.problems[0]).toMatch(new RegExp(`:1: "${name}["[]`));
				expect(fieldsOf(found)).toEqual({
					...defaults,
					...(name === "severity" ? { warmMs: 7 } : { severity: "warning" }),
				});
			});
		}
	});

	test.each([
		['"warmMs": 1e999', '"warmMs" must be at most 86400000, not Infinity'],
		['"mode": "never"', '"mode" must be one of edit, turn, off, not "never"'],
		['"mode": "trun"', '"mode" must be one of edit, turn, off, not "trun". Did you mean "turn"?'],
		['"severty": "error"', '"severty" is not a setting. Did you mean "severity"?'],
		['"frobnicate": 1', '"frobnicate" is not a setting'],
		['"disable": ["a", 7]', '"disable[1]" must be a text, not 7'],
		['"server_paths": {"a": null}', '"server_paths.a" must be a text, not null'],
		['"servers": {"gopls": {"command": ["", "x"]}}', '"servers.gopls.command[0]" must be a program'],
		['"servers": {"gopls": {"command": ["x", 7]}}', '"servers.gopls.command[1]" must be a text, not 7'],
		['"servers": {"gopls": {"candidates": [{}]}}', '"servers.gopls.candidates[0].command" is missing'],
		['"servers": {"gopls": {"languageId": {"go": 1}}}', '"servers.gopls.languageId.go" must be a text, not 1'],
		[
			'"servers": {"gopls": {"languageId": 1}}',
			'"servers.gopls.languageId" must be a text, or an object of texts, not 1',
		],
		[
			`"servers": {"gopls": {"command": [${'"x",'.repeat(1001)}]}}`,
			'"servers.gopls.command" must be a list of at most 1000 items',
		],
	])("with the value %.60s is described by its path and the expected type", (text, problem) =>
		withConfig(`{${text}}`, (found, tree) => {
			expect(found.problems).toEqual([`${tree.path("ws/.pi-lsp.json")}:1: ${problem}`]);
		}),
	);

	test("with a valid value is accepted", () =>
		withConfig(
			{
				$schema: "x",
				lsp: true,
				mode: "turn",
				severity: "warning",
				disable: ["eslint"],
				warmMs: 1,
				coldMs: 2,
				graceMs: 4,
				lateMs: 5,
				unproven: "silent",
				maxFileBytes: 3,
				editScope: "file",
				mutatingTools: ["sed"],
			},
			(found) => {
				expect(found).toMatchObject({
					mode: "turn",
					severity: "warning",
					disabled: new Set(["eslint"]),
					warmMs: 1,
					coldMs: 2,
					graceMs: 4,
					lateMs: 5,
					unproven: "silent",
					maxFileBytes: 3,
					editScope: "file",
					mutatingTools: ["sed"],
					problems: [],
				});
			},
		));
});

describe("a file that cannot be parsed is reported and the defaults apply", () => {
	test.each(["", "{", "[]", "null", "5", '"x"', '{"mode":"turn",,}', '{"mode" "turn"}', "\0"])("%j", (text) =>
		withConfig(text, (found, tree) => {
			expect(found.problems).toHaveLength(1);
			expect(found.problems[0]).toContain(tree.path("ws/.pi-lsp.json"));
			expect(found.mode).toBe("edit");
		}),
	);
});

describe("the source of a setting", () => {
	test("a repository's file overrides the user's, field by field", () =>
		withTree(["ws/"], async (tree) => {
			tree.write("config/pi-lsp/config.json", '{"severity":"hint","warmMs":7}');
			tree.write("ws/.pi-lsp.json", '{"severity":"warning"}');
			expect(await settings(tree)).toMatchObject({ severity: "warning", warmMs: 7 });
		}));

	test("the nearest file upward is the only one that counts", () =>
		withTree(["ws/.git/", "ws/a/b/"], async (tree) => {
			tree.write("ws/.pi-lsp.json", '{"severity":"hint","warmMs":7}');
			tree.write("ws/a/.pi-lsp.json", '{"severity":"warning"}');
			expect(await settings(tree, "ws/a/b")).toMatchObject({ severity: "warning", warmMs: 3000 });
		}));

	test.each([
		["the top of the repository", "ws/.git/", "ws/a/b"],
		["the top of the workspace, where there is no repository", "ws/package.json", "ws/a/b"],
		["the directory itself, without a marker of a project,", "ws/", "ws"],
	])("a file above %s does not count", (_, top, directory) =>
		withTree([top, "ws/a/b/"], async (tree) => {
			tree.write(".pi-lsp.json", '{"severity":"hint"}');
			expect(await settings(tree, directory)).toMatchObject({ severity: "error", problems: [] });
			tree.write("ws/.pi-lsp.json", '{"severity":"hint"}');
			expect(await settings(tree, directory)).toMatchObject({ severity: "hint", problems: [] });
		}),
	);

	test("a file of the repository counts above the workspace if the home directory is the repository", () =>
		withTree(["home/.git/", "home/ws/package.json"], async (tree) => {
			vi.stubEnv("HOME", tree.path("home"));
			tree.write("home/.pi-lsp.json", '{"severity":"hint"}');
			expect(await settings(tree, "home/ws").finally(() => vi.unstubAllEnvs())).toMatchObject({ severity: "hint" });
		}));

	test.skipIf(process.getuid?.() !== 0)("another user's file does not count unless the directory is also theirs", () =>
		withTree(["ws/.git/", "ws/a/"], async (tree) => {
			const otherUser = 65_534;
			const file = tree.write("ws/.pi-lsp.json", '{"severity":"hint"}');
			chownSync(file, otherUser, otherUser);
			expect(await settings(tree, "ws/a")).toMatchObject({
				severity: "error",
				problems: [`${file}: does not count, because another user owns it`],
			});
			chownSync(tree.path("ws/a"), otherUser, otherUser);
			expect(await settings(tree, "ws/a")).toMatchObject({ severity: "hint", problems: [] });
		}),
	);

	test("a change takes effect at the next query", () =>
		withTree(["ws/"], async (tree) => {
			const file = tree.write("ws/.pi-lsp.json", '{"mode":"turn"}');
			expect((await settings(tree)).mode).toBe("turn");
			tree.write("ws/.pi-lsp.json", '{"mode":"edit"}');
			utimesSync(file, new Date(), new Date(Date.now() + 5000));
			expect((await settings(tree)).mode).toBe("edit");
		}));

	test("a directory with the name of a configuration file is no configuration", () =>
		withTree(["ws/.pi-lsp.json/"], async (tree) => {
			expect(await settings(tree)).toMatchObject({ mode: "edit", problems: [] });
		}));

	test("PI_LSP=0 and `lsp: false` switch all of pi-lsp off", () =>
		withTree(["ws/"], async (tree) => {
			expect((await settings(tree, "ws", { PI_LSP: "0" })).enabled).toBe(false);
			tree.write("ws/.pi-lsp.json", '{"lsp":false}');
			expect((await settings(tree)).enabled).toBe(false);
		}));

	test("a server that the user has switched off is not switched on by a repository", () =>
		withTree(["ws/"], async (tree) => {
			const env = { XDG_CONFIG_HOME: tree.path("config"), PI_LSP_TRUST: "1" };
			const own = { lsp: false, disable: ["typescript"], servers: { gopls: false } };
			tree.write("config/pi-lsp/config.json", JSON.stringify(own));
			tree.write(
				"ws/.pi-lsp.json",
				'{ "lsp": { "servers": { "typescript": { "enabled": true }, "gopls": { "enabled": true } } } }',
			);
			const found = await settings(tree, "ws", env);
			expect(found.enabled).toBe(false);
			expect([...found.disabled]).toEqual(["typescript", "gopls"]);
			tree.write("config/pi-lsp/config.json", "{}");
			expect((await settings(tree, "ws", env)).enabled).toBe(true);
		}));

	test("swissarmyhammer's spellings load, and a path of an unknown server is a mistake", () =>
		withTree(["ws/"], async (tree) => {
			const languages = {
				go: { command: "gopls", args: [], extensions: [".go"], root_markers: ["go.mod", "go.sum"] },
				zonk: {
					command: "zonk-ls",
					extensions: [".zonk"],
					root_markers: ["zonk.toml"],
					requires: ["zonk"],
					install_hint: "zonk install ls",
				},
			};
			const file = { lsp: { languages, server_paths: { nobody: "/bin/nobody" } } };
			tree.write("config/pi-lsp/config.json", JSON.stringify(file));
			const { servers, problems } = await settings(tree, "ws", { XDG_CONFIG_HOME: tree.path("config") });
			expect(servers.find(({ id }) => id === "gopls")).toMatchObject({ rootMarkers: ["go.mod", "go.sum"] });
			expect(servers.find(({ id }) => id === "zonk-ls")).toMatchObject({
				match: ["zonk"],
				languageId: "zonk",
				rootMarkers: ["zonk.toml"],
				prerequisites: ["zonk"],
				install: "zonk install ls",
			});
			expect(problems).toEqual([expect.stringContaining('"nobody" is neither a server nor a language')]);
		}));
});

test("a repository's file without trust launches nothing", () =>
	withConfig(
		{
			servers: [
				{ id: "typescript", command: "/tmp/evil" },
				{ id: "evil", match: ["ts"], command: "/tmp/evil" },
			],
		},
		({ servers, withheld }) => {
			expect(JSON.stringify(servers)).not.toContain("/tmp/evil");
			expect([...withheld]).toEqual(["typescript", "evil"]);
		},
	));

test("trust is given by the caller, and never by a repository", () =>
	withTree(["ws/"], async (tree) => {
		tree.write("ws/.pi-lsp.json", '{"trusted":true,"trust":true}');
		expect((await settings(tree)).trusted).toBe(false);
		expect((await readSettings(tree.path("ws"), { trust: true })).trusted).toBe(true);
	}));
