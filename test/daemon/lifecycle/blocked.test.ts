import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { connectDaemon } from "../../../src/daemon/lifecycle/connect.ts";
import { identityOf } from "../../../src/process/process-identity.ts";
import { hashOf } from "../../../src/util/hash.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { ask, daemonOf, daemonsOf, everybodyGone, serversOf, socketOf, WRONG_PROJECT } from "../daemon.ts";

/**
 * A daemon with a server that can be blocked by SIGUSR2, and that reports the block and ends after so many
 * milliseconds.
 */
async function blockable(ws: Workspace, tellMs: number, endMs: number): Promise<number> {
	const times = { PI_LSP_DAEMON_BLOCKED_MS: `${tellMs}`, PI_LSP_DAEMON_END_MS: `${endMs}` };
	const program = join(REPOSITORY, "dist/daemon.cjs");
	const child = spawn(
		process.execPath,
		["--require", join(REPOSITORY, "test/daemon/lifecycle/blocking.cjs"), program],
		{
			cwd: "/",
			env: { ...ws.env, ...times },
			stdio: "ignore",
			detached: true,
		},
	);
	child.unref();
	await until("it listens", () => (socketOf(ws) === undefined ? notYet("no socket") : met(true)));
	await ask(ws);
	expect(daemonOf(ws).pid).toBe(child.pid);
	return child.pid as number;
}

/** A process of the daemon that ignores the end of its input, as some servers do. */
async function deafServer(ws: Workspace, daemon: number): Promise<ChildProcess> {
	const scope = `${readlinkSync("/proc/self/ns/pid")} ${hashOf(ws.env.XDG_RUNTIME_DIR ?? "", 8)}`;
	const child = spawn(process.execPath, ["-e", 'console.log("up"); setInterval(() => {}, 1000)'], {
		env: { ...ws.env, PI_LSP_OWNER: `${identityOf(daemon)} ${scope}` },
		stdio: ["ignore", "pipe", "ignore"],
	});
	await once(child.stdout, "data");
	return child;
}

function logOf(ws: Workspace): Readonly<Record<string, unknown>>[] {
	const lines = readFileSync(join(ws.base, "state/pi-lsp/daemon.log"), "utf8").split("\n").filter(Boolean);
	return lines.map((line) => JSON.parse(line));
}

const isLinux = process.platform === "linux";

describe.skipIf(!isLinux)("a daemon whose loop is blocked", () => {
	test.concurrent("A blocked daemon logs its functions, is ended with its servers, and the next call starts another daemon", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			const pid = await blockable(ws, 500, 3000);
			const deaf = await deafServer(ws, pid);
			const client = await connectDaemon(ws.env);
			process.kill(pid, "SIGUSR2");
			await until("it is blocked", async () => {
				const answer = client.call("status", { cwd: ws.root, input: {} });
				const late = new Promise((resolve) => setTimeout(() => resolve("late"), 300));
				answer.catch(() => {});
				return (await Promise.race([answer, late])) === "late" ? met(true) : notYet("answered");
			});
			await expect(client.call("status", { cwd: ws.root, input: {} })).rejects.toMatchObject({
				code: "LSP_DAEMON_BLOCKED",
				message: expect.stringMatching(new RegExp(`^The daemon \\(pid ${pid}\\) was blocked for 3 s `)),
				details: { pid, suggestion: expect.stringContaining("daemon logs") },
			});
			client.close();
			await everybodyGone(ws);
			await until("the deaf one is gone", () => (deaf.signalCode === "SIGKILL" ? met(true) : notYet("it lives")));
			const entry = logOf(ws).find(({ event }) => event === "the loop is blocked");
			expect(entry).toMatchObject({ pid, at: expect.stringContaining("blockedByTest blocking.cjs:3:") });
			await ask(ws);
			expect(daemonOf(ws).pid).not.toBe(pid);
		}));

	test.concurrent("A daemon that continues in time is not ended", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			const pid = await blockable(ws, 200, 1500);
			// The daemon is stopped for longer than a blocked one would live: none of it ran meanwhile, including the
			// watchdog.
			process.kill(pid, "SIGSTOP");
			await new Promise((resolve) => setTimeout(resolve, 2500));
			process.kill(pid, "SIGCONT");
			await ask(ws);
			expect(daemonOf(ws).pid).toBe(pid);
			expect(logOf(ws).filter(({ event }) => String(event).startsWith("ended"))).toEqual([]);
		}));
});

describe.skipIf(!isLinux).each(["stop", "daemon stop"])("`%s`", (command) => {
	test.concurrent("A blocked daemon is ended with its servers", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			const pid = await blockable(ws, 60_000, 600_000);
			const deaf = await deafServer(ws, pid);
			process.kill(pid, "SIGUSR2");
			const { code, stdout, wallMs } = await ws.cli(command.split(" "));
			expect(stdout).toBe(`Stopped the daemon (pid ${pid}).\n`);
			expect(code).toBe(0);
			expect(wallMs).toBeLessThan(15_000);
			expect(daemonsOf(ws)).toEqual([]);
			await until("the deaf one is gone", () => (deaf.signalCode === "SIGKILL" ? met(true) : notYet("it lives")));
			await everybodyGone(ws);
			await ask(ws);
		}));

	test.concurrent("A stopped daemon (SIGSTOP) is ended", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const { pid } = daemonOf(ws);
			process.kill(pid, "SIGSTOP");
			expect((await ws.cli(command.split(" "))).stdout).toBe(`Stopped the daemon (pid ${pid}).\n`);
			await everybodyGone(ws);
		}));

	test.concurrent("A process with the process id of a former daemon is not killed", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			process.kill(daemonOf(ws).pid, "SIGKILL");
			await everybodyGone(ws);
			const other = await deafServer(ws, process.pid);
			const lock = socketOf(ws)?.replace(/\.sock$/, ".life") ?? "";
			writeFileSync(lock, `${other.pid} 12345`);
			expect((await ws.cli(command.split(" "))).stdout).toBe("The daemon is not running.\n");
			expect(serversOf(ws)).toEqual([]);
			expect(other.exitCode ?? other.signalCode).toBeNull();
			other.kill("SIGKILL");
			await once(other, "exit");
		}));
});
