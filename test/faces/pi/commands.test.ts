import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processesOf } from "../../support/processes.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { write, wrote } from "./calls.ts";
import { withGopls } from "./go-programs.ts";
import { type RpcPi, withRpcPi } from "./rpc-pi.ts";
import { runPi } from "./run-pi.ts";

const WRONG = `const a: number = "one";\n`;
const STEPS = [{ calls: [write("src/a.ts", WRONG)] }, { text: "Done." }];
const PYTHON_PROJECT = { "pyproject.toml": "", "main.py": "a = 1\n" };
const NOTHING = "No daemon is running; it starts with the first edit or question.";

/** pi's messages to a person in answer to a command. */
async function answerTo(pi: RpcPi, command: string): Promise<string> {
	const from = await pi.prompt(command);
	const notify = await pi.event(`${command} is answered`, (event) => event.method === "notify", from);
	return String(notify.message);
}

function daemons(ws: Workspace): number[] {
	const found = processesOf(ws.runId).filter(({ argv }) => argv.some((word) => word.endsWith("daemon.cjs")));
	return found.map(({ pid }) => pid);
}

test.each(["/lsp", "/lsp status", "/lsp-status"])(
	"%s shows the running servers, with their processes, memory and documents",
	(command) =>
		withWorkspace(TYPESCRIPT_PROJECT, (ws) =>
			withRpcPi(ws, STEPS, async (pi) => {
				expect(await answerTo(pi, command)).toBe(
					`${NOTHING}\nThis session: Files are checked after each edit; tools: core.`,
				);
				expect(daemons(ws)).toEqual([]);
				await pi.ask("Go on.");
				const status = await answerTo(pi, command);
				expect(status).toMatch(/^daemon: pid \d+, up .+, \d+ MB\n/);
				expect(status).toMatch(/\ntypescript 7\.\d+\.\d+: active, pid \d+, [1-9]\d+ MB, up .+, 1 open, pull, /);
				expect(status).toMatch(
					/\nThis session: Files are checked after each edit; tools: core; the repository is not trusted \(\/lsp trust /,
				);
			}),
		),
);

test("/lsp undo takes back the change of a tool, lists changes that can be taken back, and reports an impossible one", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/b.ts": "export const one = 1;\n" }, (ws) => {
		const rename = { name: "lsp_rename", arguments: { file: "src/b.ts", symbol: "one", new_name: "two" } };
		return withRpcPi(ws, [{ calls: [rename] }, { text: "Done." }], async (pi) => {
			expect(await answerTo(pi, "/lsp undo")).toBe("Nothing was changed here that could be taken back.");
			await pi.ask("Go on.");
			expect(ws.read("src/b.ts")).toBe("export const two = 1;\n");
			expect(await answerTo(pi, "/lsp undo list")).toBe("u1  rename one → two · 1 file");
			expect(await answerTo(pi, "/lsp undo")).toContain("taken back: rename one → two");
			expect(ws.read("src/b.ts")).toBe("export const one = 1;\n");
		});
	}));

test("mistakes in the configuration are reported at the start and by status before any daemon runs, and doctor names commands of the prompt", () =>
	withWorkspace({ ...PYTHON_PROJECT, ".pi-lsp.json": `{ "mode": "edti" }` }, (ws) =>
		withRpcPi(
			ws,
			[],
			async (pi) => {
				const mistake = /\.pi-lsp\.json:1: .*mode/;
				await pi.event("the mistake is reported", (event) => mistake.test(String(event.message)), 0);
				expect(await answerTo(pi, "/lsp status")).toMatch(mistake);
				expect(daemons(ws)).toEqual([]);
				const doctor = await answerTo(pi, "/lsp doctor");
				expect(doctor).toContain("Install it: /lsp install pyright, or ");
				expect(doctor).not.toMatch(/pi-lsp (install|trust|restart)/);
			},
			{ env: { PATH: "/usr/bin:/bin" } },
		),
	));

test("a person is informed once that a language's server is not installed; status names it, and disabled servers", () =>
	withWorkspace(
		{ ...TYPESCRIPT_PROJECT, "go.mod": "module sample\n\ngo 1.22\n", ".pi-lsp.json": `{ "disable": ["yaml"] }` },
		(ws) =>
			withRpcPi(
				ws,
				[
					...[{ calls: [write("main.go", "package main\n")] }, { text: "Done." }],
					...[{ calls: [write("more.go", "package main\n")] }, { text: "Done." }],
				],
				async (pi) => {
					await pi.ask("Go on.");
					await pi.ask("Go on.");
					const notices = pi.events.flatMap(({ method, message }) => (method === "notify" ? String(message) : []));
					expect(notices).toEqual([
						expect.stringMatching(
							/^LSP: go files are not checked: gopls not found\. Install it: \/lsp install gopls, or go /,
						),
					]);
					const status = await answerTo(pi, "/lsp status");
					expect(status).toMatch(/^gopls: unavailable, .*not found/m);
					expect(status).toMatch(/^yaml: disabled/m);
				},
				{ env: withGopls(ws) },
			),
	));

test("/lsp restart and /lsp-destroy stop servers, one by its id or all", () =>
	withWorkspace(TYPESCRIPT_PROJECT, (ws) =>
		withRpcPi(ws, [...STEPS, ...STEPS], async (pi) => {
			await pi.ask("Go on.");
			expect(await answerTo(pi, "/lsp restart gopls")).toBe("No server gopls is running; these are: typescript.");
			expect(await answerTo(pi, "/lsp restart typescript")).toContain("Stopped 1 server");
			await pi.ask("Go on.");
			expect(await answerTo(pi, "/lsp-destroy")).toContain("Stopped 1 server");
			expect(await answerTo(pi, "/lsp status")).toContain("No language server is running.");
		}),
	));

test("/lsp doctor reports what is installed before anything runs, and with a file what its servers do", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": "export const a = 1;\n" }, (ws) =>
		withRpcPi(ws, [], async (pi) => {
			const workspace = await answerTo(pi, "/lsp doctor");
			expect(workspace).toMatch(/^\S+: \d+ files\nnode v/);
			expect(workspace).toMatch(/^typescript: installed, pull as declared$/m);
			const file = await answerTo(pi, "/lsp doctor src/a.ts");
			expect(file).toMatch(/^src\/a\.ts\n[\s\S]*^typescript 7\.\S+: running, pull$/m);
			expect(file).toMatch(/an introduced syntax error: reported after .*, gone after .*\n {2}as declared/);
		}),
	));

test.each([true, false])("/lsp install shows the commands that it would run, and asks; the answer is %s", (confirmed) =>
	withWorkspace(TYPESCRIPT_PROJECT, (ws) => {
		const tools = join(ws.base, "tools");
		mkdirSync(tools);
		writeFileSync(join(tools, "go"), '#!/bin/sh\nmkdir -p "$GOBIN" && cp "$0" "$GOBIN/gopls"\n', { mode: 0o755 });
		const data = join(ws.base, "data");
		const env = { PATH: `${tools}:${ws.env.PATH}`, XDG_DATA_HOME: data };
		const installed = join(data, "pi-lsp/servers/gopls/bin/gopls");
		return withRpcPi(
			ws,
			[],
			async (pi) => {
				const from = pi.events.length;
				pi.send({ id: "install", type: "prompt", message: "/lsp install gopls" });
				const question = await pi.event("pi asks", ({ method }) => method === "confirm", from);
				expect(question.message).toMatch(/GOBIN=\S+ go install golang\.org\/x\/tools\/gopls@v0\.21\.1/);
				expect(existsSync(data)).toBe(false);
				pi.send({ type: "extension_ui_response", id: question.id, confirmed });
				const notice = await pi.event("the end is reported", ({ method }) => method === "notify", from);
				expect(notice.message).toMatch(confirmed ? /^gopls is installed/ : /^Nothing was run\.$/);
				expect(existsSync(installed)).toBe(confirmed);
				expect(await answerTo(pi, "/lsp install")).toContain("/lsp doctor names");
				expect(await answerTo(pi, "/lsp install marksman")).toContain("pi-lsp does not run this");
			},
			{ env },
		);
	}),
);

test("/lsp stop ends the daemon, /lsp-restart replaces it, and the next edit is checked", () =>
	withWorkspace(TYPESCRIPT_PROJECT, (ws) =>
		withRpcPi(ws, [...STEPS, ...STEPS], async (pi) => {
			expect(await answerTo(pi, "/lsp stop")).toBe("No daemon was running.");
			await pi.ask("Go on.");
			const [first] = daemons(ws);
			expect(await answerTo(pi, "/lsp-restart")).toBe("The daemon was started afresh.");
			const [second] = daemons(ws);
			expect(second).not.toBe(first);
			expect(await answerTo(pi, "/lsp stop")).toContain(`(pid ${second}) has stopped`);
			expect(daemons(ws)).toEqual([]);
			await pi.ask("Go on.");
			expect(pi.answerTo(2).messages.at(-1)?.text).toContain("\n\nThe edit was applied.");
		}),
	));

test("/lsp log shows the end of the daemon's log, and an unknown verb is answered with the verbs", () =>
	withWorkspace(TYPESCRIPT_PROJECT, (ws) =>
		withRpcPi(ws, STEPS, async (pi) => {
			await pi.ask("Go on.");
			expect(await answerTo(pi, "/lsp log")).toMatch(/daemon\.log\n[\s\S]* ready server=typescript /);
			expect(await answerTo(pi, "/lsp mode never")).toBe('/lsp mode: "never" is none of edit, turn, off.');
			expect(await answerTo(pi, "/lsp mode")).toContain("edit: Files are checked after each edit.");
			expect(await answerTo(pi, "/lsp mode turn")).toContain("once, at the end of a turn");
			expect(await answerTo(pi, "/lsp status")).toContain(
				"This session: Files are checked once, at the end of a turn;",
			);
			expect(await answerTo(pi, "/lsp what")).toContain(
				"status, doctor, install, restart, stop, on, off, mode, skill, undo, log",
			);
			expect(await answerTo(pi, "/lsp statsu")).toContain('Did you mean "status"?');
			expect(await answerTo(pi, "/lsp doctor src/none.ts")).toMatch(/^src\/none\.ts does not exist\./);
			expect(await answerTo(pi, "/lsp trust")).not.toContain("pi-lsp trust");
		}),
	));

test.each(["print", "json"] as const)("in %s mode a command answers on standard error", (mode) =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [], { mode, prompt: "/lsp status" });
		expect(run.stderr).toContain(NOTHING);
		expect(run.stdout).not.toContain("daemon");
	}),
);

test("a service that cannot be used is reported in one line, to the person and in the edit's result", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		// A file is at the path of the daemon's private directory.
		writeFileSync(join(ws.base, "run/pi-lsp"), "");
		const run = await runPi(ws, [], { prompt: "/lsp status" });
		expect(run.stderr).toMatch(/^LSP unavailable: .*run\/pi-lsp cannot be used: .*\.\n$/);
		const edited = await runPi(ws, STEPS, { env: { LSP_DEBUG: "1" } });
		expect(readFileSync(join(ws.base, "state/pi-lsp/daemon.log"), "utf8")).toMatch(
			/"event":"LSP unavailable","reason":"/,
		);
		const [own, line] = edited.result().split("\n\n");
		expect(own).toBe(wrote("src/a.ts", WRONG));
		expect(line).toMatch(/^src\/a\.ts was not checked: .*run\/pi-lsp cannot be used: [^\n]*\.$/);
	}));

test("the person is notified of errors that pi does not show, and of no others", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/old.ts": WRONG }, (ws) =>
		withRpcPi(
			ws,
			[{ calls: [write("src/a.ts", WRONG)] }, { calls: [write("src/old.ts", `// Old.\n${WRONG}`)] }, { text: "Done." }],
			async (pi) => {
				await pi.ask("Go on.");
				const notices = pi.events.filter(({ method }) => method === "notify");
				expect(notices.map(({ message, notifyType }) => [message, notifyType])).toEqual([
					[
						"LSP: src/a.ts: 1 error (1 new)\n  src/a.ts:1:7 Type 'string' is not assignable to type 'number'.",
						"warning",
					],
				]);
				const status = pi.events.filter(({ method }) => method === "setStatus").at(-1);
				expect(status?.statusText).toMatch(/^lsp: typescript 7\.\d+\.\d+ · 2 errors$/);
			},
		),
	));
