import {
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { edit, edited, write } from "../../faces/pi/calls.ts";
import { agentDirectory, PI_CLI, piEnvironment } from "../../faces/pi/pi-home.ts";
import { runPi } from "../../faces/pi/run-pi.ts";
import { clone, foreign, npmEnvironment, packed, succeed } from "../../install/packed.ts";
import { startLoopbackRegistry } from "../../support/loopback-registry.ts";
import { processesOf } from "../../support/processes.ts";
import { copyCheckout, REPOSITORY } from "../../support/repository.ts";
import { runCommand } from "../../support/run-command.ts";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";

const WRONG = `const a: number = "one";\n`;

test("pi install PATH uses the directory in its place", { timeout: 120_000 }, () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const copy = join(ws.base, "copy");
		copyCheckout(copy);
		cpSync(join(REPOSITORY, "dist"), join(copy, "dist"), { recursive: true });
		symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"));
		await succeed(ws, process.execPath, [PI_CLI, "install", copy], piEnvironment(ws));
		await expectWorkingHook(ws, copy);
	}),
);

test("pi install npm:NAME works with the package and its dependencies alone", { timeout: 180_000 }, () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const tarball = await packed(ws);
		const registry = await startLoopbackRegistry(join(ws.base, "registry"), { "pi-lsp": tarball });
		try {
			const env = { ...piEnvironment(ws), ...npmEnvironment(ws, registry) };
			delete env.PI_OFFLINE;
			await succeed(ws, process.execPath, [PI_CLI, "install", "npm:pi-lsp"], env);
			expect(readFileSync(join(agentDirectory(ws), "settings.json"), "utf8")).toContain("npm:pi-lsp");
			const installed = join(ws.base, "npm/lib/node_modules/pi-lsp");
			expect(foreign(registry)).toEqual([]);
			expect(existsSync(join(installed, "node_modules/@mariozechner"))).toBe(false);
			// npm shows the scripts of the package that it installs to the user.
			expect(JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))).not.toHaveProperty("scripts");
			expect(readFileSync(join(ws.base, "npm/share/man/man1/pi-lsp.1"), "utf8")).toContain(".TH PI\\-LSP 1");
			const { packages, bytes } = sizeOf(installed);
			ws.record(`${packages} packages besides pi-lsp, ${bytes} bytes; the tarball has ${statSync(tarball).size}`);
			expect(packages).toBeLessThan(6);
			expect(bytes).toBeLessThan(70e6);
			expect(statSync(tarball).size).toBeLessThan(1.63e6);
			await expectWorkingHook(ws, installed, { npm_config_prefix: join(ws.base, "npm") });
		} finally {
			await registry.close();
		}
	}),
);

test("npx pi-lsp check . works with the package and its dependencies alone", { timeout: 180_000 }, () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": WRONG }, async (ws) => {
		const registry = await startLoopbackRegistry(join(ws.base, "registry"), { "pi-lsp": await packed(ws) });
		try {
			const env = { ...ws.env, ...npmEnvironment(ws, registry) };
			const npx = (...words: string[]) =>
				runCommand("npx", ["--yes", "pi-lsp", ...words], { cwd: ws.root, env, timeoutMs: 100_000 });
			const check = await npx("check", ".");
			ws.record(check.stdout + check.stderr);
			expect(check.stdout).toContain("ERROR [1:7] Type 'string' is not assignable to type 'number'. (ts2322)");
			expect(check.code).toBe(1);
			expect(foreign(registry)).toEqual([]);
			expect((await npx("stop")).code).toBe(0);
		} finally {
			await registry.close();
		}
	}),
);

test("a git checkout is complete after npm install --omit=dev", { timeout: 180_000 }, () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const checkout = await clone(ws);
		const registry = await startLoopbackRegistry(join(ws.base, "registry"), {});
		try {
			const env = { ...ws.env, ...npmEnvironment(ws, registry) };
			await succeed(ws, "npm", ["install", "--omit=dev"], env, checkout);
			expect(foreign(registry)).toEqual([]);
			expect(existsSync(join(checkout, "node_modules/vitest"))).toBe(false);
			await succeed(ws, process.execPath, [PI_CLI, "install", checkout], piEnvironment(ws));
			await expectWorkingHook(ws, checkout);
		} finally {
			await registry.close();
		}
	}),
);

test("Two copies with the same contents share a daemon, and another copy has its own", { timeout: 120_000 }, () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": WRONG }, async (ws) => {
		const copyOf = (name: string) => {
			const copy = join(ws.base, name);
			cpSync(join(REPOSITORY, "dist"), join(copy, "dist"), { recursive: true });
			cpSync(join(REPOSITORY, "package.json"), join(copy, "package.json"));
			symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"));
			return copy;
		};
		const check = async (copy: string) => {
			const result = await runCommand(process.execPath, [join(copy, "dist/cli.cjs"), "check", "src/a.ts"], {
				cwd: ws.root,
				env: ws.env,
				timeoutMs: 60_000,
			});
			expect(result.stdout).toContain("(ts2322)");
			return processesOf(ws.runId).filter(({ argv }) => argv.some((word) => word.endsWith("dist/daemon.cjs"))).length;
		};
		expect(await check(copyOf("first"))).toBe(1);
		expect(await check(copyOf("second"))).toBe(1);
		const other = copyOf("other");
		writeFileSync(join(other, "dist/build-id"), "another\n");
		expect(await check(other)).toBe(2);
		await succeed(ws, process.execPath, [join(other, "dist/cli.cjs"), "stop"], ws.env);
		// The daemon of the first copy ends with its program, and the second copy starts its own.
		rmSync(join(ws.base, "first"), { recursive: true });
		await until("the daemon without a program ends", () => {
			const daemons = processesOf(ws.runId).filter(({ argv }) => argv.some((word) => word.endsWith("dist/daemon.cjs")));
			return daemons.length === 0 ? met(true) : notYet(`${daemons.length} run`);
		});
		expect(await check(join(ws.base, "second"))).toBe(1);
		await succeed(ws, process.execPath, [join(ws.base, "second/dist/cli.cjs"), "stop"], ws.env);
	}),
);

/**
 * The installed pi-lsp reports an error and a repair, from a daemon that is one plain file of the installed package.
 */
async function expectWorkingHook(
	ws: Workspace,
	installed: string,
	env: Readonly<Record<string, string>> = {},
): Promise<void> {
	const steps = [
		{ calls: [write("src/a.ts", WRONG)] },
		{ calls: [edit("src/a.ts", [`"one"`, "1"])] },
		{ text: "Done." },
	];
	const run = await runPi(ws, steps, { extension: undefined, env });
	expect(run.result(0)).toContain("ERROR [1:7] Type 'string' is not assignable to type 'number'. (ts2322)");
	expect(run.result(1)).toBe(edited("src/a.ts"));
	expect(run.stderr).toBe("");
	const daemon = join(realpathSync(installed), "dist/daemon.cjs");
	const running = processesOf(ws.runId).filter(({ argv }) => argv.includes(daemon));
	expect(running.map(({ argv }) => argv[0])).toEqual([process.execPath]);
	await succeed(ws, process.execPath, [join(installed, "dist/cli.cjs"), "stop"], ws.env);
}

/** The packages below a folder and the bytes of their files. */
function sizeOf(folder: string): { readonly packages: number; readonly bytes: number } {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	const isManifest = (file: string) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file);
	return {
		packages: files.filter(isManifest).length,
		bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
	};
}
