import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { FAKE_SERVER } from "../../fakes/fake.ts";
import type { Script } from "../../fakes/script.ts";
import { CLI } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";

const noTerminal = !hasScript();

/** util-linux' `script` gives a command a terminal. */
function hasScript(): boolean {
	try {
		return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
	} catch {
		return false;
	}
}

interface Terminal {
	/** The terminal's output so far. */
	text(): string;
	type(keys: string): void;
	readonly ended: Promise<number | null>;
}

/** Runs the command line on a terminal of its own. */
function onTerminal(ws: Workspace, args: readonly string[]): Terminal {
	// A shell that waits for the command would end by Ctrl-C too.
	const command = `exec ${[process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ")}`;
	const env = { ...ws.env, TERM: "xterm", NO_COLOR: "1" };
	const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: ws.root, env, stdio: ["pipe", "pipe", "pipe"] });
	let text = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		text += chunk;
	});
	ws.record(() => text);
	const ended = new Promise<number | null>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", resolve);
	});
	return { text: () => text, type: (keys) => child.stdin.write(keys), ended };
}

/** Files `.fake` have a scripted server. */
function useFake(ws: Workspace, script: Script): void {
	const file = join(ws.base, "fake.json");
	writeFileSync(file, JSON.stringify({ record: join(ws.base, "fake.record"), ...script }));
	const directory = join(ws.base, "config/pi-lsp");
	mkdirSync(directory, { recursive: true });
	const server = {
		id: "fake",
		match: ["fake"],
		command: process.execPath,
		args: [FAKE_SERVER, file],
		looseFiles: true,
	};
	writeFileSync(join(directory, "config.json"), JSON.stringify({ servers: [server] }));
}

const shows = (terminal: Terminal, what: RegExp) =>
	until(`the terminal shows ${what}`, () => (what.test(terminal.text()) ? met(true) : notYet(terminal.text())));

const files = { "a.fake": "one\n" };
const indexing = { token: "t", value: { kind: "begin", title: "Indexing", percentage: 42 } };
const hover = ["hover", "a.fake", "--line", "1", "--column", "1"];

describe.skipIf(noTerminal)(noTerminal ? "on a terminal (script is not installed)" : "on a terminal", () => {
	test("a query that takes longer than a second prints what it waits for, with the server's own percentage", () =>
		withWorkspace(files, async (ws) => {
			useFake(ws, {
				on: [{ method: "textDocument/hover", do: [{ notify: "$/progress", params: indexing }, { never: true }] }],
			});
			const terminal = onTerminal(ws, hover);
			await shows(terminal, /fake: Indexing.*42.* · \d+ s/);
			terminal.type("\u0003");
			await terminal.ended;
		}));

	test("a check of several files prints how many are done", () =>
		withWorkspace({ "a.fake": "one\n", "b.fake": "two\n", "c.fake": "three\n" }, async (ws) => {
			useFake(ws, { on: [{ method: "textDocument/diagnostic", nth: 3, do: [{ never: true }] }] });
			const terminal = onTerminal(ws, ["check", "."]);
			await shows(terminal, /2 of 3 files are checked · \d+ s/);
			terminal.type("\u0003");
			await terminal.ended;
		}));

	test("the line is removed when the answer arrives", () =>
		withWorkspace(files, async (ws) => {
			useFake(ws, { on: [{ method: "textDocument/hover", do: [{ delay: 3000 }, { echo: true }] }] });
			const terminal = onTerminal(ws, hover);
			expect(await terminal.ended, terminal.text()).toBe(0);
			const [waiting = "", answer = ""] = terminal.text().split(/\r\u001b\[K(?=[^\r]*1:1)/);
			expect(waiting).toMatch(/ · \d+ s$/);
			expect(answer).toContain("1:1");
			expect(answer).not.toContain("\u001b");
		}));

	test("`status --watch` repeatedly shows the running servers, with memory and activity, until Ctrl-C", () =>
		withWorkspace(files, async (ws) => {
			useFake(ws, {
				on: [{ method: "textDocument/hover", do: [{ notify: "$/progress", params: indexing }, { echo: true }] }],
			});
			expect((await ws.cli(hover)).code).toBe(0);
			const terminal = onTerminal(ws, ["status", "--watch"]);
			await shows(terminal, /(fake[^\n]*: active, [^\n]*\d+ MB[^\n]*Indexing[^\n]*42[\s\S]*){2}/);
			terminal.type("\u0003");
			expect(await terminal.ended).toBe(0);
		}));

	test("`status --watch` exits when the daemon has exited", () =>
		withWorkspace(files, async (ws) => {
			await ws.cli(["daemon", "start"]);
			const terminal = onTerminal(ws, ["status", "--watch"]);
			await shows(terminal, /Ctrl-C ends/);
			await ws.cli(["stop", "--yes"]);
			expect(await terminal.ended).toBe(0);
			expect(terminal.text()).toContain("The daemon is not running.");
		}));
});

describe("on a pipe", () => {
	test("nothing is printed while a query takes longer", () =>
		withWorkspace(files, async (ws) => {
			useFake(ws, { on: [{ method: "textDocument/hover", do: [{ delay: 2500 }, { echo: true }] }] });
			const { stdout, stderr, code } = await ws.cli(hover, { env: { ...ws.env, TERM: "xterm" } });
			expect([code, stderr]).toEqual([0, ""]);
			expect(stdout).not.toContain("\r");
		}));

	test("`status --watch` and `top` print once, also with --json", () =>
		withWorkspace(files, async (ws) => {
			await ws.cli(["daemon", "start"]);
			expect((await ws.cli(["status", "--watch"])).stdout).toContain("No language server is running.");
			const { stdout } = await ws.cli(["top", "--json"]);
			expect(JSON.parse(stdout)).toMatchObject({ daemon: { pid: expect.any(Number) }, servers: [] });
		}));
});
