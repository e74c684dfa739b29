import { spawn } from "node:child_process";
import { getPriority } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { type LaunchCommand, ServerProcess } from "../../src/process/server-process.ts";
import { bubblewrap, bubblewrapArguments } from "../../src/sandbox/bubblewrap.ts";
import { socketFilter } from "../../src/sandbox/socket-filter.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import { withServers } from "../live/languages.ts";
import { commandOf, processesOf } from "../support/processes.ts";
import { met, notYet, until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";
import { named, noSandbox, sandboxProgram } from "./sandbox-program.ts";

const never = new Promise<void>(() => {});

/** The command that starts the fake in a sandbox in which it may write its record. */
function sandboxed({ launch, root }: Fake): LaunchCommand {
	const rules = [{ path: dirname(root), access: "write", isDirectory: true }] as const;
	const sandbox = bubblewrap(sandboxProgram, { rules, cwd: root, filter: socketFilter() });
	return { ...launch, sandbox };
}

/** Starts the fake in a sandbox, and waits until it has begun. */
async function begin(fake: Fake): Promise<ServerProcess> {
	const server = await ServerProcess.start(sandboxed(fake));
	await until("it has begun", () => (fake.starts() > 0 ? met(true) : notYet(server.stderrTail())));
	return server;
}

function goneFor(fake: Fake): Promise<true> {
	return until("all processes have exited", () => {
		const left = processesOf(fake.runId);
		return left.length === 0 ? met(true as const) : notYet(JSON.stringify(left));
	});
}

describe.skipIf(noSandbox)(named("a server in a sandbox"), () => {
	test("gets SIGTERM before it is killed", () => ended({ start: [{ ignoreTerm: true }, { stay: true }] }, "SIGKILL"));

	test("exits by SIGTERM if it obeys it", () => ended({ start: [{ stay: true }] }, "SIGTERM"));

	async function ended(script: Script, by: NodeJS.Signals): Promise<void> {
		await withFake(script, async (fake) => {
			const server = await begin(fake);
			expect(await server.stop(never)).toEqual({ code: null, signal: by });
			expect(fake.record().some(({ did }) => did === "ignored SIGTERM")).toBe(by === "SIGKILL");
			await goneFor(fake);
		});
	}

	test("takes a stubborn grandchild along when it exits by itself", () =>
		withFake({ start: [{ grandchild: "stubborn" }] }, async (fake) => {
			const server = await begin(fake);
			await until("the grandchild is there", () =>
				fake.record().some(({ did }) => did === "grandchild") ? met(true) : notYet("no grandchild"),
			);
			await server.stop(Promise.resolve());
			await goneFor(fake);
		}));

	test("reports a crash with its signal", () =>
		withFake({ start: [{ delay: 200 }, { crash: "SIGABRT" }] }, async (fake) => {
			expect(await (await begin(fake)).exited).toEqual({ code: null, signal: "SIGABRT" });
		}));

	test("runs with the lower priority of every server", () =>
		withFake({}, async (fake) => {
			const server = await begin(fake);
			const inside = processesOf(fake.runId).find(({ argv }) => argv[0] === process.execPath);
			expect(getPriority(inside?.pid ?? -1)).toBe(Math.min(getPriority() + 2, 19));
			server.kill();
			await server.exited;
		}));

	test("ends with the process that started it, in whatever way, and with a grandchild that has left its group", () =>
		withWorkspace({}, async (ws) => {
			const deep = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" }); process.stdout.write("up"); setInterval(() => {}, 1000);`;
			const args = bubblewrapArguments({ rules: [], cwd: "/", filter: undefined });
			const starter = `const child = require("node:child_process").spawn(${JSON.stringify(sandboxProgram)}, ${JSON.stringify([...args, process.execPath, "-e", deep])}, { detached: true, stdio: ["ignore", "pipe", "inherit"] }); child.stdout.on("data", () => process.stdout.write("up"));`;
			const parent = spawn(process.execPath, ["-e", starter], {
				env: withServers(ws.env),
				stdio: ["ignore", "pipe", "inherit"],
			});
			await new Promise((resolve) => parent.stdout.once("data", resolve));
			expect(processesOf(ws.runId).length).toBeGreaterThanOrEqual(4);
			parent.kill("SIGKILL");
			await until("all processes have exited", () => {
				const left = processesOf(ws.runId);
				return left.length === 0 ? met(true) : notYet(JSON.stringify(left));
			});
		}));

	test("gets no process id, which would mean nothing to it, and stays when it looks for its client", () =>
		withWorkspace({ "a.json": "{\n" }, async (ws) => {
			const env = { ...withServers(ws.env), PI_LSP_SANDBOX: "require" };
			const check = async () => (await ws.cli(["check", "a.json", "--json"], { env })).stdout;
			const first = JSON.parse(await check());
			expect(first.servers[0]?.id).toBeDefined();
			const before = serversOf(ws.runId);
			expect(before.length).toBeGreaterThan(0);
			// They look every 3 s.
			await new Promise((resolve) => setTimeout(resolve, 5000));
			expect(serversOf(ws.runId)).toEqual(before);
		}));
});

function serversOf(runId: string): number[] {
	return processesOf(runId)
		.filter(({ pid }) => commandOf(pid)[0] === sandboxProgram)
		.map(({ pid }) => pid);
}
