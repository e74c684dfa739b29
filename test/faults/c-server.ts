import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pause } from "../../src/util/abort.ts";
import type { Rule, Script } from "../fakes/script.ts";
import { processesOf } from "../support/processes.ts";
import { type CallError, type Caller, codeOf, found, stateOf } from "./caller.ts";
import { backTo, holdingsOf } from "./oracle.ts";
import { endOf, withPool } from "./pooled.ts";
import { must, type Row, shown } from "./row.ts";
import { hasExited, timed, waitForExit, waitUntil } from "./waits.ts";
import { hoverOf, type World } from "./world.ts";

const hover = "textDocument/hover";

function onHover(...steps: Rule["do"]): Script {
	return { on: [{ method: hover, do: steps }] };
}

/** Asks until a server answers again; returns how long that took. */
async function recovers(caller: Caller, file = "a.go", timeoutMs = 5000): Promise<number> {
	const { value, ms } = await timed(caller.check(file, { timeout: timeoutMs }));
	must(stateOf(value) === "fresh", `O6: after the fault: ${shown(value.files[0])}`);
	return ms;
}

function reasonOf(report: Awaited<ReturnType<Caller["check"]>>): string {
	return report.files[0]?.reason ?? "";
}

/** Each way in which a program cannot be run at all. */
const unrunnable: readonly (readonly [name: string, put: (world: World) => void])[] = [
	["missing", () => {}],
	["not executable", (world) => world.program("gopls", "#!/bin/sh\n", 0o644)],
	["wrong architecture", (world) => world.program("gopls", `\x7fELF${"\x01".repeat(200)}`)],
	["no shebang", (world) => world.program("gopls", "this is no program\n")],
	["interpreter missing", (world) => world.program("gopls", "#!/no/such/interpreter\n")],
];

export const server: readonly Row[] = [
	{
		id: "C1",
		title: "the program is missing, not executable, of another machine, without a shebang",
		run: async (world) => {
			const caller = await world.connect();
			for (const [name, put] of unrunnable) {
				put(world);
				await caller.ask("restart", {});
				const { value, ms } = await timed(caller.check("a.go"));
				must(stateOf(value) === "unavailable", `${name}: ${shown(value.files[0])}`);
				must(ms < 1500, `${name}: reported after ${ms} ms`);
				must(/gopls/.test(reasonOf(value)), `${name}: the program is not named: ${reasonOf(value)}`);
				const error: unknown = await caller
					.send("hover", hoverOf(world))
					.answer.catch((caught: CallError) => caught.error);
				must(/"suggestion":"\w/.test(JSON.stringify(error)), `${name}: no hint: ${shown(error)}`);
			}
			const starts = world.log().match(/"event":"starting","server":"gopls"/g)?.length ?? 0;
			must(starts <= 10, `a storm of ${starts} starts`);
			world.fake("gopls", {});
			await caller.ask("restart", {});
			await recovers(caller);
			return `${unrunnable.length} kinds`;
		},
	},
	{
		id: "C2",
		title: "exits at once with 1 MB on stderr",
		run: async (world) => {
			const gopls = world.fake("gopls", {
				start: [{ stderr: "noise ".repeat(1000), times: 175 }, { stderr: "\nthe last words\n" }, { crash: 1 }],
			});
			const caller = await world.connect();
			const report = await caller.check("a.go");
			must(stateOf(report) === "unavailable", shown(report));
			must(/code 1/.test(reasonOf(report)) && /last words/.test(reasonOf(report)), `the reason: ${reasonOf(report)}`);
			const error: unknown = await caller
				.send("hover", hoverOf(world))
				.answer.catch((caught: CallError) => caught.error);
			must(/last words|retry_after/.test(JSON.stringify(error)), `the stderr is not reported: ${shown(error)}`);
			gopls.script({});
			await caller.ask("restart", {});
			await recovers(caller);
			return "";
		},
	},
	{
		id: "C3",
		title: "never answers initialize",
		run: () =>
			withPool(
				{ start: [{ grandchild: "stubborn" }], on: [{ method: "initialize", do: [{ never: true }] }] },
				{ initializeSeconds: 2 },
				async ({ fake, hover: ask }) => {
					const { value, ms } = await timed(endOf(ask()));
					must(value === "LSP_SERVER_TIMEOUT", `it ended with ${value}`);
					must(ms < 4500, `after ${ms} ms`);
					await waitUntil("the group is gone", () => processesOf(fake.runId).length === 0, 3000);
					return `initializeSeconds 2; reported after ${ms} ms`;
				},
			),
	},
	{
		id: "C4",
		title: "initialize is answered with an error, malformed, with a string for an id, twice",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			const caller = await world.connect();
			const answers: readonly (readonly [string, Rule["do"], string])[] = [
				["an error", [{ error: { code: -32603, message: "no mood" } }], "unavailable"],
				["null", [{ reply: null }], "unavailable"],
				["no capabilities", [{ reply: {} }], "unavailable"],
				["capabilities that are text", [{ reply: { capabilities: "all" } }], "unavailable"],
				["twice", [{ default: true }, { default: true }], "fresh"],
			];
			for (const [name, steps, state] of answers) {
				gopls.script({ on: [{ method: "initialize", do: steps }] });
				await caller.ask("restart", {});
				const report = await caller.check("a.go");
				must(stateOf(report) === state, `${name}: ${shown(report.files[0])}`);
			}
			const stringly = [{ send: { id: "0", result: { capabilities: {} } } }, { default: true as const }];
			gopls.script({ on: [{ method: "initialize", do: stringly }] });
			await caller.ask("restart", {});
			must(found(await caller.check("a.go")) === 1, "an answer to the id as a string disturbs the true one");
			must(gopls.alive().length === 1, `O3: ${gopls.alive().length} servers live`);
			return "6 kinds";
		},
	},
	{
		id: "C5",
		title: "crashes at each request, five times",
		run: () =>
			withPool(onHover({ crash: 7 }), {}, async ({ pool, fake, hover: ask }) => {
				const real = Date.now;
				let passed = 0;
				const pass = (ms: number) => {
					passed += ms;
					Date.now = () => real() + passed;
				};
				try {
					const codes = [];
					for (let i = 0; i < 4; i++) {
						codes.push(await endOf(ask()));
						const begun = fake.starts();
						// The pause of a second after the second crash is waited for.
						const refused = i > 0 ? await timed(endOf(ask())) : { ms: 0 };
						must(refused.ms < 200 && fake.starts() === begun, `a caller waits for the pause: ${refused.ms} ms`);
						pass(17_000);
					}
					// The first request is repeated after 0.25 s; no caller waits for the pauses of 4 s and more.
					must(
						codes.slice(0, 3).every((code) => code === "LSP_SERVER_CRASHED"),
						shown(codes),
					);
					must(fake.starts() === 5, `${fake.starts()} starts for five crashes`);
					const { value, ms } = await timed(endOf(ask()));
					must(value === "LSP_SERVER_UNAVAILABLE" && ms < 200, `not broken after the fifth: ${value}, ${ms} ms`);
					must(pool.list()[0]?.state === "broken", shown(pool.list()));
					must(fake.starts() === 5, "it was started once more while it is broken");
					writeFileSync(fake.launch.args[1] ?? "", JSON.stringify({ record: join(fake.root, "../record") }));
					pass(61_000);
					await ask();
					must(fake.starts() === 6, `${fake.starts()} starts`);
					const begun = fake.log.filter((line) => line.startsWith("starting")).length;
					return `${begun} starts with 0.25, 1, 4, 16 s between, which are warped`;
				} finally {
					Date.now = real;
				}
			}),
	},
	{
		id: "C6",
		title: "crashes on one file only",
		run: async (world) => {
			world.fake("gopls", {});
			world.write("poison.go", "package a // POISON\n");
			const caller = await world.connect();
			must(found(await caller.check("a.go")) === 1, "not well before the fault");
			for (let i = 0; i < 3; i++) {
				const report = await caller.check("poison.go", { timeout: 30_000 });
				must(stateOf(report) === "unavailable", `the poisonous file: ${shown(report.files[0])}`);
				const other = await caller.check("a.go", { timeout: 30_000 });
				must(found(other) === 1, `after asking ${i + 1} times the other file: ${shown(other.files[0])}`);
			}
			world.write("poison.go", "package a\n");
			const healed = await caller.check("poison.go");
			must(found(healed) === 0, `the file is still marked when it has another text: ${shown(healed.files[0])}`);
			return "asked 3 times";
		},
	},
	{
		id: "C7",
		title: "kill -9 in mid-answer, in mid-frame",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			const caller = await world.connect();
			const rounds = 10;
			for (let round = 1; round <= rounds; round++) {
				gopls.forget();
				gopls.script({
					on: [
						{
							method: hover,
							generation: 1,
							do: [{ raw: 'Content-Length: 400\r\n\r\n{"jsonrpc":"2.0","id":' }, { crash: "SIGKILL" }],
						},
					],
				});
				await caller.ask("restart", {});
				world.write("a.go", `package a // WRONG round ${round}\n`);
				must(found(await caller.check("a.go")) === 1, "not well before the crash");
				const text = await caller.hover("a.go");
				must(text.includes(`round ${round}`), `round ${round}: ${shown(text)}`);
				must(gopls.starts() === 2, `round ${round}: ${gopls.starts()} generations`);
				const [first] = gopls.entries().filter(({ did }) => did === "start");
				const again = gopls
					.entries()
					.filter(({ pid, got }) => pid !== first?.pid && got?.method === "textDocument/didOpen");
				must(again.length === 1, `round ${round}: opened ${again.length} times after the crash`);
				must(JSON.stringify(again).includes(`round ${round}`), `round ${round}: opened with another text`);
			}
			return `${rounds} rounds of 100`;
		},
	},
	{
		id: "C8",
		title: "SIGSTOP of the server",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			const caller = await world.connect();
			await caller.check("a.go");
			const pid = gopls.alive()[0]?.pid ?? 0;
			process.kill(pid, "SIGSTOP");
			world.cleanups.push(() => hasExited(pid) || process.kill(pid, "SIGKILL"));
			// The server counts as wedged after 30 s without a byte and three requests that ran out.
			for (let i = 0; i < 8; i++) {
				if (hasExited(pid)) break;
				if (i > 0) await pause(2800);
				world.write("a.go", `package a // WRONG ${i}\n`);
				const { value, ms } = await timed(caller.check("a.go", { timeout: 1500 }));
				if (i < 3) must(stateOf(value) === "timed_out", `stopped: ${shown(value.files[0])}`);
				must(ms < 2500, `reported after ${ms} ms`);
			}
			const last = await caller.check("a.go", { timeout: 15_000 });
			must(found(last) === 1, `not restarted after 8 timeouts and 30 s without a byte: ${shown(last.files[0])}`);
			const now = gopls.alive().map((one) => one.pid);
			must(hasExited(pid), `the stopped one is still there (${pid}), next to ${now}`);
			return "8 requests of 1.5 s within 32 s, instead of 60 s";
		},
	},
	{
		id: "C9",
		title: "never reads its stdin",
		run: async (world) => {
			const gopls = world.fake("gopls", { on: [{ method: "initialized", do: [{ stopReading: true }] }] });
			world.write(".pi-lsp.json", `{ "maxFileBytes": 8000000 }`);
			const big = (mark: number) => `package a // WRONG ${mark}\n${"// filler\n".repeat(500_000)}`;
			const caller = await world.connect();
			must(stateOf(await caller.check("b.go", { timeout: 1500 })) === "timed_out", "the fault was not injected");
			const pid = world.daemon();
			const before = holdingsOf(pid);
			let most = before.megabytes;
			for (let i = 0; i < 8; i++) {
				world.write("a.go", big(i));
				const { value, ms } = await timed(caller.check("a.go", { timeout: 1500 }));
				must(stateOf(value) !== "fresh", `call ${i}: ${shown(value.files[0])}`);
				must(ms < 4000, `call ${i}: the deadline did not cover the write: ${ms} ms`);
				most = Math.max(most, holdingsOf(pid).megabytes);
			}
			gopls.script({});
			world.write("a.go", "package a // WRONG\n");
			await caller.ask("restart", {});
			must(found(await caller.check("a.go")) === 1, "not well after the restart");
			// Nothing may stay of the 40 MB that were never read; some of it was garbage while they were written.
			const recovery = await backTo(pid, before, 40);
			return `8 edits of 5 MB, at most ${most} MB meanwhile; ${recovery}`;
		},
	},
	{
		id: "C10",
		title: "closes stdin, or stdout, and keeps running",
		run: async (world) => {
			const results: string[] = [];
			for (const pipe of ["stdin", "stdout"] as const) {
				const gopls = world.fake("gopls", { on: [{ method: hover, generation: 1, do: [{ close: pipe }] }] });
				gopls.forget();
				const caller = await world.connect();
				await caller.ask("restart", {});
				await caller.check("a.go");
				const pid = gopls.alive()[0]?.pid ?? 0;
				const began = performance.now();
				const text = caller.hover("a.go", 8000);
				if (pipe === "stdin") {
					// Only a write detects that a pipe is shut which is never read: the next one does.
					await pause(200);
					world.write("a.go", "package a // WRONG again\n");
					const report = await caller.check("a.go", { timeout: 8000 });
					must(found(report) === 1, `${pipe}: the next question: ${shown(report.files[0])}`);
				}
				const answer = await text.catch((error: Error) => `failed: ${error.message}`);
				const ms = Math.round(performance.now() - began);
				must(answer.includes("WRONG"), `${pipe}: ${answer}`);
				await waitForExit(pid, 3000);
				must(gopls.starts() === 2, `${pipe}: ${gopls.starts()} generations`);
				must(ms < 3500, `${pipe}: noticed after ${ms} ms`);
				results.push(`${pipe} ${ms} ms`);
			}
			return results.join(", ");
		},
	},
	{
		id: "C11",
		title: "ignores shutdown, exit, SIGTERM; or is slow at them",
		run: async (world) => {
			const ignores: Script = {
				start: [{ ignoreTerm: true }, { stay: true }],
				on: [
					{ method: "shutdown", do: [{ never: true }] },
					{ method: "exit", do: [{ never: true }] },
				],
			};
			const gopls = world.fake("gopls", ignores);
			const caller = await world.connect();
			await caller.check("a.go");
			const stubborn = gopls.alive()[0]?.pid ?? 0;
			const { ms } = await timed(caller.ask("restart", {}));
			must(hasExited(stubborn), "it is alive after the restart");
			must(ms < 7500, `killed after ${ms} ms`);
			gopls.forget();
			gopls.script({ on: [{ method: "shutdown", do: [{ delay: 2500 }, { default: true }] }] });
			await caller.check("a.go");
			const slow = await timed(caller.ask("restart", {}));
			must(gopls.received("exit").length === 1, "the slow one was not allowed to finish");
			return `killed after ${ms} ms; the slow one left after ${slow.ms} ms`;
		},
	},
	{
		id: "C12",
		title: "grandchildren that ignore SIGTERM",
		run: async (world) => {
			const gopls = world.fake("gopls", { start: [{ grandchild: "stubborn" }, { grandchild: "plain" }] });
			const caller = await world.connect();
			for (const how of ["restart", "kill"] as const) {
				await caller.check("a.go");
				const children = gopls.entries().flatMap(({ child }) => child ?? []);
				must(children.length >= 2, "there are no grandchildren: the fault was not injected");
				if (how === "restart") await caller.ask("restart", {});
				else process.kill(gopls.alive()[0]?.pid ?? 0, "SIGKILL");
				for (const child of children) await waitForExit(child, 3000);
			}
			return "at a restart and when the server is killed";
		},
	},
	{
		id: "C13",
		title: "kill -9 of the daemon with 5 live servers, one of which ignores the end of its input",
		run: async (world) => {
			const gopls = world.fake("gopls", { start: [{ stay: true }, { ignoreTerm: true }, { grandchild: "stubborn" }] });
			const caller = await world.connect();
			await caller.check("a.go");
			await caller.check("probe.json");
			for (const name of ["clangd", "pyright-langserver"] as const) world.fake(name, {});
			world.write("a.py", "WRONG\n");
			world.write("a.c", "WRONG\n");
			await Promise.all([caller.check("a.py"), caller.check("a.c", { timeout: 1000 })]);
			const pids = processesOf(world.ws.runId).map(({ pid }) => pid);
			must(pids.length >= 6, `${pids.length} processes: the fault was not injected`);
			const pid = world.daemon();
			process.kill(pid, "SIGKILL");
			await waitForExit(pid);
			const began = performance.now();
			world.fake("gopls", {});
			// A watchdog, or the next daemon's sweep: either may end it.
			must((await world.cli(["daemon", "start"])).code === 0, "the next daemon does not start");
			const next = world.daemon();
			await waitUntil(
				"nothing is left of the killed daemon",
				() => processesOf(world.ws.runId).every((one) => one.pid === next),
				15_000,
			).catch(() => {
				const left = [...gopls.alive(), ...processesOf(world.ws.runId).filter((one) => one.pid !== next)];
				throw new Error(
					`O3: left after 15 s: ${shown(left.map(({ pid: left, argv }) => `${left} ${argv.join(" ")}`))}`,
				);
			});
			return `4 servers and a grandchild, gone after ${Math.round(performance.now() - began)} ms`;
		},
	},
	{
		id: "C14",
		title: "200 MB of stderr without a line end",
		run: async (world) => {
			world.fake("gopls", onHover({ stderr: "x".repeat(1 << 20), times: 200 }, { default: true }));
			const caller = await world.connect();
			await caller.check("a.go");
			await caller.check("probe.json");
			const pid = world.daemon();
			const before = holdingsOf(pid);
			const flooded = caller.hover("a.go");
			let slowest = 0;
			for (let i = 0; i < 5; i++) slowest = Math.max(slowest, (await timed(caller.check("probe.json"))).ms);
			must((await flooded).includes("WRONG"), "it is not answered");
			must(slowest < 3000, `O7: another server's answer took ${slowest} ms meanwhile`);
			return `${await backTo(pid, before)}; a neighbour at most ${slowest} ms meanwhile`;
		},
	},
	{
		id: "C15",
		title: "two callers, a first use, an initialize of 3 s",
		run: async (world) => {
			const gopls = world.fake("gopls", { on: [{ method: "initialize", do: [{ delay: 3000 }, { default: true }] }] });
			const [one, two] = [await world.connect(), await world.connect()];
			const reports = await Promise.all([one.check("a.go"), two.check("b.go")]);
			must(found(reports[0]) === 1 && found(reports[1]) === 0, shown(reports));
			must(gopls.starts() === 1, `${gopls.starts()} were started`);
			return "3 s instead of 8";
		},
	},
	{
		id: "C16",
		title: "restarts in quick succession, during starts and requests",
		run: async (world) => {
			const gopls = world.fake("gopls", onHover({ delay: 50 }, { default: true }));
			const caller = await world.connect();
			let most = 0;
			const watch = setInterval(() => {
				most = Math.max(most, gopls.alive().length);
			}, 15);
			try {
				const ends: Promise<string>[] = [];
				for (let i = 0; i < 20; i++) {
					ends.push(codeOf(caller.hover("a.go")));
					await pause(i * 7);
					void caller.ask("restart", {}).catch(() => {});
				}
				const untyped = (await Promise.all(ends)).filter((code) => code.startsWith("untyped"));
				must(untyped.length === 0, shown(untyped));
			} finally {
				clearInterval(watch);
			}
			must(most <= 1, `O3: ${most} servers lived at once for one root`);
			await recovers(caller);
			must(gopls.alive().length === 1, `O3: ${gopls.alive().length} live at the end`);
			return `20 restarts, ${gopls.starts()} generations, never two alive`;
		},
	},
	{
		id: "C17",
		title: "a server that takes memory until it dies",
		run: async (world) => {
			world.fake("gopls", {}, { node: ["--max-old-space-size=40"] });
			world.write("hog.go", "package a // HOG\n");
			const caller = await world.connect();
			must(found(await caller.check("a.go")) === 1, "not well before the fault");
			const report = await caller.check("hog.go", { timeout: 30_000 });
			must(stateOf(report) === "unavailable", shown(report.files[0]));
			must(/SIGABRT|code 134|memory|SIGKILL/i.test(reasonOf(report)), `the reason: ${reasonOf(report)}`);
			must(!/not installed|not found/i.test(reasonOf(report)), `the reason: ${reasonOf(report)}`);
			await recovers(caller);
			return `a heap of 40 MB: ${reasonOf(report)}`;
		},
	},
	{
		id: "C18",
		title: "24 roots where 16 servers may run",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			const roots = Array.from({ length: 24 }, (_, i) => join(world.base, `many/r${i}`));
			for (const root of roots) {
				mkdirSync(root, { recursive: true });
				writeFileSync(join(root, "go.mod"), "module many\n");
				writeFileSync(join(root, "a.go"), "package a // WRONG\n");
			}
			let most = 0;
			const watch = setInterval(() => {
				most = Math.max(most, gopls.alive().length);
			}, 50);
			try {
				for (const root of roots) {
					const caller = await world.connect({ cwd: root });
					const report = await caller.check("a.go", { timeout: 30_000 });
					must(found(report) === 1, `${root}: ${shown(report.files[0])}`);
					caller.close();
				}
				await pause(300);
			} finally {
				clearInterval(watch);
			}
			must(gopls.starts() >= 24, `${gopls.starts()} were started: the fault was not injected`);
			must(most <= 16, `${most} servers lived at once`);
			return `24 roots of 40, at most ${most} alive`;
		},
	},
	{
		id: "C19",
		title: "idle eviction races a request",
		run: () =>
			withPool({}, { idleMinutes: 0.05 / 60 }, async ({ fake, hover: ask }) => {
				const rounds = 60;
				for (let i = 0; i < rounds; i++) {
					must((await endOf(ask())) === "no error", `round ${i}`);
					await pause(40 + (i % 20));
				}
				must(fake.starts() > 3 && fake.starts() < rounds, `${fake.starts()} starts: the race was not hit`);
				return `${rounds}/${rounds} of 200, idle 50 ms, ${fake.starts()} generations`;
			}),
	},
];
