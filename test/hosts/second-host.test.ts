import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { edit, edited, write } from "../faces/pi/calls.ts";
import { HOST } from "../faces/pi/hosts.ts";
import { agentDirectory, PI_CLI, PI_NODE, piEnvironment } from "../faces/pi/pi-home.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import { processesOf } from "../support/processes.ts";
import { copyCheckout, REPOSITORY } from "../support/repository.ts";
import { runCommand } from "../support/run-command.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

const WRONG = `const a: number = "one";\n`;
const ERROR = "ERROR [1:7] Type 'string' is not assignable to type 'number'. (ts2322)";
const STEPS = [{ calls: [write("src/a.ts", WRONG)] }, { calls: [edit("src/a.ts", [`"one"`, "1"])] }, { text: "Done." }];

test("the pi that is driven is the second host, and its daemon runs under the Node that runs it", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const options = { cwd: ws.root, env: piEnvironment(ws) };
		expect((await runCommand(PI_NODE, ["--version"], options)).stdout).toMatch(/^v22\./);
		const version = await runCommand(PI_NODE, [PI_CLI, "--version"], options);
		expect(version.stdout + version.stderr).toContain(HOST.name);
		await runPi(ws, STEPS);
		const daemons = processesOf(ws.runId).filter(({ argv }) => argv.some((word) => word.endsWith("daemon.cjs")));
		expect(daemons.map(({ argv }) => argv[0])).toEqual([PI_NODE]);
	}));

test("--help describes the flags", () =>
	withWorkspace({}, async (ws) => {
		const args = [PI_CLI, "--no-extensions", "-e", REPOSITORY, "--help"];
		const { stdout, stderr } = await runCommand(PI_NODE, args, { cwd: ws.root, env: piEnvironment(ws) });
		for (const flag of ["--lsp-auto-check", "--lsp-mode", "--lsp-tools"]) expect(stdout + stderr).toContain(flag);
	}));

test("pi install ./PATH uses the directory in its place, and pi reports no problem", { timeout: 120_000 }, () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const copy = join(ws.base, "copy");
		copyCheckout(copy);
		cpSync(join(REPOSITORY, "dist"), join(copy, "dist"), { recursive: true });
		symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"));
		const options = { cwd: ws.root, env: piEnvironment(ws) };
		const installed = await runCommand(PI_NODE, [PI_CLI, "install", "../copy"], options);
		expect(installed.code, installed.stderr).toBe(0);
		expect(JSON.stringify(await import(join(agentDirectory(ws), "settings.json")))).toContain("copy");
		const run = await runPi(ws, STEPS, { extension: undefined });
		expect(run.result(0)).toContain(ERROR);
		expect(run.result(1)).toBe(edited("src/a.ts"));
		expect(run.stderr).toBe("");
		// Each installed copy has a daemon of its own, which only its own command line stops.
		await runCommand(PI_NODE, [join(copy, "dist/cli.cjs"), "stop"], { cwd: ws.root, env: ws.env });
	}),
);
