import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { type LoopbackRegistry, startLoopbackRegistry } from "../../../support/loopback-registry.ts";
import { type Workspace, withWorkspace } from "../../../support/workspace.ts";

/** The real package managers, with registries that are folders or listen on 127.0.0.1. */

function has(program: string, args: readonly string[]): boolean {
	try {
		execFileSync(program, args, { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

const servers = (ws: Workspace, ...path: string[]) => join(ws.base, "data/pi-lsp/servers", ...path);
const record = (ws: Workspace, id: string) =>
	JSON.parse(readFileSync(servers(ws, id, "pi-lsp-install.json"), "utf8")) as Record<string, unknown>;

describe("npm", () => {
	/** A package of this name and version with one program. */
	function pack(ws: Workspace, name: string, version: string, program: string): string {
		const folder = join(ws.base, `package-${version}`, "package");
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, bin: { [program]: "run.js" } }));
		writeFileSync(join(folder, "run.js"), `#!/usr/bin/env node\nconsole.log(${JSON.stringify(version)});\n`);
		const file = join(ws.base, `${version}.tgz`);
		execFileSync("tar", ["-czf", file, "-C", join(folder, ".."), "package"]);
		return file;
	}

	const environment = (ws: Workspace, registry: LoopbackRegistry) => ({
		...ws.env,
		XDG_DATA_HOME: join(ws.base, "data"),
		npm_config_cache: join(ws.base, "npm-cache"),
		npm_config_registry: registry.url,
		npm_config_update_notifier: "false",
	});

	test("installs the tested version, and its record names it", { timeout: 120_000 }, () =>
		withWorkspace({}, async (ws) => {
			const tarball = pack(ws, "pyright", "1.1.414", "pyright-langserver");
			const registry = await startLoopbackRegistry(join(ws.base, "registry"), { pyright: tarball });
			try {
				const env = environment(ws, registry);
				const { code, stdout, stderr } = await ws.cli(["install", "pyright", "--yes"], { env, timeoutMs: 100_000 });
				expect(code, stderr).toBe(0);
				expect(stdout).toContain("pyright is installed: 1.1.414");
				expect(record(ws, "pyright")).toMatchObject({ manager: "npm", version: "1.1.414", choice: "tested" });
				const program = servers(ws, "pyright", "node_modules/.bin/pyright-langserver");
				expect(execFileSync(process.execPath, [program], { encoding: "utf8" })).toBe("1.1.414\n");
			} finally {
				await registry.close();
			}
		}),
	);

	test("reports why a version is not available, and keeps the installed one", { timeout: 120_000 }, () =>
		withWorkspace({}, async (ws) => {
			const tarball = pack(ws, "pyright", "1.1.399", "pyright-langserver");
			const registry = await startLoopbackRegistry(join(ws.base, "registry"), { pyright: tarball });
			try {
				const env = environment(ws, registry);
				const newest = await ws.cli(["install", "pyright@latest", "--yes"], { env, timeoutMs: 100_000 });
				expect(newest.stdout, newest.stderr).toContain("pyright is installed: 1.1.399");
				const { code, stderr } = await ws.cli(["install", "pyright", "--yes"], { env, timeoutMs: 100_000 });
				expect(code).toBe(3);
				expect(stderr).toContain("No matching version found for pyright@1.1.414");
				expect(stderr).toMatch(/Or see https:\/\/microsoft\.github\.io\/pyright/);
				expect(record(ws, "pyright")).toMatchObject({ version: "1.1.399", choice: "newest" });
				expect(readdirSync(servers(ws))).toEqual(["pyright"]);
			} finally {
				await registry.close();
			}
		}),
	);
});

const noVenv = !has("python3", ["-c", "import ensurepip, venv"]);

test.skipIf(noVenv)(
	noVenv
		? "pip (python3 without venv): installs from an index"
		: "pip installs the tested version from a folder of wheels",
	{ timeout: 180_000 },
	() =>
		withWorkspace({}, async (ws) => {
			const wheels = join(ws.base, "wheels");
			mkdirSync(wheels);
			execFileSync("python3", ["-c", wheelOf, join(wheels, "ruff-0.17.6-py3-none-any.whl")]);
			const env = {
				...ws.env,
				XDG_DATA_HOME: join(ws.base, "data"),
				PIP_NO_INDEX: "1",
				PIP_FIND_LINKS: wheels,
				PIP_CONFIG_FILE: "/dev/null",
			};
			const { code, stdout, stderr } = await ws.cli(["install", "ruff", "--yes"], { env, timeoutMs: 150_000 });
			expect(code, stderr).toBe(0);
			expect(stdout).toContain("ruff is installed: 0.17.6");
			// Its first line names the folder where it is now.
			expect(execFileSync(servers(ws, "ruff/bin/ruff"), { encoding: "utf8" })).toBe("0.17.6\n");
			const other = await ws.cli(["install", "ruff@0.17.5", "--yes"], { env, timeoutMs: 150_000 });
			expect(other.code).toBe(3);
			expect(other.stderr).toContain("No matching distribution found for ruff==0.17.5");
			expect(existsSync(servers(ws, "ruff/bin/ruff"))).toBe(true);
		}),
);

const wheelOf = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("ruff_fake.py", "def main():\\n    print('0.17.6')\\n")
    info = "ruff-0.17.6.dist-info/"
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: ruff\\nVersion: 0.17.6\\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "entry_points.txt", "[console_scripts]\\nruff = ruff_fake:main\\n")
    wheel.writestr(info + "RECORD", "")
`;

const noGo = !has("go", ["version"]) || !has("python3", ["--version"]);

test.skipIf(noGo)(
	noGo
		? "go (not installed): installs from a module proxy"
		: "go installs from a folder that is a module proxy, and reports the newest version",
	{ timeout: 180_000 },
	() =>
		withWorkspace({}, async (ws) => {
			const module = "golang.org/x/tools/gopls";
			const at = join(ws.base, "proxy", module, "@v");
			mkdirSync(at, { recursive: true });
			for (const version of ["v0.21.1", "v0.22.0"]) {
				const mod = `module ${module}\n\ngo 1.20\n`;
				writeFileSync(join(at, `${version}.mod`), mod);
				writeFileSync(join(at, `${version}.info`), JSON.stringify({ Version: version, Time: "2026-01-01T00:00:00Z" }));
				execFileSync("python3", ["-c", moduleOf, join(at, `${version}.zip`), `${module}@${version}/`, mod]);
			}
			writeFileSync(join(at, "list"), "v0.21.1\nv0.22.0\n");
			const env = {
				...ws.env,
				XDG_DATA_HOME: join(ws.base, "data"),
				GOPROXY: `file://${join(ws.base, "proxy")}`,
				GONOSUMDB: "*",
				GONOSUMCHECK: "1",
				GOFLAGS: "-modcacherw",
				GOTOOLCHAIN: "local",
			};
			const tested = await ws.cli(["install", "gopls", "--yes"], { env, timeoutMs: 150_000 });
			expect(tested.stdout, tested.stderr).toContain("gopls is installed: v0.21.1");
			const newest = await ws.cli(["install", "gopls@latest", "--yes"], { env, timeoutMs: 150_000 });
			expect(newest.stdout, newest.stderr).toContain("gopls is installed: v0.22.0");
			expect(record(ws, "gopls")).toMatchObject({ version: "v0.22.0", choice: "newest", package: module });
			expect(existsSync(servers(ws, "gopls/bin/gopls"))).toBe(true);
		}),
);

const moduleOf = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as module:
    module.writestr(sys.argv[2] + "go.mod", sys.argv[3])
    module.writestr(sys.argv[2] + "main.go", "package main\\n\\nfunc main() {}\\n")
`;
