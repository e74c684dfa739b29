import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { met, notYet, until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";
import { ask, daemonOf, daemonsOf, everybodyGone, isRight, serversOf, socketOf, WRONG_PROJECT } from "./daemon.ts";

/** Runs `count` commands at the same time; each must get the right answer, from one daemon with one server. */
async function together(ws: Parameters<typeof ask>[0], count: number): Promise<void> {
	const results = await Promise.all(
		Array.from({ length: count }, () => ws.cli(["check", "src/a.ts", "--json", "--timeout", "30000"])),
	);
	expect(results.filter((result) => !isRight(result))).toEqual([]);
	expect(daemonsOf(ws)).toHaveLength(1);
	expect(serversOf(ws)).toHaveLength(1);
}

describe("concurrent first calls", () => {
	test.concurrent("start one daemon and one server, and all 20 are answered", () =>
		withWorkspace(WRONG_PROJECT, (ws) => together(ws, 20)));

	test.concurrent("to the socket of a killed daemon start one daemon again", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const { pid } = daemonOf(ws);
			process.kill(pid, "SIGKILL");
			await together(ws, 12);
			expect(daemonOf(ws).pid).not.toBe(pid);
		}));

	test.concurrent("start one daemon again while another is exiting", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const { pid } = daemonOf(ws);
			process.kill(pid, "SIGTERM");
			const results = await Promise.all(
				Array.from({ length: 8 }, () => ws.cli(["check", "src/a.ts", "--json", "--timeout", "30000"])),
			);
			expect(results.filter((result) => !isRight(result))).toEqual([]);
			await until("the old one is gone", () =>
				daemonsOf(ws).some((daemon) => daemon.pid === pid) ? notYet("still there") : met(true),
			);
			expect(daemonsOf(ws)).toHaveLength(1);
			await ask(ws);
		}));
});

describe("a daemon", () => {
	test.concurrent("exits with its servers when its runtime directory is removed", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			expect(serversOf(ws)).toHaveLength(1);
			rmSync(join(ws.base, "run/pi-lsp"), { recursive: true });
			await everybodyGone(ws);
			await ask(ws);
		}));

	test.concurrent("exits soon for another one when its socket is removed", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const { pid } = daemonOf(ws);
			rmSync(socketOf(ws) ?? "");
			await until(
				"it is gone",
				() => (daemonsOf(ws).some((daemon) => daemon.pid === pid) ? notYet("there") : met(true)),
				{
					timeoutMs: 20_000,
				},
			);
			await ask(ws);
			expect(daemonsOf(ws)).toHaveLength(1);
		}));

	test.concurrent("exits after its idle time if it has no work", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			const env = { ...ws.env, PI_LSP_DAEMON_IDLE_MS: "300" };
			expect((await ws.cli(["daemon", "start"], { env })).code).toBe(0);
			await everybodyGone(ws);
			expect(socketOf(ws)).toBeUndefined();
		}));

	test.concurrent("ends its servers and removes its socket when it gets SIGTERM", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			process.kill(daemonOf(ws).pid, "SIGTERM");
			await everybodyGone(ws);
			expect(socketOf(ws)).toBeUndefined();
		}));

	test.concurrent("survives the end of the terminal that started it", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const { pid } = daemonOf(ws);
			process.kill(pid, "SIGHUP");
			await ask(ws);
			expect(daemonOf(ws).pid).toBe(pid);
		}));

	test.concurrent("leaves no server when it is killed, and the next call is answered by a new daemon", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			process.kill(daemonOf(ws).pid, "SIGKILL");
			await until("its server is gone too", () => (serversOf(ws).length === 0 ? met(true) : notYet("still there")), {
				timeoutMs: 15_000,
			});
			await ask(ws);
		}));

	test.concurrent("has no second one started while it is stopped (SIGSTOP): callers get an error, and answers when it continues", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const { pid } = daemonOf(ws);
			process.kill(pid, "SIGSTOP");
			try {
				const result = await ws.cli(["check", "src/a.ts", "--json"]);
				expect(result.code).toBe(3);
				expect(JSON.parse(result.stdout)).toMatchObject({
					error: { code: "LSP_DAEMON_UNRESPONSIVE", details: { pid, suggestion: expect.stringMatching(/\w/) } },
				});
				expect(daemonsOf(ws)).toHaveLength(1);
			} finally {
				process.kill(pid, "SIGCONT");
			}
			await ask(ws);
			expect(daemonOf(ws).pid).toBe(pid);
		}));

	test.concurrent("answers a query after the end of a server by a new server", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			for (let round = 0; round < 2; round++) {
				const [server] = serversOf(ws);
				process.kill(server?.pid ?? -1, "SIGKILL");
				await ask(ws);
				expect(serversOf(ws).map(({ pid }) => pid)).not.toContain(server?.pid);
			}
			expect(serversOf(ws)).toHaveLength(1);
		}));
});

test.concurrent("LSP_DEBUG=1 of a command takes effect in a running daemon", () =>
	withWorkspace(WRONG_PROJECT, async (ws) => {
		const checks = async () => (await ws.cli(["daemon", "logs"])).stdout.match(/ checked server=/g) ?? [];
		await ask(ws);
		const { pid } = daemonOf(ws);
		expect(await checks()).toHaveLength(0);
		await ws.cli(["check", "src/a.ts"], { env: { ...ws.env, LSP_DEBUG: "1" } });
		expect(await checks()).not.toHaveLength(0);
		expect(daemonOf(ws).pid).toBe(pid);
	}));

test.concurrent("status and stop start no daemon", () =>
	withWorkspace(WRONG_PROJECT, async (ws) => {
		for (const args of [
			["status"],
			["restart"],
			["stop"],
			["daemon", "status"],
			["daemon", "stop"],
			["daemon", "logs"],
		])
			expect((await ws.cli(args)).code, args.join(" ")).toBe(0);
		expect(daemonsOf(ws)).toEqual([]);
	}));
