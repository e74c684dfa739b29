import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { isNewer, ownPackage } from "../../src/install/own-package.ts";
import { inHome, put } from "../faces/agents/home.ts";
import { HOSTS, isInstalled, type PiHost } from "../faces/pi/hosts.ts";
import { agentDirectory, piEnvironment } from "../faces/pi/pi-home.ts";
import { startLoopbackRegistry } from "../support/loopback-registry.ts";
import { REPOSITORY } from "../support/repository.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { npmEnvironment, succeed } from "./packed.ts";

const { version } = manifest;
const newer = "7.0.0";
const laterPi = HOSTS[1] as PiHost;
const matcher = "Edit|MultiEdit|Write|Bash";

/** This pi-lsp without its servers; a later version writes another matcher. */
function tarball(ws: Workspace, wanted: string): string {
	const folder = join(ws.base, `package-${wanted}`);
	const into = join(folder, "package");
	mkdirSync(into, { recursive: true });
	for (const part of ["dist", "skills"])
		cpSync(join(REPOSITORY, part), join(into, part), { recursive: true, filter: (file) => !file.endsWith(".cache") });
	const { name, license, type, bin, engines } = manifest;
	writeFileSync(join(into, "package.json"), JSON.stringify({ name, version: wanted, license, type, bin, engines }));
	if (wanted !== version) {
		replaceInBundles(join(into, "dist"), `version:"${version}"`, `version:"${wanted}"`);
		writeFileSync(join(into, "dist/version.txt"), `${wanted}\n`);
		replaceInBundles(join(into, "dist"), matcher, `${matcher}|NotebookEdit`);
	}
	const file = join(folder, "package.tgz");
	execFileSync("tar", ["-I", "gzip -1", "-cf", file, "-C", folder, "package"]);
	return file;
}

function replaceInBundles(directory: string, before: string, after: string): void {
	const bundles = readdirSync(directory).map((name) => join(directory, name));
	const containing = bundles.filter((file) => file.endsWith(".cjs") && readFileSync(file, "utf8").includes(before));
	expect(containing).not.toEqual([]);
	for (const file of containing) writeFileSync(file, readFileSync(file, "utf8").replaceAll(before, after));
}

interface Installed {
	/** Runs the installed `pi-lsp`. */
	run(...args: readonly string[]): Promise<CommandResult>;
	readonly env: Readonly<Record<string, string>>;
	readonly old: string;
	stopRegistry(): Promise<void>;
}

/** The update is by a real npm: it installs this version, while the registry has a newer one. */
async function withInstalled(body: (ws: Workspace, installed: Installed) => Promise<void>): Promise<void> {
	await withWorkspace({ ".git/HEAD": "ref: refs/heads/main\n" }, async (ws) => {
		const old = tarball(ws, version);
		const registry = await startLoopbackRegistry(join(ws.base, "registry"), { "pi-lsp": tarball(ws, newer) });
		const bin = join(ws.base, "npm/bin");
		const env = { ...npmEnvironment(ws, registry), PATH: `${bin}:${ws.env.PATH}` };
		try {
			await succeed(ws, "npm", ["install", "--global", old], env);
			const run = (...args: readonly string[]) =>
				runCommand(join(bin, "pi-lsp"), args, { cwd: ws.root, env, timeoutMs: 100_000 });
			await body(ws, { run, env, old, stopRegistry: () => registry.close() });
		} finally {
			await registry.close();
		}
	});
}

test(
	"update brings a package of `npm install --global` and the entries of an older version up to date",
	{ timeout: 180_000 },
	() =>
		withInstalled(async (ws, { run, stopRegistry }) => {
			put(ws, ".claude.json", '{ "numStartups": 3 }\n');
			expect((await run("init", "claude-code", "--yes")).code).toBe(0);
			const servers = JSON.parse(inHome(ws, ".claude.json"));
			const ours = structuredClone(servers);
			servers.mcpServers["pi-lsp"].env = { A: "b" };
			put(ws, ".claude.json", JSON.stringify(servers, null, 2));
			const settings = inHome(ws, ".claude/settings.json");

			const seen = await run("update", "--check");
			expect(seen.stdout).toContain(
				`pi-lsp ${newer} is there; this is ${version}, installed by npm in ${join(ws.base, "npm")}.`,
			);
			expect(seen.stdout).toContain(`npm install --global --prefix ${join(ws.base, "npm")}`);
			expect(seen.stdout).toContain("Claude Code is up to date.");
			expect(seen.code).toBe(1);
			expect((await run("--version")).stdout).toBe(`${version}\n`);
			expect(inHome(ws, ".claude/settings.json")).toBe(settings);
			expect((await run("update")).code).toBe(2);

			const updated = await run("update", "--yes");
			ws.record(() => JSON.stringify(updated));
			expect(updated.code).toBe(0);
			expect(updated.stdout).toContain(`+        "matcher": "${matcher}|NotebookEdit",`);
			expect(updated.stdout).toContain("what was changed since stays (mcpServers.pi-lsp)");
			expect((await run("--version")).stdout).toBe(`${newer}\n`);
			expect(inHome(ws, ".claude/settings.json")).toBe(settings.replace(matcher, `${matcher}|NotebookEdit`));
			expect(JSON.parse(inHome(ws, ".claude.json"))).toEqual(servers);
			const again = await run("update", "--check");
			expect([again.code, again.stdout]).toEqual([0, expect.stringContaining(`pi-lsp ${newer} is the newest.`)]);

			expect((await run("update", "--force", "--yes")).code).toBe(0);
			expect(JSON.parse(inHome(ws, ".claude.json"))).toEqual(ours);

			await stopRegistry();
			const { code, stderr } = await run("update", "--check");
			expect(stderr).toContain(
				"The newest version is not known: npm does not reach its registry (ECONNREFUSED): there is no network.",
			);
			expect(code).toBe(3);
			expect((await run("uninstall", "--yes")).code).toBe(0);
			expect(JSON.parse(inHome(ws, ".claude.json"))).toEqual({ numStartups: 3 });
		}),
);

test(
	"update writes nothing from the cache of npx, and names the command that runs the newest version",
	{ timeout: 180_000 },
	() =>
		withInstalled(async (ws, { run, env, old }) => {
			expect((await run("init", "codex", "--yes")).code).toBe(0);
			const before = inHome(ws, ".codex/hooks.json");
			const args = ["exec", "--yes", "--package", old, "--", "pi-lsp", "update", "--yes"];
			const { npm_config_prefix: _, ...own } = env;
			const seen = await runCommand("npm", args, {
				cwd: ws.base,
				env: { ...own, PATH: ws.env.PATH ?? "" },
				timeoutMs: 100_000,
			});
			ws.record(() => JSON.stringify(seen));
			expect(seen.stdout).toContain(`To bring it up to date: npx pi-lsp@${newer}`);
			expect(seen.stdout).toContain("The agents' entries stay as they are");
			expect(seen.code).toBe(3);
			expect(inHome(ws, ".codex/hooks.json")).toBe(before);
		}),
);

test.skipIf(!isInstalled(laterPi))(
	"update leaves it to pi to update a version that pi has installed",
	{ timeout: 180_000 },
	() =>
		withWorkspace({}, async (ws) => {
			const bin = join(ws.base, "bin");
			mkdirSync(bin);
			writeFileSync(join(bin, "pi"), `#!/bin/sh\nexec ${laterPi.node} ${laterPi.cli} "$@"\n`, { mode: 0o755 });
			const at = async (wanted: string, body: (env: Readonly<Record<string, string>>) => Promise<void>) => {
				const registry = await startLoopbackRegistry(join(ws.base, wanted), { "pi-lsp": tarball(ws, wanted) });
				const { PI_OFFLINE: _, ...env } = { ...piEnvironment(ws), ...npmEnvironment(ws, registry) };
				await body({ ...env, PATH: `${bin}:${env.PATH}` }).finally(() => registry.close());
			};
			await at(version, async (env) => void (await succeed(ws, "pi", ["install", "npm:pi-lsp"], env)));
			const script = join(agentDirectory(ws), "npm/node_modules/pi-lsp/dist/cli.cjs");
			await at(newer, async (env) => {
				const { stdout } = await succeed(ws, process.execPath, [script, "update", "--yes"], env);
				expect(stdout).toContain("  pi update npm:pi-lsp\n");
				expect(stdout).toContain(`pi-lsp ${newer} is installed.\n`);
			});
		}),
);

describe("the command that updates a copy of pi-lsp", () => {
	const way = (folder: string) => {
		const own = ownPackage(folder, "2.0.0", "/home/u", {});
		return "step" in own ? { by: own.by, words: [own.step.program, ...own.step.args].join(" "), cwd: own.cwd } : own;
	};

	test.each([
		["/usr/lib/node_modules/pi-lsp", "npm install --global --prefix /usr --no-audit --no-fund pi-lsp@2.0.0", "/home/u"],
		["/home/u/.pi/agent/npm/node_modules/pi-lsp", "pi update npm:pi-lsp", "/home/u"],
		["/w/app/.pi/npm/node_modules/pi-lsp", "pi update npm:pi-lsp", "/w/app"],
	])("is run for %s: %s", (folder, words, cwd) => {
		expect(way(folder)).toMatchObject({ words, cwd });
	});

	test.each([
		["/home/u/.npm/_npx/1a/node_modules/pi-lsp", "npx", "npx pi-lsp@2.0.0 ..."],
		["/w/app/node_modules/pi-lsp", "other", "npm install pi-lsp@2.0.0, in /w/app"],
		["/home/u/src/pi-lsp", "other", "git pull, then npm install, in /home/u/src/pi-lsp"],
		["/home/u/.pi/agent/git/h/o/pi-lsp", "other", "pi update --extensions"],
		[
			"/home/u/.local/share/pnpm/global/5/.pnpm/pi-lsp@1/node_modules/pi-lsp",
			"other",
			"pnpm add --global pi-lsp@2.0.0",
		],
		["/home/u/.bun/install/global/node_modules/pi-lsp", "other", "bun add --global pi-lsp@2.0.0"],
	])("is left to the user for %s", (folder, by, advice) => {
		expect(way(folder)).toMatchObject({ by, advice });
	});
});

test("versions are ordered as semantic versions", () => {
	const order = [
		"0.9.9",
		"1.0.0-alpha",
		"1.0.0-alpha.1",
		"1.0.0-alpha.beta",
		"1.0.0-beta.2",
		"1.0.0-beta.11",
		"1.0.0-rc-1.1",
	];
	const all = [...order, "1.0.0", "1.0.1", "1.10.0", "2.0.0+a"];
	for (const [index, one] of all.entries())
		for (const [position, other] of all.entries())
			expect([one, other, isNewer(one, other)]).toEqual([one, other, index > position]);
});
