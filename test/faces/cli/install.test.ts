import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../../src/config/read-settings.ts";
import { recipesOf } from "../../../src/install/plan.ts";
import { launchCommand } from "../../../src/launch/launch-command.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { folder, program } from "./package-managers.ts";

/** A machine with these package managers, each a shell script, and no others. */
function machine(ws: Workspace, managers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
	const bin = join(ws.base, "tools");
	mkdirSync(bin);
	for (const [name, script] of Object.entries(managers)) program(join(bin, name), script);
	return { ...ws.env, PATH: `${bin}:/usr/bin:/bin`, XDG_DATA_HOME: join(ws.base, "data") };
}

/** Makes an executable file, as the package managers do. */
const make = (path: string) =>
	`mkdir -p "$(dirname ${path})" && printf '#!/bin/sh\\necho "$0"\\n' > ${path} && chmod +x ${path}`;

/** A server of each kind: the arguments of the manager, and the files that it leaves. */
const ways = {
	"bash-language-server": {
		managers: { npm: `echo "$@" > "$3/said"; ${make('"$3/node_modules/.bin/bash-language-server"')}` },
		printed: "install --prefix FOLDER --no-audit --no-fund bash-language-server@5.6.0",
	},
	pylsp: {
		managers: {
			python3: `${make('"$3/bin/pip"')}; printf '#!/bin/sh\\ncd "$(dirname "$0")/.."; echo "$@" > said; printf "#!%%s/bin/python\\n" "$PWD" > bin/pylsp; chmod +x bin/pylsp\\n' > "$3/bin/pip"`,
		},
		printed: "install --disable-pip-version-check python-lsp-server",
	},
	gopls: {
		managers: { go: `${make('"$GOBIN/gopls"')}; echo "$@" > "$GOBIN/../said"` },
		printed: "install golang.org/x/tools/gopls@v0.21.1",
	},
	taplo: {
		managers: { cargo: `${make('"$3/bin/taplo"')}; echo "$@" > "$3/said"` },
		printed: "install --root FOLDER taplo-cli --features lsp",
	},
	solargraph: {
		managers: { gem: `${make('"$6/solargraph"')}; echo "$@" > "$4/said"` },
		printed: "install --no-document --install-dir FOLDER --bindir FOLDER/gem-bin solargraph",
	},
} as const;

describe("a server is installed into a folder of its own", () => {
	test.each(Object.entries(ways))("%s, and is found there after PATH", (id, { managers, printed }) =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, managers);
			const { code, stdout } = await ws.cli(["install", id, "--yes"], { env });
			expect(stdout).toContain(`${id} is installed`);
			expect(code).toBe(0);
			const temporary = folder(ws, `.${id}.new`);
			expect(readFileSync(join(folder(ws, id), "said"), "utf8").trim()).toBe(printed.replaceAll("FOLDER", temporary));
			// The printed command is the one that was run.
			expect(stdout).toContain(printed.replaceAll("FOLDER", temporary));
			expect(readdirSync(folder(ws))).toEqual([id]);
			expect(statSync(folder(ws)).mode & 0o777).toBe(0o700);
			expect(statSync(folder(ws, id)).mode & 0o777).toBe(0o700);
			const config = (await readSettings("/", { env })).servers.find((server) => server.id === id);
			if (!config) throw new Error("no such server");
			const project = { root: ws.root, workspace: ws.root, trusted: false };
			const { file } = await launchCommand({ ...config, prerequisites: [] }, project, env);
			expect(dirname(file)).toBe(folder(ws, id === "bash-language-server" ? `${id}/node_modules/.bin` : `${id}/bin`));
			expect(readFileSync(file, "utf8")).not.toContain(".new");
			const own = join(ws.base, "tools", config.command);
			program(own, "");
			expect((await launchCommand({ ...config, prerequisites: [] }, project, env)).file).toBe(own);
		}),
	);

	test("a second installation replaces the first", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, ways.gopls.managers);
			await ws.cli(["install", "gopls", "--yes"], { env });
			writeFileSync(join(folder(ws, "gopls"), "old"), "");
			expect((await ws.cli(["install", "gopls", "--yes"], { env })).code).toBe(0);
			expect(readdirSync(folder(ws, "gopls")).sort()).toEqual(["bin", "pi-lsp-install.json", "said"]);
			expect(readdirSync(folder(ws))).toEqual(["gopls"]);
		}));
});

describe("`pi-lsp install` runs nothing", () => {
	test("without a terminal and without --yes, and prints the commands", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, { npm: "touch ran" });
			const { code, stdout } = await ws.cli(["install", "pyright"], { env });
			expect(code).toBe(2);
			expect(stdout).toContain(
				`npm install --prefix ${folder(ws, ".pyright.new")} --no-audit --no-fund pyright@1.1.414\n`,
			);
			expect(stdout).toContain("Nothing was run: there is no terminal to ask at.");
			expect(existsSync(folder(ws))).toBe(false);
		}));

	test("for a server that needs the whole machine, and prints the command", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, { brew: "touch ran" });
			const { code, stdout } = await ws.cli(["install", "marksman", "--yes"], { env });
			expect({ code, stdout }).toEqual({
				code: 3,
				stdout: "marksman: pi-lsp does not run this; run it yourself:\n  brew install marksman\n",
			});
			expect(existsSync(folder(ws))).toBe(false);
		}));

	test("for an unknown server, or for a server that only the repository names", () =>
		withWorkspace(
			{ ".pi-lsp.json": JSON.stringify({ servers: [{ id: "evil", match: ["x"], install: { npm: ["evil"] } }] }) },
			async (ws) => {
				const env = machine(ws, { npm: "touch ran" });
				for (const args of [["evil"], ["../x"], [], ["pyright", "--frob"]])
					expect((await ws.cli(["install", ...args, ...(args.length ? ["--yes"] : [])], { env })).code).toBe(2);
				expect(existsSync(folder(ws))).toBe(false);
			},
		));

	test("from an npm that the workspace brings", () =>
		withWorkspace({ "package.json": "{}" }, async (ws) => {
			program(ws.path("bin/npm"), "touch ran");
			const env = { ...machine(ws, {}), PATH: `${ws.path("bin")}:/bin-that-is-not` };
			const { code, stdout } = await ws.cli(["install", "pyright", "--yes"], { env });
			expect(code).toBe(3);
			expect(stdout).toContain("pyright: npm is not installed, so pi-lsp cannot install it; see https://");
			expect(existsSync(ws.path("ran"))).toBe(false);
		}));
});

describe("an installation that fails leaves the earlier one, and prints the last lines of its output", () => {
	const failures = {
		"in the package manager": `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo "line $i" >&2; done; touch "$GOBIN"; exit 7`,
		"without the program in it": "true",
	};
	test.each(Object.entries(failures))("%s", (name, script) =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, ways.gopls.managers);
			await ws.cli(["install", "gopls", "--yes"], { env });
			program(join(ws.base, "tools/go"), script);
			const { code, stderr } = await ws.cli(["install", "gopls", "--yes"], { env });
			expect(code).toBe(3);
			expect(stderr).toMatch(/^LSP_INSTALL_FAILED: gopls was not installed: /);
			if (name === "in the package manager") {
				expect(stderr).toContain("it ended with code 7.\nline 3\n");
				expect(stderr).toContain("line 14\n");
			} else expect(stderr).toContain("holds no gopls");
			expect(readdirSync(folder(ws))).toEqual(["gopls"]);
			expect(existsSync(join(folder(ws, "gopls"), "bin/gopls"))).toBe(true);
		}),
	);

	test("a concurrent installation makes it fail, the remains of a killed one do not", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, { go: `sleep 3; ${ways.gopls.managers.go}` });
			const first = ws.cli(["install", "gopls", "--yes"], { env });
			await expect.poll(() => existsSync(folder(ws, ".gopls.new.owner")), { timeout: 10_000 }).toBe(true);
			const second = await ws.cli(["install", "gopls", "--yes"], { env });
			expect(second.stderr).toContain("another installation of it is under way");
			expect((await first).code).toBe(0);
			writeFileSync(folder(ws, ".gopls.new.owner"), "1 1");
			mkdirSync(folder(ws, ".gopls.new"));
			expect((await ws.cli(["install", "gopls", "--yes"], { env })).code).toBe(0);
			expect(readdirSync(folder(ws))).toEqual(["gopls"]);
		}));

	test("an installation that was killed between its two moves leaves the server that it would have replaced", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, ways.gopls.managers);
			await ws.cli(["install", "gopls", "--yes"], { env });
			const [whole, old, owner] = ["gopls", ".gopls.old", ".gopls.new.owner"].map((name) => folder(ws, name));
			renameSync(whole as string, old as string);
			writeFileSync(owner as string, "1 1");
			const config = (await readSettings("/", { env })).servers.find((server) => server.id === "gopls");
			if (!config) throw new Error("no such server");
			const launched = () =>
				launchCommand({ ...config, prerequisites: [] }, { root: ws.root, workspace: ws.root, trusted: false }, env);
			expect((await launched()).file).toBe(join(whole as string, "bin/gopls"));
			// A server in removal stays removed.
			renameSync(whole as string, folder(ws, ".gopls.removed"));
			await launched().catch(() => {});
			expect(existsSync(whole as string)).toBe(false);
			renameSync(folder(ws, ".gopls.removed"), old as string);
			expect((await ws.cli(["install", "gopls", "--remove", "--yes"], { env })).stdout).toContain("gopls");
			expect(readdirSync(folder(ws))).toEqual([]);
		}));
});

test(
	"the real npm installs a server from the real registry",
	{ skip: process.env.PI_LSP_TEST_NETWORK !== "1", timeout: 180_000 },
	() =>
		withWorkspace({ Dockerfile: "FROM alpine\n" }, async (ws) => {
			// The person's own environment has the address of the registry.
			const home = { HOME: process.env.HOME, XDG_DATA_HOME: join(ws.base, "data") };
			const env = { ...process.env, ...ws.env, ...home } as Record<string, string>;
			const done = await ws.cli(["install", "docker-langserver", "--yes"], { env, timeoutMs: 120_000 });
			expect(done.code, done.stderr).toBe(0);
			const { stdout } = await ws.cli(["doctor", "Dockerfile"], { env });
			expect(stdout).toMatch(/an introduced syntax error: reported after .*\n {2}as declared/);
		}),
);

test("most servers can be installed by a command, and the others have instructions", async () => {
	const { servers } = await readSettings("/");
	expect(servers.filter(({ install }) => recipesOf(install).length > 0).length).toBeGreaterThan(60);
	expect(recipesOf(servers.find(({ id }) => id === "marksman")?.install)).toEqual([]);
});
