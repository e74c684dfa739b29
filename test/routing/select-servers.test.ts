import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ServerConfig, servers } from "../../server.ts";
import { readSettings, type Settings } from "../../src/config/read-settings.ts";
import { launchCommand } from "../../src/launch/launch-command.ts";
import { type Located, locate } from "../../src/routing/locate.ts";
import { type Tree, withTree } from "../config/tree.ts";

const path = process.env.PATH;
const everywhere = mkdtempSync("/tmp/pl-bin-");
beforeAll(() => {
	process.env.XDG_CONFIG_HOME = "/nonexistent";
	for (const program of everyProgram) writeFileSync(join(everywhere, program), "#!/bin/sh\n", { mode: 0o755 });
});
afterAll(() => rmSync(everywhere, { recursive: true, force: true }));
afterEach(() => {
	process.env.PATH = path;
});

type Files = Readonly<Record<string, string>>;

/** Every program that a server of the registry could be started with, and its prerequisites. */
const everyProgram = [
	...servers.flatMap(({ command, candidates = [], prerequisites = [] }) => [
		command,
		...candidates.map((candidate) => candidate.command),
		...prerequisites,
	]),
];

function install(tree: Tree, programs: readonly string[]): void {
	process.env.PATH = programs === everyProgram ? everywhere : tree.path("bin");
	if (programs === everyProgram) return;
	for (const program of programs) chmodSync(tree.write(`bin/${program}`, "#!/bin/sh\n"), 0o755);
}

/** The servers for the first of the files, in a workspace that contains them, with `programs` installed. */
function routed(
	files: Files,
	programs: readonly string[] = everyProgram,
	over: Partial<Settings> = { trusted: true },
): Promise<Located["routes"]> {
	return withTree(["ws/.git/"], async (tree) => {
		for (const [name, text] of Object.entries(files)) tree.write(`ws/${name}`, text);
		install(tree, programs);
		const settings = { ...(await readSettings(tree.path("ws"))), ...over };
		const { routes } = await locate(Object.keys(files)[0] ?? "", settings);
		return routes.map((route) => ({ ...route, root: route.root.slice(tree.path().length) }));
	});
}

async function chosen(
	files: Files,
	programs?: readonly string[],
	over?: Partial<Settings>,
): Promise<readonly (string | undefined)[]> {
	return (await routed(files, programs, over)).map(({ config }) => config.id);
}

describe("selectServers: names of files", () => {
	test.each([
		["its whole name", "Dockerfile", ["docker-langserver"]],
		["a pattern", "build/Dockerfile.dev", ["docker-langserver"]],
		["its extension", "app.dockerfile", ["docker-langserver"]],
		["its name, where the extension is ambiguous", "CMakeLists.txt", ["neocmakelsp"]],
		["its name without an extension", ".bashrc", ["bash-language-server"]],
		["the end of its path", ".github/workflows/ci.yml", ["actions-languageserver"]],
		["the end of its path, however deep", "a/b/.github/workflows/ci.yaml", ["actions-languageserver"]],
		["its extension elsewhere", "workflows/ci.yml", ["yaml-language-server"]],
		["a pattern before its extension", "docker-compose.prod.yml", ["docker-compose-langserver"]],
	])("A file is matched by %s: %s", async (_, file, expected) => {
		expect(await chosen({ [file]: "x" })).toEqual(expected);
	});

	test.each(["Dockerfile.dockerignore", "CMakeLists.txt.bak", "xDockerfile", "notes.txt"])(
		"No server matches %s",
		async (file) => {
			await expect(chosen({ [file]: "x" })).rejects.toMatchObject({ code: "LSP_UNSUPPORTED_FILE" });
		},
	);
});

describe("selectServers: first lines of scripts", () => {
	const rows: [string, string, string][] = [
		["#!/bin/sh", "bash-language-server", "shellscript"],
		["#!/usr/bin/env bash", "bash-language-server", "shellscript"],
		["#! /usr/bin/env -S bash -e", "bash-language-server", "shellscript"],
		["#!/usr/bin/env -S LC_ALL=C dash", "bash-language-server", "shellscript"],
		["#!/usr/bin/python3.12 -u\r", "pyright", "python"],
		["#!/usr/bin/env python3", "pyright", "python"],
		["#!/usr/bin/env -S uv run --script", "pyright", "python"],
		["#!/usr/bin/ruby2.7", "ruby-lsp", "ruby"],
		["#!/usr/bin/env fish", "fish-lsp", "fish"],
	];
	test.each(rows)("The first line %j selects %s", async (line, id, languageId) => {
		expect(await routed({ "bin/run": `${line}\nx\n` })).toMatchObject([{ config: { id }, languageId }]);
	});

	test("A script with an unknown extension is matched by its first line", async () => {
		expect(await chosen({ "run.command": "#!/bin/bash\n" })).toEqual(["bash-language-server"]);
	});

	test("The name of a script counts before its first line", async () => {
		expect(await chosen({ "run.py": "#!/bin/bash\n" })).toEqual(["pyright"]);
	});

	test.each([
		"",
		"x",
		"#!",
		"#! ",
		"#!/usr/bin/env",
		"#!/usr/bin/env -S",
		" #!/bin/sh",
		"\n#!/bin/sh",
		"#!/bin/unknown",
		"//#!/bin/sh",
	])("A file with the first line %j is no script", async (text) => {
		await expect(chosen({ run: text })).rejects.toMatchObject({ code: "LSP_UNSUPPORTED_FILE" });
	});

	test("A first line beyond the usual length is not read", async () => {
		await expect(chosen({ run: `#!${" ".repeat(200)}/bin/sh\n` })).rejects.toMatchObject({
			code: "LSP_UNSUPPORTED_FILE",
		});
	});
});

describe("selectServers: alternatives", () => {
	const python = (more: Files = {}, programs?: readonly string[], over?: Partial<Settings>) =>
		chosen({ "src/a.py": "x = 1\n", ...more }, programs, over);

	test("The first alternative is selected if the project uses none", async () => {
		expect(await python({ "pyproject.toml": "[project]\nname = 'x'\n" })).toEqual(["pyright"]);
	});

	test("The first installed alternative is selected", async () => {
		expect(await python({}, ["ty", "pylsp"])).toEqual(["ty"]);
		expect(await python({}, ["basedpyright-langserver"])).toEqual(["basedpyright"]);
	});

	test("The first alternative is selected if none is installed", async () => {
		expect(await python({}, [])).toEqual(["pyright"]);
	});

	test.each([
		["basedpyright", { "pyproject.toml": "[tool.basedpyright]\n" }],
		[
			"basedpyright",
			{ "pyproject.toml": '[dependency-groups]\ndev = ["basedpyright>=1.2"]\n', "pyrightconfig.json": "{}" },
		],
		["pyright", { "pyrightconfig.json": "{}" }],
		["pyright", { "pyproject.toml": "[tool.pyright]\nstrict = []\n" }],
		["ty", { "ty.toml": "" }],
		["ty", { "pyproject.toml": "[tool.ty.rules]\n" }],
		["ty", { "pyrightconfig.json": "{}", "src/ty.toml": "" }],
		["ty", { "pyproject.toml": "[project]\ndependencies = ['not-basedpyright']\n[tool.ty]\n" }],
		["pyrefly", { "pyproject.toml": "[tool.pyrefly]\n" }],
		["pylsp", { "setup.cfg": "[pylsp]\n" }],
		["pyright", { "pyproject.toml": "# [tool.ty]\n[tool.tyro]\ndescription = 'x' # not pyrefly\n" }],
	])("%s is selected if the project uses it: %j", async (id, files: Files) => {
		expect(await python(files)).toEqual([id]);
	});

	test("Another alternative is selected if the project's own is not installed", async () => {
		expect(await python({ "ty.toml": "" }, ["pyright-langserver"])).toEqual(["pyright"]);
	});

	test("Another alternative is selected if the project's own may not run", async () => {
		const files = { "a.php": "<?php", "composer.json": "{}", ".phpactor.json": "{}" };
		expect(await chosen(files)).toEqual(["phpactor"]);
		expect(await chosen(files, everyProgram, { trusted: false })).toEqual(["intelephense"]);
	});

	test("An alternative that is switched off is not selected", async () => {
		expect(await python({}, everyProgram, { disabled: new Set(["pyright"]) })).toEqual(["basedpyright"]);
	});
});

describe("doubtOf: a file without diagnostics is not known to be correct", () => {
	const doubts = async (
		programs: readonly string[],
		config: object = {},
		more: Files = {},
		over: Partial<Settings> = {},
	) => {
		const files = { "src/a.py": "", "ruff.toml": "", ".pi-lsp.json": JSON.stringify(config), ...more };
		return (await routed(files, programs, { trusted: false, ...over })).map(({ config: { id }, doubt }) => [
			id,
			doubt?.state,
			doubt?.reason,
		]);
	};
	const checkers = ["pyright", "basedpyright", "ty", "pyrefly", "pylsp"];

	test("An untrusted repository that switches the type checkers off raises a doubt", async () => {
		const reason = "pyright, which would judge it, is switched off by a .pi-lsp.json that is not trusted.";
		expect(await doubts(everyProgram, { disable: checkers })).toEqual([
			["jedi-language-server", "untrusted", reason],
			["ruff", "untrusted", reason],
		]);
		const servers = Object.fromEntries([...checkers, "jedi-language-server"].map((id) => [id, false]));
		expect(await doubts(everyProgram, { servers })).toEqual([["ruff", "untrusted", reason]]);
	});

	test("A type checker that is missing or waits for trust raises a doubt if the others only parse", async () => {
		expect(await doubts(["jedi-language-server"])).toEqual([
			[
				"jedi-language-server",
				"unavailable",
				"pyright, which would judge it, is not installed (npm install -g pyright@1.1.414 (npm is not installed)); jedi-language-server only parses.",
			],
		]);
		expect(await doubts(["pyrefly", "jedi-language-server"], {}, { "pyrefly.toml": "" })).toEqual([
			[
				"jedi-language-server",
				"untrusted",
				"pyrefly, which would judge it, waits for trust; jedi-language-server only parses.",
			],
		]);
	});

	test("No doubt is raised if a type checker is asked, or if the user has switched all of them off", async () => {
		expect(await doubts(["ty", "jedi-language-server"], { disable: ["pyright"] })).toEqual([
			["ty", undefined, undefined],
		]);
		const disabled = new Set(checkers);
		expect(await doubts(["jedi-language-server"], {}, {}, { disabled })).toEqual([
			["jedi-language-server", undefined, undefined],
		]);
	});
});

describe("selectServers: TypeScript", () => {
	const typescript = (more: Files, programs?: readonly string[], over?: Partial<Settings>) =>
		chosen({ "src/a.ts": "", ...more }, programs, over);
	const declares = (packages: Files) => ({ "package.json": JSON.stringify({ devDependencies: packages }) });

	test.each([
		["typescript", {}],
		["typescript", declares({ typescript: "^7.0.0" })],
		["typescript-language-server", declares({ typescript: "^5.0.0" })],
		["vtsls", declares({ typescript: "^5.0.0", "@vtsls/language-server": "*" })],
		["typescript", declares({ typescript: "^7.0.0", "@vtsls/language-server": "*" })],
		["deno", { "deno.json": "{}" }],
		["deno", { "deno.jsonc": "{}", "package.json": "{}" }],
		["typescript", { "deno.json": "{}", "tsconfig.json": "{}" }],
		["typescript-language-server", { "deno.json": "{}", ...declares({ typescript: "^5.0.0" }) }],
		["typescript", { "deno.json": "{}", "src/tsconfig.json": "{}" }],
		["deno", { "tsconfig.json": "{}", "src/deno.json": "{}" }],
	])("%s is selected for %j", async (id, files: Files) => {
		expect(await typescript(files)).toEqual([id]);
	});

	test("typescript-language-server is selected if vtsls is not installed or may not run", async () => {
		const files = declares({ typescript: "^5.0.0", "@vtsls/language-server": "*" });
		expect(await typescript(files, [])).toEqual(["typescript-language-server"]);
		expect(await typescript(files, everyProgram, {})).toEqual(["typescript-language-server"]);
	});

	test("Deno alone is selected in a Deno project, installed or not", async () => {
		expect(await typescript({ "deno.json": "{}" }, [])).toEqual(["deno"]);
	});
});

describe("selectServers: linters and servers of frameworks", () => {
	const script = (more: Files, programs?: readonly string[], over?: Partial<Settings>) =>
		chosen({ "src/a.ts": "", ...more }, programs, over);

	test.each([
		["nothing", {}, []],
		["ESLint", { "eslint.config.js": "" }, ["eslint"]],
		["ESLint of old", { ".eslintrc.yaml": "" }, ["eslint"]],
		["ESLint in package.json", { "package.json": '{"eslintConfig":{}}' }, ["eslint"]],
		["Biome", { "biome.jsonc": "{}" }, ["biome"]],
		["Biome without a configuration", { "package.json": '{"devDependencies":{"@biomejs/biome":"2"}}' }, ["biome"]],
		["both", { "eslint.config.mjs": "", "biome.json": "{}" }, ["eslint", "biome"]],
		["Oxlint", { ".oxlintrc.json": "{}" }, ["oxlint"]],
		["Angular", { "angular.json": "{}" }, ["angular-language-server"]],
		["ESLint as a package only", { "package.json": '{"devDependencies":{"eslint":"9"}}' }, []],
	])("The servers of a project that uses %s are selected", async (_, files: Files, expected: string[]) => {
		expect(await script(files)).toEqual(["typescript", ...expected]);
	});

	test("A linter is not selected if the program or a prerequisite is not installed", async () => {
		expect(await script({ "eslint.config.js": "", "biome.json": "{}" }, ["biome"])).toEqual(["typescript", "biome"]);
		const go = { "a.go": "package a\n", "go.mod": "module a\n", ".golangci.yml": "" };
		expect(await chosen(go, ["gopls", "golangci-lint-langserver"])).toEqual(["gopls"]);
		expect(await chosen(go)).toEqual(["gopls", "golangci-lint"]);
	});

	test("A linter that runs code of the repository is not selected without trust", async () => {
		expect(await script({ "eslint.config.js": "", "biome.json": "{}" }, everyProgram, {})).toEqual([
			"typescript",
			"biome",
		]);
	});

	test("The language's own server comes first in any order of the list", async () => {
		expect(await chosen({ "a.html": "<p>", "angular.json": "{}" })).toEqual([
			"html-language-server",
			"angular-language-server",
		]);
	});

	test("Several linters are selected", async () => {
		const files = { "src/a.css": "", "package.json": '{"dependencies":{"tailwindcss":"4"},"stylelint":{}}' };
		expect(await chosen(files)).toEqual(["css-language-server", "stylelint", "tailwindcss"]);
		expect(await chosen({ "a.py": "", "pyproject.toml": "[tool.ruff.lint]\n" })).toEqual(["pyright", "ruff"]);
	});

	test("The root of a linter is the directory that uses it", async () => {
		const roots = await routed({ "a/b/c.ts": "", "a/package.json": '{"devDependencies":{"oxlint":"1"}}' });
		expect(roots.map(({ config, root }) => [config.id, root])).toEqual([
			["typescript", "/ws/a"],
			["oxlint", "/ws/a"],
		]);
	});
});

describe("selectServers: exclusive servers", () => {
	test("An exclusive server alone is selected in its projects, installed or not", async () => {
		const template = { "chart/templates/sub/a.yaml": "{{ x }}\n", "chart/Chart.yaml": "" };
		expect(await routed(template)).toMatchObject([
			{ config: { id: "helm-ls" }, root: "/ws/chart", languageId: "helm" },
		]);
		expect(await chosen(template, ["yaml-language-server"])).toEqual(["helm-ls"]);
	});

	test("An exclusive server is not selected outside of its projects", async () => {
		expect(await chosen({ "templates/a.yaml": "" }, ["helm_ls", "yaml-language-server"])).toEqual([
			"yaml-language-server",
		]);
		expect(await chosen({ "a.v": "" })).toEqual(["verible"]);
		expect(await chosen({ "a.v": "", "v.mod": "" })).toEqual(["v-analyzer"]);
		await expect(chosen({ "a.hbs": "" })).rejects.toMatchObject({ code: "LSP_UNSUPPORTED_FILE" });
	});
});

describe("selectServers: roots", () => {
	test.each([
		[
			"the Cargo workspace above a crate",
			{ "a/src/x.rs": "", "a/Cargo.toml": "[package]\n", "Cargo.toml": "[workspace]\n" },
			"/ws",
		],
		[
			"the nearest Cargo workspace",
			{ "a/x.rs": "", "a/Cargo.toml": "[workspace]\n[package]\n", "Cargo.toml": "[workspace]\n" },
			"/ws/a",
		],
		[
			"the crate itself, if the one above is no workspace",
			{ "a/x.rs": "", "a/Cargo.toml": "[package]\n", "Cargo.toml": "[package]\n" },
			"/ws/a",
		],
		["the directory of go.work", { "a/b/x.go": "", "a/b/go.mod": "", "a/go.work": "", "go.mod": "" }, "/ws/a"],
		["the highest go.mod", { "a/b/x.go": "", "a/b/go.mod": "", "go.mod": "" }, "/ws"],
		[
			"the Gradle build above its projects",
			{ "a/b/X.java": "", "a/b/build.gradle": "", "a/settings.gradle.kts": "", "pom.xml": "" },
			"/ws/a",
		],
		["the highest pom.xml", { "a/X.java": "", "a/pom.xml": "", "pom.xml": "" }, "/ws"],
		["the solution above a project", { "a/X.cs": "", "a/A.csproj": "", "All.sln": "" }, "/ws"],
		["the project where there is no solution", { "a/b/X.cs": "", "a/A.csproj": "" }, "/ws/a"],
		["the pnpm workspace above a package", { "a/x.ts": "", "a/package.json": "{}", "pnpm-workspace.yaml": "" }, "/ws"],
		["the workspace for a loose file", { "a/x.py": "" }, "/ws"],
	])("The root is %s", async (_, files: Files, root) => {
		expect((await routed(files))[0]?.root).toBe(root);
	});

	test.each([
		["a.go", "go.mod"],
		["A.cs", "*.csproj"],
		["a.gleam", "gleam.toml"],
	])("A root is missing for %s", async (file, marker) => {
		await expect(chosen({ [file]: "" })).rejects.toMatchObject({
			code: "LSP_NO_PROJECT_ROOT",
			details: { looked_for: expect.arrayContaining([marker]) },
		});
	});
});

describe("selectServers: without trust", () => {
	const rust = { "src/a.rs": "", "Cargo.toml": "[package]\n" };
	const untrusted = (files: Files) => routed(files, everyProgram, { trusted: false });

	test("A server gets a configuration with which it runs nothing", async () => {
		const [route] = await untrusted(rust);
		expect(route?.config).toMatchObject({
			id: "rust-analyzer",
			partial: true,
			initializationOptions: {
				cargo: { buildScripts: { enable: false } },
				procMacro: { enable: false },
				checkOnSave: false,
			},
		});
		expect((await routed(rust))[0]?.config).not.toHaveProperty("partial");
	});

	test.each([".cargo/config.toml", "rust-toolchain", "rust-toolchain.toml", "rust-analyzer.toml", "rust-project.json"])(
		"A server is refused if %s could name a program even so",
		async (file) => {
			for (const path of [file, `src/${file}`])
				await expect(untrusted({ ...rust, [path]: "" })).rejects.toMatchObject({ code: "LSP_SERVER_UNTRUSTED" });
			expect(await routed({ ...rust, [file]: "" })).toHaveLength(1);
		},
	);

	test("A server is refused if a directory above the workspace, except the home directory, could name a program", () =>
		withTree(["up/ws/.git/", "up/ws/Cargo.toml", "up/ws/src/a.rs"], async (tree) => {
			install(tree, everyProgram);
			const home = process.env.HOME;
			const ask = async () => locate("src/a.rs", await readSettings(tree.path("up/ws")));
			try {
				for (const file of [".cargo/config", "rust-toolchain.toml", "rust-project.json"]) {
					process.env.HOME = home;
					tree.write(`up/${file}`);
					await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_UNTRUSTED" });
					process.env.HOME = tree.path("up");
					expect((await ask()).routes).toHaveLength(1);
					rmSync(tree.path("up", file));
				}
			} finally {
				process.env.HOME = home;
			}
		}));

	test("gopls downloads no other Go, and no module", async () => {
		const files = { "a.go": "", "go.mod": "" };
		expect((await untrusted(files))[0]?.config.environment).toEqual({ GOTOOLCHAIN: "local", GOPROXY: "off" });
		expect((await routed(files))[0]?.config.environment).toBeUndefined();
	});

	test("A server without such a configuration is refused", async () => {
		for (const files of [{ "A.java": "" }, { "a.zig": "" }, { "A.cs": "", "A.csproj": "" }, { "a.rb": "" }])
			await expect(untrusted(files)).rejects.toMatchObject({ code: "LSP_SERVER_UNTRUSTED" });
	});
});

describe("launchCommand: candidates and variables", () => {
	const config: ServerConfig = {
		id: "tool",
		match: ["x"],
		command: "tool-ls",
		args: ["--root", "{root}", "x{root}"],
		candidates: [
			{ command: "tool-two", args: ["two"] },
			{ command: "tool-three", args: ["three"] },
		],
		environment: { TOOL: "1", PATH: "/elsewhere" },
		languageId: "x",
		rootMarkers: [],
	};
	const launch = (programs: readonly string[]) =>
		withTree(["ws/"], async (tree) => {
			install(tree, programs);
			const project = { root: tree.path("ws"), workspace: tree.path("ws"), trusted: false };
			const { file, args, env } = await launchCommand(config, project, { PATH: tree.path("bin") });
			return {
				file: file.slice(tree.path().length),
				args: args.map((arg) => arg.replace(tree.path(), "")),
				TOOL: env.TOOL,
				own: env.PATH === tree.path("bin"),
			};
		});

	test("The first installed candidate is started, with its own arguments", async () => {
		expect(await launch(["tool-three", "tool-two", "tool-ls"])).toMatchObject({
			file: "/bin/tool-ls",
			args: ["--root", "/ws", "x{root}"],
		});
		expect(await launch(["tool-three", "tool-two"])).toMatchObject({ file: "/bin/tool-two", args: ["two"] });
		expect(await launch(["tool-three"])).toMatchObject({ file: "/bin/tool-three", args: ["three"] });
		await expect(launch([])).rejects.toMatchObject({ code: "LSP_SERVER_UNAVAILABLE", message: "tool-ls not found." });
	});

	test("The server gets its own variables, which do not choose its program", async () => {
		expect(await launch(["tool-ls"])).toMatchObject({ TOOL: "1", own: true });
	});
});
