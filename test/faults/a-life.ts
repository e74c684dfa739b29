import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { pause } from "../../src/util/abort.ts";
import { processesOf } from "../support/processes.ts";
import { REPOSITORY } from "../support/repository.ts";
import { Caller, found } from "./caller.ts";
import { install } from "./installed.ts";
import { must, type Row, shown } from "./row.ts";
import { together } from "./together.ts";
import { hasExited, timed, waitForExit, waitUntil } from "./waits.ts";
import type { World } from "./world.ts";

const slowHover = { on: [{ method: "textDocument/hover", do: [{ delay: 4500 }, { default: true as const }] }] };

/** Rounds of 50 first calls until the minute is over; each must end with one daemon and one server. */
async function rounds(world: World, atLeast: number, before: () => Promise<(() => void) | undefined>): Promise<string> {
	const gopls = world.fake("gopls", {});
	const began = performance.now();
	let slowest = 0;
	let done = 0;
	for (; done < 20 && (done < atLeast || performance.now() - began < 90_000); done++) {
		const loose = await before();
		gopls.forget();
		slowest = Math.max(slowest, await together(world, 50, loose));
		await waitUntil("one daemon is left", () => world.daemons().length === 1, 20_000);
		must(gopls.starts() === 1, `O3: ${gopls.starts()} servers were started for one root`);
		must(gopls.alive().length === 1, `O3: ${gopls.alive().length} servers live for one root`);
	}
	return `${done} of 20 rounds of 50, slowest ${(slowest / 1000).toFixed(1)} s`;
}

/** A daemon that this row starts itself, whose exit can be observed. */
function daemonByHand(world: World, args: readonly string[] = []): ChildProcess {
	return spawn(process.execPath, [...args, join(REPOSITORY, "dist/daemon.cjs")], {
		cwd: "/",
		env: world.daemonEnv,
		stdio: "ignore",
		detached: true,
	});
}

function ended(child: ChildProcess): Promise<string> {
	return new Promise((resolve) => child.once("exit", (code, signal) => resolve(String(code ?? signal))));
}

/** How many daemons have listened so far. */
function startsOf(world: World): number {
	return world.log().match(/"event":"listening"/g)?.length ?? 0;
}

async function leftoverNames(world: World, base: string): Promise<string[]> {
	return existsSync(base) ? readdirSync(base, { recursive: true }).map(String) : [world.base].slice(1);
}

export const life: readonly Row[] = [
	{
		id: "A1",
		title: "50 first calls at once, cold",
		run: (world) =>
			rounds(world, 3, async () => {
				await world.cli(["stop"]);
				await waitUntil("nothing is left of the round before", () => world.daemons().length === 0);
				return undefined;
			}),
	},
	{
		id: "A2",
		title: "50 first calls over a stale socket",
		run: async (world) => {
			await world.cli(["daemon", "start"]);
			return rounds(world, 3, async () => {
				const pid = world.daemon();
				process.kill(pid, "SIGKILL");
				await waitForExit(pid);
				await waitUntil("its servers are gone", () => processesOf(world.ws.runId).length === 0, 15_000);
				must(world.socket() !== undefined, "the stale socket is not there: the fault was not injected");
				return undefined;
			});
		},
	},
	{
		id: "A3",
		title: "50 first calls while the old daemon drains",
		run: async (world) => {
			const gopls = world.fake("gopls", slowHover);
			const began = performance.now();
			let done = 0;
			let overlapped = 0;
			await world.report("a.go");
			for (; done < 20 && (done < 3 || performance.now() - began < 90_000); done++) {
				const old = world.daemon();
				const started = startsOf(world);
				const asked = (await world.connect()).hover("a.go");
				const isBefore = asked.then(() => startsOf(world) > started);
				await waitUntil("the old one is busy", () => gopls.received("textDocument/hover").length > 0);
				gopls.forget();
				await together(world, 50, () => process.kill(old, "SIGTERM"));
				must((await asked).includes("WRONG"), "the call that the old daemon was busy with was lost");
				if (await isBefore) overlapped++;
				await waitForExit(old, 15_000);
				must(world.socket() !== undefined, "the old one's end removed the new one's socket");
				must(startsOf(world) === started + 1, `${startsOf(world) - started} daemons were started for one`);
				world.daemon();
				must((await world.report("a.go")).files[0]?.state === "fresh", "the new one does not serve");
				must(gopls.alive().length === 1, `O3: ${gopls.alive().length} servers live for one root`);
			}
			must(overlapped > 0, "the new daemon never listened before the old one had ended");
			return `${done} of 20 rounds of 50, the new one listened before the old one's end in ${overlapped}`;
		},
	},
	{
		id: "A4",
		title: "kill -9 of the daemon with 20 requests in flight",
		run: async (world) => {
			const gopls = world.fake("gopls", slowHover);
			await world.report("a.go");
			const old = world.daemon();
			const calls = Array.from({ length: 20 }, () => world.cli(["hover", "a.go", "--line", "1", "--column", "1"]));
			await waitUntil("20 requests are in flight", () => gopls.received("textDocument/hover").length === 20, 30_000);
			const servers = gopls.alive().map(({ pid }) => pid);
			process.kill(old, "SIGKILL");
			for (const pid of servers) await waitForExit(pid, 10_000);
			const results = await Promise.all(calls);
			const right = results.filter(({ stdout }) => stdout.includes("WRONG")).length;
			must(right === 20, `${right}/20 were answered: ${shown(results.find(({ code }) => code !== 0))}`);
			return "20/20 answered by the next daemon";
		},
	},
	{
		id: "A5",
		title: "SIGSTOP of the daemon",
		run: async (world) => {
			world.fake("gopls", {});
			await world.report("a.go");
			const pid = world.daemon();
			const socket = world.socket();
			process.kill(pid, "SIGSTOP");
			world.cleanups.push(() => hasExited(pid) || process.kill(pid, "SIGCONT"));
			const calls = Array.from({ length: 5 }, () => world.cli(["check", "a.go", "--json"]));
			const results = await Promise.all(calls);
			await pause(4000);
			must(
				results.every(({ stdout }) => stdout.includes("LSP_DAEMON_UNRESPONSIVE")),
				`not reported: ${shown(results)}`,
			);
			must(world.daemon() === pid, "it was doubled");
			must(world.socket() === socket, "its socket was removed");
			process.kill(pid, "SIGCONT");
			must(found(await world.report("a.go")) === 1, "it does not serve after SIGCONT");
			must(world.daemon() === pid, "another one serves after SIGCONT");
			return "stopped for the time of 5 calls and 4 s, instead of 30 s";
		},
	},
	{
		id: "A6",
		title: "the daemon runs out of memory",
		run: async (world) => {
			const items = JSON.parse(`[${"[[0]],".repeat(3_000_000)}0]`) as unknown[];
			world.fake("gopls", {
				on: [{ method: "textDocument/hover", do: [{ notify: "x/flood", params: items, times: 4 }, { default: true }] }],
			});
			const child = daemonByHand(world, ["--max-old-space-size=40"]);
			const end = ended(child);
			await waitUntil("it listens", () => world.socket() !== undefined);
			const { pid = 0 } = child;
			await (await world.connect()).hover("a.go").catch(() => {});
			const how = await Promise.race([end, pause(20_000).then(() => "alive")]);
			must(how !== "alive", `it outlived a flood of 4 x 18 MB with a heap of 40 MB (pid ${pid})`);
			world.fake("gopls", {});
			must(found(await world.report("a.go")) === 1, "the next call is not served by another one");
			return `it ended with ${how}; started by hand, so the reason is not in the log`;
		},
	},
	{
		id: "A7",
		title: "the socket is deleted under a live daemon",
		run: async (world) => {
			world.fake("gopls", {});
			await world.report("a.go");
			const pid = world.daemon();
			rmSync(world.socket() ?? "");
			const asked = world.report("a.go");
			asked.catch(() => {});
			const ms = await waitForExit(pid, 11_000);
			must(found(await asked) === 1, "a call meanwhile was not answered");
			world.daemon();
			return `gone after ${ms} ms`;
		},
	},
	{
		id: "A8",
		title: "the runtime directory is deleted",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			await world.report("a.go");
			const pid = world.daemon();
			rmSync(join(world.base, "run"), { recursive: true });
			const ms = await waitForExit(pid, 12_000);
			await waitUntil("its servers are gone", () => gopls.alive().length === 0, 2000);
			mkdirSync(join(world.base, "run"), { mode: 0o700 });
			return `gone after ${ms} ms`;
		},
	},
	{
		id: "A9",
		title: "version skew: another build, another protocol",
		run: async (world) => {
			const gopls = world.fake("gopls", slowHover);
			const other = install(world, "other");
			const work = (await world.connect()).hover("a.go");
			await waitUntil("it works", () => gopls.received("textDocument/hover").length === 1);
			const pid = world.daemon();
			const { stdout } = await other.cli(["check", "a.go", "--json"]);
			must(stdout.includes('"fresh"'), `the other build is not served: ${stdout}`);
			must(world.daemons().length === 2, `O3: ${world.daemons().length} daemons for two builds`);
			must((await work).includes("WRONG"), "the work of the first was harmed");
			await other.cli(["stop"]);
			must(world.daemon() === pid, "stopping the other build stopped this one");
			const strange = await (await world.connect()).send("hello", { protocol: 99, nonce: "x" }).answer;
			must(shown(strange).includes('"protocol":1'), `a hello of another protocol was answered ${shown(strange)}`);
			return "";
		},
	},
	{
		id: "A10",
		title: "a lock that names a living stranger",
		run: async (world) => {
			await world.cli(["daemon", "start"]);
			const socket = world.socket() ?? "";
			await world.cli(["stop"]);
			const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
			world.cleanups.push(() => stranger.kill());
			for (const kind of ["life", "start"])
				writeFileSync(socket.replace(/sock$/, kind), `${stranger.pid} 12345`, { mode: 0o600 });
			must((await world.cli(["daemon", "start"])).code === 0, "the start failed");
			must(stranger.exitCode === null && !hasExited(stranger.pid ?? 0), "the stranger was ended");
			return "life and start lock";
		},
	},
	{
		id: "A11",
		title: "runtime directories with long paths",
		run: async (world) => {
			world.fake("gopls", {});
			const results: string[] = [];
			for (const [bytes, letter] of [
				[104, "x"],
				[108, "x"],
				[109, "x"],
				[200, "x"],
				[130, "ü"],
			] as const) {
				const base = longPath(join(world.base, "r"), bytes, letter);
				mkdirSync(base, { recursive: true, mode: 0o700 });
				const env = { ...world.env, XDG_RUNTIME_DIR: base };
				const result = await world.cli(["check", "a.go", "--json"], { env });
				must(result.stdout.includes('"fresh"'), `${bytes} bytes: ${shown(result.stdout + result.stderr)}`);
				const [daemon] = world.daemons();
				const bound = execFileSync("sh", ["-c", `grep -F "${letter.repeat(5)}" /proc/net/unix || true`], {
					encoding: "utf8",
				});
				must(bound === "", `a socket was bound below the long path: ${bound}`);
				const names = (await leftoverNames(world, base)).filter((name) => name !== "pi-lsp");
				must(names.length === 0, `${bytes} bytes: something was made there: ${names}`);
				must(daemon !== undefined, "no daemon runs");
				const stopped = await world.cli(["stop"], { env });
				must(stopped.stdout.includes("Stopped"), `it cannot be stopped: ${shown(stopped)}`);
				results.push(`${bytes}`);
			}
			return `${results.join(", ")} bytes; the last with characters of two`;
		},
	},
	{
		id: "A12",
		title: "no XDG_RUNTIME_DIR, a home that cannot be written, a TMPDIR for each",
		run: async (world) => {
			world.fake("gopls", {});
			const { XDG_RUNTIME_DIR: _, XDG_STATE_HOME: __, ...plain } = world.env;
			const home = join(world.base, "sealed");
			mkdirSync(home);
			execFileSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", home]);
			world.cleanups.push(() => execFileSync("umount", ["-l", home]));
			const env = (name: string) => ({ ...plain, HOME: home, TMPDIR: join(world.base, name) });
			const results = [];
			for (const name of ["one", "two", "three"])
				results.push(await world.cli(["check", "a.go", "--json"], { env: env(name) }));
			const daemons = world.daemons().length;
			await world.cli(["stop"], { env: env("one") });
			const wrong = results.find(({ stdout }) => !stdout.includes('"fresh"'));
			must(wrong === undefined, shown(wrong));
			must(daemons === 1, `${daemons} daemons`);
			return "3 callers, a home mounted read-only";
		},
	},
	{
		id: "A13",
		title: "the state's disk is full",
		run: async (world) => {
			world.fake("gopls", {});
			const state = join(world.base, "state/pi-lsp");
			mkdirSync(state, { mode: 0o700 });
			execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=0700", "tmpfs", state]);
			world.cleanups.push(() => execFileSync("umount", ["-l", state]));
			execFileSync("sh", ["-c", `dd if=/dev/zero of="${state}/full" bs=4k 2>/dev/null || true`]);
			must(found(await world.report("a.go")) === 1, "not served with a full disk");
			await world.cli(["restart"]);
			must(found(await world.report("a.go")) === 1, "not served after a restart with a full disk");
			world.daemon();
			await world.cli(["stop"]);
			return "64 KB tmpfs, filled";
		},
	},
	{
		id: "A14",
		title: "the daemon's program is broken",
		run: async (world) => {
			const broken = install(world, "broken");
			const results: string[] = [];
			for (const [name, program, cause] of [
				["throws", "throw new Error('no such luck');", /no such luck|ended without a word|exit/i],
				["exits", "process.exit(1);", /ended|exit/i],
				["hangs", "setInterval(() => {}, 1000);", /does not answer|within|did not/i],
			] as const) {
				writeFileSync(
					broken.daemon,
					`require("fs").appendFileSync(${JSON.stringify(join(world.base, name))}, "x");\n${program}`,
				);
				const { value, ms } = await timed(broken.cli(["check", "a.go", "--json"]));
				must(value.code === 3, `${name}: exit code ${value.code}`);
				must(cause.test(value.stdout), `${name}: the cause is not reported: ${shown(value.stdout)}`);
				must(ms < 17_000, `${name}: reported after ${ms} ms`);
				const spawns = readFileSync(join(world.base, name), "utf8").length;
				must(spawns === 1, `${name}: ${spawns} were spawned`);
				results.push(`${name} ${ms} ms`);
				for (const { pid } of world.daemons()) {
					must(name === "hangs", "one is left");
					// The daemon never served: the process that started it has to end it.
					must(false, `the daemon that hangs is left running (pid ${pid})`);
				}
			}
			return results.join(", ");
		},
	},
	{
		id: "A15",
		title: "the idle exit races a request",
		run: async (world) => {
			const env = { ...world.env, PI_LSP_DAEMON_IDLE_MS: "1000" };
			const pids = new Set<number>();
			// The idle time less what the command line needs until it connects: found by the rounds themselves.
			let waitMs = 800;
			for (let round = 0; round < 60; round++) {
				const before = pids.size;
				const result = await world.cli(["check", "README", "--json"], { env });
				must(/"files"|LSP_FILE_NOT_FOUND/.test(result.stdout), `round ${round}: ${shown(result)}`);
				for (const { pid } of world.daemons()) pids.add(pid);
				waitMs = Math.max(0, waitMs + (pids.size > before ? -50 : 50));
				await pause(waitMs);
			}
			must(pids.size > 3 && pids.size < 60, `${pids.size} daemons in 60 rounds: the race was not hit`);
			return `60/60 answered (of 200), idle 1,000 ms, by ${pids.size} daemons`;
		},
	},
	{
		id: "A16",
		title: "SIGTERM, SIGINT, SIGHUP to the daemon",
		run: async (world) => {
			const results: string[] = [];
			for (const signal of ["SIGTERM", "SIGINT"] as const) {
				const gopls = world.fake("gopls", {});
				const child = daemonByHand(world);
				const end = ended(child);
				await waitUntil("it listens", () => world.socket() !== undefined);
				must(found(await world.report("a.go")) === 1, "it does not serve");
				child.kill("SIGHUP");
				must(found(await world.report("a.go")) === 1, "it does not survive SIGHUP");
				child.kill(signal);
				const { value, ms } = await timed(end);
				must(value === "0", `${signal}: it ended with ${value}`);
				must(ms < 5500, `${signal}: it took ${ms} ms`);
				must(gopls.alive().length === 0, `${signal}: its server is left`);
				must(world.socket() === undefined, `${signal}: its socket is left`);
				results.push(`${signal} ${ms} ms`);
			}
			return results.join(", ");
		},
	},
	{
		id: "A17",
		title: "an upgrade replaces the files while the daemon runs",
		run: async (world) => {
			world.fake("gopls", {});
			const installed = install(world, "app");
			must((await installed.cli(["check", "a.go", "--json"])).stdout.includes('"fresh"'), "it does not serve");
			const old = world.daemon();
			const caller = await Caller.connect({
				socket: world.socket() ?? "",
				cwd: world.root,
				env: world.env,
				odd: (what) => void world.violations.push(what),
			});
			renameSync(installed.directory, join(world.base, "app.old"));
			must(found(await caller.check("a.go")) === 1, "the running one does not serve without its files");
			await caller.ask("restart", {});
			must(found(await caller.check("a.go")) === 1, "it cannot start a server without its files");
			const upgraded = install(world, "app");
			writeFileSync(upgraded.build, `${readFileSync(upgraded.build, "utf8")}.newer`);
			must((await upgraded.cli(["check", "a.go", "--json"])).stdout.includes('"fresh"'), "the new one does not serve");
			must(world.daemons().length === 2, "the new build did not start its own daemon");
			must(found(await caller.check("b.go")) === 0, "the old one does not serve next to it");
			caller.close();
			process.kill(old, "SIGTERM");
			await waitForExit(old);
			must((await upgraded.cli(["check", "a.go", "--json"])).stdout.includes('"fresh"'), "the old one's end harmed it");
			await upgraded.cli(["stop"]);
			return "";
		},
	},
];

/** A directory's path of exactly so many bytes; one name may not have more than 255. */
function longPath(start: string, bytes: number, letter: string): string {
	let path = start;
	while (Buffer.byteLength(path) + 2 + Buffer.byteLength(letter) <= bytes) {
		const room = Math.min(bytes - Buffer.byteLength(path) - 1, 60);
		path = join(path, letter.repeat(Math.floor(room / Buffer.byteLength(letter))));
	}
	return Buffer.byteLength(path) === bytes ? path : join(dirname(path), `${path.slice(dirname(path).length + 1)}`);
}
