import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { configSchema } from "../../scripts/config-schema.ts";
import type { ServerConfig } from "../../server.ts";
import { readSettings, type Settings } from "../../src/config/read-settings.ts";
import { REPOSITORY } from "../support/repository.ts";
import { type Tree, withTree } from "./tree.ts";

/** The settings that a user's own file, or a trusted repository's, makes. */
function from(
	value: unknown,
	check: (found: Settings, tree: Tree) => void,
	where: "user" | "repository" = "user",
): Promise<void> {
	return withTree(["ws/", "config/pi-lsp/"], async (tree) => {
		tree.write(where === "user" ? "config/pi-lsp/config.json" : "ws/.pi-lsp.json", JSON.stringify(value));
		const env = { XDG_CONFIG_HOME: tree.path("config"), HOME: tree.path("home") };
		check(await readSettings(tree.path("ws"), { env, trust: where === "repository" }), tree);
	});
}

function server(found: Settings, id: string): ServerConfig | undefined {
	return found.servers.find((each) => each.id === id);
}

describe("a new server", () => {
	const expected = { id: "mine", match: ["foo"], command: "mine-ls", args: ["--stdio"], languageId: { foo: "foo" } };
	const forms: readonly [string, unknown][] = [
		["an object by id", { mine: { match: ["foo"], command: "mine-ls", args: ["--stdio"] } }],
		["the seed's list", [{ id: "mine", match: ["foo"], command: "mine-ls", args: ["--stdio"], rootMarkers: [] }]],
		["a command with its arguments", [{ id: "mine", extensions: [".FOO"], command: ["mine-ls", "--stdio"] }]],
	];
	test.each(forms)("is read from %s", (_, servers) =>
		from({ servers }, (found) => {
			expect(found.problems).toEqual([]);
			expect(found.servers.at(-1)).toMatchObject({ ...expected, rootMarkers: [], looseFiles: true });
		}),
	);

	test("needs no command where another process runs it", () =>
		from({ servers: { mine: { match: ["foo"], connect: "127.0.0.1:9" } } }, (found) => {
			expect(found.problems).toEqual([]);
			expect(found.servers.at(-1)).toMatchObject({ id: "mine", connect: "127.0.0.1:9" });
		}));

	test("is read from agent-lsp's --config file, with the name of its command", () =>
		from({ servers: [{ extensions: ["foo"], command: ["/opt/foo-ls.sh", "-x"], language_id: "foolang" }] }, (found) => {
			const added = { id: "foo-ls", command: "/opt/foo-ls.sh", args: ["-x"], languageId: "foolang" };
			expect(found.servers.at(-1)).toMatchObject(added);
		}));

	test("is read from an argument of agent-lsp, for the files of its language", () =>
		from({ servers: ["python:my-python-ls,--stdio,-v", "go:gopls"] }, (found) => {
			const added = { id: "my-python-ls", command: "my-python-ls", args: ["--stdio", "-v"], languageId: "python" };
			expect(found.servers.at(-1)).toMatchObject({ ...added, match: ["py", "pyi"] });
			expect(server(found, "gopls")).toMatchObject({ command: "gopls", args: [], match: ["go"] });
			expect(found.problems).toEqual([]);
		}));

	test("answers for the files of all entries of agent-lsp that name its program", () => {
		const command = ["mine-ls", "--stdio"];
		const entries = [
			{ extensions: ["ts"], command, language_id: "typescript" },
			{ extensions: [".js", "cjs"], command, language_id: "javascript" },
			{ extensions: ["go"], command: ["gopls"] },
			{ extensions: ["mod"], command: ["gopls"] },
			{ extensions: ["py"], command: ["pyright-langserver", "--stdio"] },
			{ extensions: ["x"], command: ["mine-ls", "--other"] },
		];
		return from({ servers: entries }, (found) => {
			expect(found.problems).toEqual([]);
			expect(server(found, "mine-ls")).toMatchObject({
				match: ["ts", "js", "cjs"],
				languageId: { ts: "typescript", js: "javascript", cjs: "javascript" },
			});
			expect(server(found, "gopls")).toMatchObject({ match: ["go", "mod"] });
			expect(server(found, "pyright")).toMatchObject({ command: "pyright-langserver", strategy: "pull" });
			expect(found.servers.at(-1)).toMatchObject({ match: ["x"], args: ["--other"] });
		});
	});

	test("is not added if an argument names a built-in server by its id, whose program is searched as usual", () =>
		from({ servers: ["typescript:typescript", "python:pyright"] }, (found) => {
			expect(found.problems).toEqual([]);
			expect(server(found, "typescript")).toMatchObject({ command: "tsc", bundled: expect.any(Object) });
			expect(server(found, "pyright")).toMatchObject({ command: "pyright-langserver", args: ["--stdio"] });
		}));

	test("has the roots and languages of the built-in server for the same files", () =>
		from({ servers: { mine: { match: ["rs"], command: "x" } } }, (found) => {
			expect(server(found, "mine")).toMatchObject({
				languageId: "rust",
				rootMarkers: expect.arrayContaining(["Cargo.toml"]),
			});
		}));

	test("has its own variables, directory, options and settings", () => {
		const mine = {
			match: ["foo"],
			command: "~/x",
			env: { A: "b" },
			cwd: "sub",
			initializationOptions: [1],
			settings: { a: 1 },
		};
		return from({ servers: { mine } }, (found) => {
			const { command, environment, cwd, initializationOptions, settings } = server(found, "mine") ?? {};
			expect({ environment, cwd, initializationOptions, settings }).toEqual({
				environment: { A: "b" },
				cwd: "sub",
				initializationOptions: [1],
				settings: { a: 1 },
			});
			expect(command).toMatch(/^\/.*\/x$/);
		});
	});
});

describe("a built-in server", () => {
	test("is changed field by field", () =>
		from({ servers: { gopls: { idleMinutes: 3, args: ["-v"] } } }, (found) => {
			expect(server(found, "gopls")).toMatchObject({ command: "gopls", args: ["-v"], idleMinutes: 3, match: ["go"] });
		}));

	test("with another command is no longer the bundled one", () =>
		from({ servers: { typescript: { command: "/opt/tsc" } } }, (found) => {
			expect(server(found, "typescript")).toMatchObject({ command: "/opt/tsc", bundled: undefined, namedBy: "user" });
		}));

	test.each([{ gopls: false }, { gopls: { enabled: false } }])("is switched off by %j", (servers) =>
		from({ servers }, (found) => expect([...found.disabled]).toEqual(["gopls"])),
	);

	test("takes its program by its id or by its language", () =>
		from({ server_paths: { gopls: "/a/gopls", rust: "/b/ra", nonesuch: "/c" } }, (found) => {
			expect(server(found, "gopls")?.command).toBe("/a/gopls");
			expect(server(found, "rust-analyzer")?.command).toBe("/b/ra");
		}));
});

describe("a repository's own", () => {
	const evil = { command: "./bin/x", args: ["a"], env: { LD_PRELOAD: "x" }, cwd: "/", settings: {}, candidates: [] };

	test("program next to its file counts with trust", () =>
		from(
			{ servers: { gopls: evil, mine: { ...evil, match: ["go"] } } },
			(found, tree) => {
				for (const id of ["gopls", "mine"])
					expect(server(found, id)).toMatchObject({ command: tree.path("ws/bin/x"), environment: evil.env, cwd: "/" });
				expect([...found.withheld]).toEqual([]);
			},
			"repository",
		));

	test("settings of the whole machine and of trust are ignored", () =>
		from(
			{ maxServers: 1, max_servers: 1, trustedRoots: ["/"], watch: "poll" },
			(found) => {
				expect(found.maxServers).toBeUndefined();
				expect(found.watch).toBe("auto");
				expect(found.problems).toHaveLength(4);
			},
			"repository",
		));

	test("idle time of a known server counts without trust, and none of its other fields does", () =>
		withTree(["ws/", "config/"], async (tree) => {
			const rootFields = {
				rootMarkers: ["x"],
				rootRule: "nearest",
				looseFiles: true,
				match: ["py"],
				patterns: ["*.py"],
			};
			const answers = { languageId: "python", role: "linter", strategy: "push", diagnoses: false };
			const gopls = { ...evil, initializationOptions: { x: 1 }, idleMinutes: 9, ...rootFields, ...answers };
			tree.write("ws/.pi-lsp.json", JSON.stringify({ servers: { gopls }, server_paths: { rust: "/evil" } }));
			const env = { XDG_CONFIG_HOME: tree.path("config") };
			const [found, plain] = await Promise.all([
				readSettings(tree.path("ws"), { env }),
				readSettings(tree.path("config"), { env }),
			]);
			expect(server(found, "gopls")).toEqual({ ...server(plain, "gopls"), idleMinutes: 9 });
			expect(found.trust.shown).toContain('gopls: rootMarkers = ["x"]');
			expect(server(found, "rust-analyzer")).toEqual(server(plain, "rust-analyzer"));
			expect([...found.withheld].sort()).toEqual(["gopls", "rust-analyzer"]);
		}));
});

describe("the forms of other tools", () => {
	test("an `lsp` object holds the same fields, and its presence switches pi-lsp on", () =>
		from({ lsp: { severity: "warning", navigationTools: false, servers: { eslint: { enabled: false } } } }, (found) => {
			expect(found).toMatchObject({ enabled: true, severity: "warning", navigationTools: false, problems: [] });
			expect([...found.disabled]).toEqual(["eslint"]);
		}));

	test("times, languages and numbers are read under other names", () =>
		from({ idle_timeout_seconds: 90, disabled_languages: ["rust"], max_servers: 3 }, (found) => {
			expect(found).toMatchObject({ disabledLanguages: ["rust"], maxServers: 3, problems: [] });
			expect(new Set(found.servers.map(({ idleMinutes }) => idleMinutes))).toEqual(new Set([1.5]));
		}));

	test("a server's own idle time takes precedence over the general one", () =>
		from({ idleMinutes: 2, servers: { gopls: { idleMinutes: 60 } } }, (found) => {
			expect(server(found, "gopls")?.idleMinutes).toBe(60);
			expect(server(found, "pyright")?.idleMinutes).toBe(2);
		}));
});

test("the schema that is shipped equals the one generated from the fields", () => {
	const shipped = JSON.parse(readFileSync(`${REPOSITORY}/schema.json`, "utf8"));
	expect(shipped).toEqual(JSON.parse(JSON.stringify(configSchema())));
});
