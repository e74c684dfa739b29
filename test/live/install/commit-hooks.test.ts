import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOSTS_FOLDER } from "../../faces/pi/hosts.ts";
import { clone, npmEnvironment, succeed } from "../../install/packed.ts";
import { block } from "../../newcomer/recipes.ts";
import { startLoopbackRegistry } from "../../support/loopback-registry.ts";
import { CLI, REPOSITORY } from "../../support/repository.ts";
import { runCommand } from "../../support/run-command.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";

const modules = join(HOSTS_FOLDER, "node_modules");
const preCommit = join(HOSTS_FOLDER, "python-pre-commit-4.7.0/bin/pre-commit");
const FILES = { ...TYPESCRIPT_PROJECT, ".gitignore": "node_modules\n", "src/a.ts": "export const a = 1;\n" };
const ERROR = "src/a.ts:1:14: error: Type 'string' is not assignable to type 'number'. (ts2322)";
type Env = Readonly<Record<string, string>>;

/** A repository with a commit, and these packages among what npm has installed in it. */
async function project(ws: Workspace, ...packages: readonly string[]): Promise<void> {
	const bin = ws.path("node_modules/.bin");
	mkdirSync(bin, { recursive: true });
	for (const name of packages) {
		symlinkSync(join(modules, name), ws.path("node_modules", name));
		symlinkSync(join(modules, ".bin", name), join(bin, name));
	}
	symlinkSync(REPOSITORY, ws.path("node_modules/pi-lsp"));
	chmodSync(CLI, 0o755);
	symlinkSync(CLI, join(bin, "pi-lsp"));
	for (const words of [
		"init --quiet",
		"config user.name n",
		"config user.email n@localhost",
		"add .",
		"commit -qm one",
	])
		await succeed(ws, "git", words.split(" "), ws.env);
}

/** The hook refuses a commit with an error, and allows one that repairs it and one with prose alone. */
async function expectGate(ws: Workspace, env: Env): Promise<void> {
	const commit = async (file: string, text: string) => {
		ws.write(file, text);
		await succeed(ws, "git", ["add", "."], env);
		const result = await runCommand("git", ["commit", "-m", "next"], { cwd: ws.root, env, timeoutMs: 100_000 });
		ws.record(`$ git commit\n${result.stdout}${result.stderr}exit ${result.code}`);
		return result;
	};
	const commits = async () => (await succeed(ws, "git", ["rev-list", "--count", "HEAD"], ws.env)).stdout.trim();
	const refused = await commit("src/a.ts", `export const a: number = "one";\n`);
	expect(refused.stdout + refused.stderr).toContain(ERROR);
	expect([refused.code, await commits()]).toEqual([1, "1"]);
	expect((await commit("src/a.ts", "export const a: number = 1;\n")).code).toBe(0);
	expect((await commit("notes.txt", "Notes.\n")).code).toBe(0);
	expect(await commits()).toBe("3");
}

describe("the recipes of docs/ci.md, run by their own tools:", { timeout: 120_000 }, () => {
	test.for(["lefthook", "husky"])("%s refuses a commit with an error", (tool, { skip }) => {
		if (!existsSync(join(modules, tool))) skip(`${tool} is not installed: node scripts/install-hosts.mjs`);
		return withWorkspace(FILES, async (ws) => {
			const platform = readdirSync(modules).filter((name) => name.startsWith(`${tool}-`));
			await project(ws, tool);
			for (const name of platform) symlinkSync(join(modules, name), ws.path("node_modules", name));
			const env = npmEnvironment(ws);
			if (tool === "lefthook") ws.write("lefthook.yml", block("lefthook", 0));
			await succeed(ws, "npx", [tool, tool === "lefthook" ? "install" : "init"], env);
			if (tool === "husky") ws.write(".husky/pre-commit", block("husky", 0));
			await expectGate(ws, env);
		});
	});

	test("pre-commit refuses a commit with an error", ({ skip }) => {
		if (!existsSync(preCommit)) skip("pre-commit is not installed: node scripts/install-hosts.mjs");
		return withWorkspace(FILES, async (ws) => {
			await project(ws);
			ws.write(".pre-commit-config.yaml", block("pre-commit", 0));
			await succeed(ws, preCommit, ["install"], ws.env);
			await expectGate(ws, npmEnvironment(ws));
		});
	});

	test("pre-commit builds the hook of a checkout of pi-lsp, and refuses a commit with an error", ({ skip }) => {
		if (!existsSync(preCommit)) skip("pre-commit is not installed: node scripts/install-hosts.mjs");
		return withWorkspace(FILES, async (ws) => {
			await project(ws);
			rmSync(ws.path("node_modules"), { recursive: true });
			const checkout = await clone(ws);
			const { stdout } = await succeed(ws, "git", ["rev-parse", "HEAD"], ws.env, checkout);
			const recipe = block("pre-commit", 1).replace("PATH-OR-URL-OF-PI-LSP", checkout);
			ws.write(".pre-commit-config.yaml", recipe.replace("COMMIT", stdout.trim()));
			const registry = await startLoopbackRegistry(join(ws.base, "registry"), {});
			try {
				const { npm_config_prefix: _, ...env } = npmEnvironment(ws, registry);
				await succeed(ws, preCommit, ["install", "--install-hooks"], env);
			} finally {
				await registry.close();
			}
			await expectGate(ws, ws.env);
			const cache = join(ws.base, "cache/pre-commit");
			const [built = ""] = readdirSync(cache).filter((name) => name.startsWith("repo"));
			await succeed(ws, join(cache, built, "node_env-system/bin/pi-lsp"), ["stop"], ws.env);
		});
	});
});
