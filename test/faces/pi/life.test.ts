import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandOf } from "../../support/processes.ts";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { edit, edited, write } from "./calls.ts";
import { newToolResults } from "./model-request.ts";
import { withRpcPi } from "./rpc-pi.ts";
import { runPi } from "./run-pi.ts";

const WRONG = `const a: number = "one";\n`;
const DONE = { text: "Done." };
const STEPS = [{ calls: [write("src/a.ts", WRONG)] }, DONE];

test("pi exits by itself while the daemon stays, and the next pi finds the same daemon", () =>
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

test("errors that a session caused are its own after the daemon was killed, and earlier errors are not", () => {
	const old = `const old: number = "old";\n`;
	const steps = [
		{ calls: [edit("src/a.ts", ["const old", `${WRONG}const old`])] },
		DONE,
		{ calls: [edit("src/a.ts", ["const old", "// Not yet.\nconst old"])] },
		{ calls: [edit("src/a.ts", [`"one"`, "1"])] },
		DONE,
	];
	return withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": old }, (ws) =>
		withRpcPi(ws, steps, async (pi) => {
			await pi.ask("Go on.");
			// The record is written after the answer.
			const directory = join(ws.env.XDG_STATE_HOME ?? "", "pi-lsp/sessions");
			const mirrors = () => (existsSync(directory) ? readdirSync(directory) : []);
			await until("what the session broke is kept", () =>
				mirrors().some((name) => name.endsWith(".json")) ? met(true) : notYet(mirrors().join()),
			);
			process.kill(await daemonPid(ws), "SIGKILL");
			// A call shows pi that its daemon has exited.
			const from = await pi.prompt("/lsp status");
			await pi.event("the status", (event) => event.method === "notify", from);
			await pi.ask("Go on.");
			const results = pi.requests.at(-1)?.messages.flatMap(({ callId, text }) => (callId ? [text] : [])) ?? [];
			const [, second = "", third = ""] = results;
			expect(second).toContain(
				"0 errors are new with this edit; 1 is left from earlier edits; 1 more was there before.",
			);
			expect(third).toContain("It fixed 1 error and caused no new ones; 1 was there before (line 3).");
			await until("nothing of it is kept once it is mended", () =>
				mirrors().length === 0 ? met(true) : notYet(mirrors().join()),
			);
		}),
	);
});

/** An extension that kills the process whose id is in a file, between the call of a tool and its execution. */
const KILLER = `import { existsSync, readFileSync, rmSync } from "node:fs";
export default function (pi) {
	pi.on("tool_call", () => {
		if (!existsSync(process.env.PID_FILE)) return;
		process.kill(Number(readFileSync(process.env.PID_FILE, "utf8")), "SIGKILL");
		rmSync(process.env.PID_FILE);
	});
}
`;

test("errors from before an edit are known to the next daemon if one was killed during the call", () => {
	const old = `const old: number = "old";\n`;
	const steps = [
		{ calls: [edit("src/b.ts", ["= 1", "= 2"])] },
		DONE,
		{ calls: [edit("src/a.ts", ["const old", `${WRONG}const old`])] },
		DONE,
	];
	return withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": old, "src/b.ts": "export const b = 1;\n" }, async (ws) => {
		const killer = join(ws.base, "killer.mjs");
		const pidFile = join(ws.base, "pid");
		writeFileSync(killer, KILLER);
		const options = { args: ["-e", killer], env: { PID_FILE: pidFile } };
		await withRpcPi(
			ws,
			steps,
			async (pi) => {
				await pi.ask("Go on.");
				writeFileSync(pidFile, `${await daemonPid(ws)}`);
				await pi.ask("Go on.");
				expect(existsSync(pidFile)).toBe(false);
				const [result] = newToolResults(pi.answerTo(2));
				expect(result?.text).toContain("1 error is new with this edit; 1 more was there before.");
			},
			options,
		);
	});
});

test("/lsp status shows a person the running server", () =>
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
