import process from "node:process";
import { describe, expect, test } from "vitest";
import { ownerMark } from "../../src/process/orphans.ts";
import { ServerProcess } from "../../src/process/server-process.ts";
import { withFake } from "../fakes/fake.ts";
import { processesOf } from "../support/processes.ts";
import { met, notYet, until } from "../support/until.ts";

const never = new Promise<void>(() => {});

// The steps of a stop have clocks of their own: these wait in parallel, not one after the other.
describe.concurrent("a stopped server leaves no process behind:", () => {
	test("a server that exits at the end of its input or at exit is not killed", () =>
		withFake({}, async (fake) => {
			const server = await fake.start();
			await server.stop();
			expect(fake.received("shutdown")).toHaveLength(1);
			expect(fake.received("exit")).toHaveLength(1);
			expect(server.state).toBe("stopped");
		}));

	test("a server that is slow to shut down is waited for", () =>
		withFake({ on: [{ method: "shutdown", do: [{ delay: 1500 }, { default: true }] }] }, async (fake) => {
			const server = await fake.start();
			await server.stop();
			expect(fake.received("exit")).toHaveLength(1);
		}));

	test("a server that ignores shutdown, exit and SIGTERM is killed", () =>
		withFake(
			{
				start: [{ ignoreTerm: true }, { stay: true }],
				on: [
					{ method: "shutdown", do: [{ never: true }] },
					{ method: "exit", do: [{ never: true }] },
				],
			},
			async (fake) => {
				const server = await fake.start();
				await server.stop();
				expect(fake.record().map(({ did }) => did)).toContain("ignored SIGTERM");
				expect(processesOf(fake.runId)).toEqual([]);
			},
		));

	test("a stubborn grandchild is killed with a server that exits by itself", () =>
		withFake({ start: [{ grandchild: "stubborn" }] }, async (fake) => {
			const server = await fake.start();
			expect(processesOf(fake.runId)).toHaveLength(2);
			await server.stop();
			await until("all processes have exited", () => {
				const left = processesOf(fake.runId);
				return left.length === 0 ? met(true) : notYet(JSON.stringify(left));
			});
		}));

	test("a grandchild is killed with a server that crashes", () =>
		withFake(
			{ start: [{ grandchild: "stubborn" }], on: [{ method: "textDocument/hover", do: [{ crash: "SIGKILL" }] }] },
			async (fake) => {
				const server = await fake.start();
				await expect(server.request("textDocument/hover", {})).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
				await until("all processes have exited", () => {
					const left = processesOf(fake.runId);
					return left.length === 0 ? met(true) : notYet(JSON.stringify(left));
				});
			},
		));

	test("every caller of stop waits for the same exit", () =>
		withFake({}, async (fake) => {
			const server = await fake.start();
			await Promise.all([server.stop(), server.stop(), server.stop()]);
			expect(fake.received("shutdown")).toHaveLength(1);
		}));
});

describe("a server's process", () => {
	test("has different errors if it is not installed and if it cannot be run", () =>
		withFake({}, async ({ launch }) => {
			await expect(ServerProcess.start({ ...launch, file: "/no/such/server" })).rejects.toMatchObject({
				code: "LSP_SERVER_UNAVAILABLE",
				details: { command: expect.stringContaining("/no/such/server") },
			});
			await expect(ServerProcess.start({ ...launch, file: "/etc/passwd" })).rejects.toMatchObject({
				code: "LSP_SERVER_START_FAILED",
			});
		}));

	test("is unavailable in a directory that does not exist, and the error names the directory", () =>
		withFake({}, async ({ launch }) => {
			await expect(ServerProcess.start({ ...launch, cwd: "/no/such/directory" })).rejects.toMatchObject({
				code: "LSP_SERVER_UNAVAILABLE",
				message: expect.stringContaining("/no/such/directory"),
			});
		}));

	test("has a group of its own and gets the given environment, and no more", () =>
		withFake({}, async ({ launch, env }) => {
			process.env.PI_LSP_CANARY = "secret";
			const server = await ServerProcess.start(launch);
			delete process.env.PI_LSP_CANARY;
			const { readFileSync } = await import("node:fs");
			const given = readFileSync(`/proc/${server.pid}/environ`, "utf8").split("\0").filter(Boolean);
			expect(given.sort()).toEqual(
				Object.entries({ ...env, ...ownerMark() })
					.map(([name, value]) => `${name}=${value}`)
					.sort(),
			);
			const stat = readFileSync(`/proc/${server.pid}/stat`, "utf8");
			expect(Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2])).toBe(server.pid);
			server.kill();
			await server.exited;
		}));

	test("keeps the last 64 KB of standard error while 20 MB go through it", () =>
		withFake(
			{ start: [{ stderr: "x".repeat(1 << 20), times: 20 }, { stderr: " the last words" }] },
			async ({ launch }) => {
				const server = await ServerProcess.start(launch);
				await until("the last words arrive", () =>
					server.stderrTail().endsWith("the last words") ? met(true) : notYet(server.stderrTail(40)),
				);
				expect(server.stderrTail().length).toBeLessThanOrEqual(4096);
				expect(server.stderrTail(1 << 30).length).toBeLessThanOrEqual(64 * 1024);
				await server.stop(never.then(() => {}));
			},
		));
});
