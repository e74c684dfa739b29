import { expect, test } from "vitest";
import { commandOf } from "../../support/processes.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { edit, edited, write } from "./calls.ts";
import { withRpcPi } from "./rpc-pi.ts";
import { runPi } from "./run-pi.ts";

const WRONG = `const a: number = "one";\n`;
const DONE = { text: "Done." };
const STEPS = [{ calls: [write("src/a.ts", WRONG)] }, DONE];

test("pi ends by itself while the daemon stays, and the next pi finds the same daemon", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const first = await runPi(ws, STEPS);
		expect(first.stdout).toBe("Done.\n");
		expect(first.result()).toContain("(ts2322)");
		const pid = await daemonPid(ws);
		expect(commandOf(pid).join(" ")).toContain("dist/daemon.cjs");

		const second = await runPi(ws, [{ calls: [edit("src/a.ts", [`"one"`, "1"])] }, DONE]);
		expect(second.result()).toBe(edited("src/a.ts"));
		expect(await daemonPid(ws)).toBe(pid);
	}));

test("a run that edits nothing starts no daemon", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		await runPi(ws, [DONE]);
		const { stdout } = await ws.cli(["status", "--json"]);
		expect((JSON.parse(stdout) as { daemon?: unknown }).daemon ?? undefined).toBeUndefined();
	}));

test("a daemon that was killed is replaced for the next edit", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		await runPi(ws, STEPS);
		process.kill(await daemonPid(ws), "SIGKILL");
		const run = await runPi(ws, [{ calls: [edit("src/a.ts", [": number", ": boolean"])] }, DONE]);
		expect(run.result()).toContain("ERROR [1:7] Type 'string' is not assignable to type 'boolean'. (ts2322)");
	}));

test("/lsp status tells a person which server runs", () =>
	withWorkspace(TYPESCRIPT_PROJECT, (ws) =>
		withRpcPi(ws, STEPS, async (pi) => {
			await pi.ask("Go on.");
			const from = await pi.prompt("/lsp status");
			const notify = await pi.event("a notice", (event) => event.method === "notify", from);
			expect(notify.message).toContain("typescript");
		}),
	));

/** The process that `pi-lsp status` names as the daemon. */
async function daemonPid(ws: Workspace): Promise<number> {
	const { stdout } = await ws.cli(["status", "--json"]);
	const { daemon } = JSON.parse(stdout) as { daemon?: { pid?: number } };
	if (daemon?.pid === undefined) throw new Error(`no daemon is running: ${stdout}`);
	return daemon.pid;
}
