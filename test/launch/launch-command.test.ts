import { chmodSync, symlinkSync } from "node:fs";
import { delimiter } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { launchCommand } from "../../src/launch/launch-command.ts";
import { withoutBroughtPaths } from "../../src/process/find-program.ts";
import type { LaunchCommand } from "../../src/process/server-process.ts";
import { type Tree, withTree } from "../config/tree.ts";

const config: ServerConfig = {
	id: "tool",
	match: ["x"],
	command: "tool-ls",
	args: ["--stdio"],
	languageId: "x",
	rootMarkers: [],
	install: "npm install -g tool-ls",
};

function program(tree: Tree, path: string): string {
	const file = tree.write(path, "#!/bin/sh\n");
	chmodSync(file, 0o755);
	return file;
}

function launch(
	tree: Tree,
	path: readonly string[],
	{
		over = {},
		env = {},
		trusted = false,
	}: { over?: Partial<ServerConfig>; env?: Record<string, string>; trusted?: boolean } = {},
): Promise<LaunchCommand> {
	const ws = tree.path("ws");
	const project = { root: ws, workspace: ws, trusted };
	return launchCommand({ ...config, ...over }, project, { ...env, PATH: path.join(delimiter) });
}

/** Runs `body` while the home directory is that of a tree. */
async function atHome(tree: Tree, body: (home: string) => Promise<void>): Promise<void> {
	const { HOME } = process.env;
	process.env.HOME = tree.path("home");
	try {
		await body(tree.path("home"));
	} finally {
		process.env.HOME = HOME;
	}
}

describe("launchCommand: the caller is in the home directory, or above it:", () => {
	const at = (tree: Tree, root: string, workspace: string, path: readonly string[]) =>
		launchCommand(
			config,
			{ root: tree.path(root), workspace: tree.path(workspace), trusted: false },
			{ PATH: path.map((entry) => tree.path(entry)).join(delimiter), XDG_DATA_HOME: tree.path("home/data") },
		).then(({ file }) => file);

	test.each([
		["home", "home/bin"],
		["home", "home/.local/bin"],
		["home", "home/go/bin"],
		["", "home/bin"],
	])("The user's own programs count (in %s, %s)", (workspace, entry) =>
		withTree(["home/.git/", "home/clone/.git/", "home/loose/"], (tree) =>
			atHome(tree, async () => {
				const file = program(tree, `${entry}/tool-ls`);
				for (const root of ["home", "home/clone", "home/loose"])
					expect(await at(tree, root, workspace, [entry]), root).toBe(file);
			}),
		),
	);

	test.each(["home/clone", "home/clone/sub", "home/loose", "home"])(
		"Programs of the repository of the query, and of a tree without a marker, do not count (%s)",
		(root) =>
			withTree(["home/clone/.git/", "home/clone/sub/package.json", "home/loose/"], (tree) =>
				atHome(tree, async () => {
					const entry = root === "home/loose" || root === "home" ? "home/loose/bin" : "home/clone/bin";
					program(tree, `${entry}/tool-ls`);
					await expect(at(tree, root, "home", [entry])).rejects.toThrow("tool-ls not found");
				}),
			),
	);

	test("The folder of servers that pi-lsp has installed counts", () =>
		withTree(["home/"], (tree) =>
			atHome(tree, async () => {
				const file = program(tree, "home/data/pi-lsp/servers/tool/bin/tool-ls");
				expect(await at(tree, "home", "home", ["empty"])).toBe(file);
			}),
		));
});

describe("launchCommand: a program on PATH", () => {
	test("A program outside the workspace is run at the root of the project", () =>
		withTree(["ws/"], async (tree) => {
			const file = program(tree, "bin/tool-ls");
			expect(await launch(tree, [tree.path("bin")])).toMatchObject({ file, args: ["--stdio"], cwd: tree.path("ws") });
		}));

	test("{data} is a directory outside of the root, and another one without trust", () =>
		withTree(["ws/"], async (tree) => {
			program(tree, "bin/tool-ls");
			const args = ["-data", "{data}"];
			const launched = (XDG_CACHE_HOME: string, trusted = false) =>
				launch(tree, [tree.path("bin")], { over: { args }, env: { XDG_CACHE_HOME }, trusted });
			const [, data] = (await launched(tree.path("cache"), true)).args;
			expect(data).toMatch(/\/cache\/pi-lsp\/tool\/[0-9a-f]{16}$/);
			const [, other] = (await launched(tree.path("cache"))).args;
			expect(other).toMatch(/\/cache\/pi-lsp\/untrusted\/tool\/[0-9a-f]{16}$/);
			expect((await launched("ws/relative")).args[1]).not.toContain("relative");
		}));

	test("The first executable program is run", () =>
		withTree(["ws/", "one/tool-ls", "two/tool-ls/"], async (tree) => {
			const file = program(tree, "three/tool-ls");
			const path = ["one", "two", "three"].map((name) => tree.path(name));
			expect((await launch(tree, path)).file).toBe(file);
		}));

	test("A missing program is unavailable, with the directories that were searched and how to install it", () =>
		withTree(["ws/", "bin/"], async (tree) => {
			await expect(launch(tree, [tree.path("bin")])).rejects.toMatchObject({
				code: "LSP_SERVER_UNAVAILABLE",
				details: {
					command: "tool-ls",
					search_paths: expect.arrayContaining([tree.path("bin")]),
					suggestion: expect.stringContaining("npm install -g tool-ls"),
				},
			});
		}));
});

describe("launchCommand: programs of the workspace are not run", () => {
	test.each([
		["from an entry inside the workspace", (tree: Tree) => tree.path("ws/node_modules/.bin")],
		["from the workspace itself", (tree: Tree) => tree.path("ws")],
		["from an entry with dots that leads into it", (tree: Tree) => `${tree.path("bin")}/../ws/node_modules/.bin`],
		["from an entry that is a link into it", (tree: Tree) => tree.path("linked-directory")],
		["from a link into it", (tree: Tree) => tree.path("linked-file")],
		["from an entry below a link to the workspace", (tree: Tree) => tree.path("alias/node_modules/.bin")],
	])("No program is run %s", (_, entry) =>
		withTree(["ws/", "bin/", "linked-file/"], async (tree) => {
			const own = program(tree, "ws/node_modules/.bin/tool-ls");
			program(tree, "ws/tool-ls");
			symlinkSync(tree.path("ws/node_modules/.bin"), tree.path("linked-directory"));
			symlinkSync(own, tree.path("linked-file/tool-ls"));
			symlinkSync(tree.path("ws"), tree.path("alias"));
			await expect(launch(tree, [entry(tree)])).rejects.toMatchObject({ code: "LSP_SERVER_UNAVAILABLE" });
		}),
	);

	test("No program is run from relative and empty entries, in any working directory", () =>
		withTree(["ws/"], async (tree) => {
			program(tree, "ws/tool-ls");
			const before = process.cwd();
			process.chdir(tree.path("ws"));
			try {
				for (const entry of ["", ".", "./", "bin/.."])
					await expect(launch(tree, [entry]), JSON.stringify(entry)).rejects.toMatchObject({
						code: "LSP_SERVER_UNAVAILABLE",
					});
			} finally {
				process.chdir(before);
			}
		}));

	test("No program is run by an absolute path into the workspace", () =>
		withTree(["ws/"], async (tree) => {
			const command = program(tree, "ws/tool-ls");
			await expect(launch(tree, [], { over: { command } })).rejects.toMatchObject({ code: "LSP_SERVER_UNAVAILABLE" });
		}));

	test("The server's PATH has only the entries outside of the workspace", () =>
		withTree(["ws/bin/", "bin/"], async (tree) => {
			program(tree, "bin/tool-ls");
			symlinkSync(tree.path("ws/bin"), tree.path("linked-directory"));
			const path = ["", ".", "relative", tree.path("ws/bin"), tree.path("linked-directory"), tree.path("bin")];
			expect((await launch(tree, path)).env.PATH).toBe(tree.path("bin"));
		}));
});

test("launchCommand: a server inherits the variables that it needs, and no secret", () =>
	withTree(["ws/"], async (tree) => {
		program(tree, "bin/tool-ls");
		const env = {
			HOME: "/home/x",
			LANG: "C",
			GOPATH: "/go",
			GITHUB_TOKEN: "s",
			AWS_SECRET_ACCESS_KEY: "s",
			OPENAI_API_KEY: "s",
			XDG_SECRET: "s",
			NODE_OPTIONS: "--require=/evil.js",
			NODE_PATH: "/evil",
			LD_PRELOAD: "/evil.so",
			PI_LSP_CANARY_TOKEN: "s",
		};
		expect((await launch(tree, [tree.path("bin")], { env })).env).toEqual({
			HOME: "/home/x",
			LANG: "C",
			GOPATH: "/go",
			TERM: "dumb",
			PATH: tree.path("bin"),
		});
	}));

test("No variable without trust leads into the workspace if a path of it would be run or imported", () =>
	withTree(["ws/venv/", "out/venv/"], async (tree) => {
		symlinkSync(tree.path("ws/venv"), tree.path("out/link"));
		const env = {
			VIRTUAL_ENV: tree.path("ws/venv"),
			CONDA_PREFIX: tree.path("out/link"),
			PYENV_ROOT: tree.path("out/venv"),
			PYTHONPATH: ["", ".", "src", tree.path("ws"), tree.path("out")].join(":"),
			HOME: tree.path("ws"),
			XDG_CACHE_HOME: tree.path("ws/cache"),
			GOPROXY: "https://proxy.example,direct",
			GOFLAGS: `-mod=mod -toolexec=${tree.path("ws/evil.sh")}`,
			RUSTFLAGS: `-C linker=${tree.path("out/link")} -g`,
			LDFLAGS: `-B${tree.path("ws")} -lm`,
			CGO_CFLAGS: "-O2 -fplugin=./evil.so",
			CFLAGS: "-O2 -I/usr/../usr/include",
			LANG: "C.UTF-8",
		};
		expect(await withoutBroughtPaths(env, tree.path("ws"))).toEqual({
			PYENV_ROOT: env.PYENV_ROOT,
			PYTHONPATH: tree.path("out"),
			HOME: env.HOME,
			XDG_CACHE_HOME: env.XDG_CACHE_HOME,
			GOPROXY: env.GOPROXY,
			CFLAGS: env.CFLAGS,
			LANG: env.LANG,
		});
	}));
