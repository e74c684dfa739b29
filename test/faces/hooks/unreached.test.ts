import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { daemonOf } from "../../daemon/daemon.ts";
import { CLI } from "../../support/repository.ts";
import { runCommand } from "../../support/run-command.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { type HostTalk, type Step, talk } from "./payloads.ts";
import { withPlugin } from "./plugin.ts";
import { hook } from "./run-hook.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	"src/c.ts": "export const c: string = 1;\n",
};

async function withSilentDaemon(body: (ws: Workspace) => Promise<void>): Promise<void> {
	await withWorkspace(project, async (ws) => {
		await ws.cli(["daemon", "start"]);
		const { pid } = daemonOf(ws);
		process.kill(pid, "SIGSTOP");
		try {
			await body(ws);
		} finally {
			process.kill(pid, "SIGCONT");
		}
	});
}

function editOf(ws: Workspace, host: HostTalk): Step {
	return host.afterEdit({ cwd: ws.root, file: "src/c.ts", from: '"c"', to: "1" }, "");
}

const ends: Readonly<Record<string, string>> = { copilot: "sessionEnd", opencode: "session.deleted" };

function endOf(host: HostTalk): Step {
	const event = ends[host.name] ?? "SessionEnd";
	const { hook_event_name: own, ...payload } = host.stop(false).payload;
	return { event, payload: own === undefined ? payload : { ...payload, hook_event_name: event } };
}

const folder = (ws: Workspace) => join(String(ws.env.XDG_STATE_HOME), "pi-lsp/unreached");

test.concurrent.each([
	["claude-code", "stop", "systemMessage"],
	["codex", "stop", "systemMessage"],
	["gemini", "stop", "systemMessage"],
	["vscode", "stop", "systemMessage"],
	["copilot", "end", "message"],
	// The plugin of opencode shows the line when the turn has ended.
	["opencode", "edit", "notice"],
] as const)(
	"%s: if the daemon does not answer, the model reads nothing, and the person one line, once",
	(name, shownAt, field) =>
		withSilentDaemon(async (ws) => {
			const host = talk(ws, name);
			const steps: readonly (readonly [what: string, step: () => Step])[] = [
				["edit", () => editOf(ws, host)],
				["edit", () => editOf(ws, host)],
				["stop", () => host.stop(false)],
				["edit", () => editOf(ws, host)],
				["stop", () => host.stop(false)],
				["end", () => endOf(host)],
			];
			const spoken: unknown[] = [];
			for (const [what, step] of steps) {
				const answer = await hook(ws, name, step());
				if (Object.keys(answer).length > 0) spoken.push([what, answer[field]]);
			}
			expect(spoken).toEqual([[shownAt, expect.stringMatching(/^pi-lsp: .*daemon.*$/)]]);
			// Codex and VS Code send no event at the end of a session.
			if (name !== "codex" && name !== "vscode") expect(existsSync(folder(ws))).toBe(false);
		}),
);

test.concurrent.each(["cursor", "antigravity", "cline"])(
	"%s: a hook of a host that shows the person nothing is silent, and nothing is kept",
	(name) =>
		withSilentDaemon(async (ws) => {
			const host = talk(ws, name);
			expect(await hook(ws, name, editOf(ws, host))).toEqual({});
			expect(await hook(ws, name, host.stop(false))).toEqual({});
			expect(existsSync(folder(ws))).toBe(false);
		}),
);

test.concurrent("a daemon that cannot be started is reported, also by an agent within the session, and one that is not needed is not", () =>
	withWorkspace(project, async (ws) => {
		const host = talk(ws, "claude-code");
		const stop = () => hook(ws, "claude-code", host.stop(false));
		expect(await hook(ws, "claude-code", host.afterShell("true"))).toEqual({});
		expect(await stop()).toEqual({});
		await ws.cli(["daemon", "start"]);
		await ws.cli(["daemon", "stop"]);
		chmodSync(join(String(ws.env.XDG_RUNTIME_DIR), "pi-lsp/cookie"), 0o644);
		const { event, payload } = editOf(ws, host);
		expect(await hook(ws, "claude-code", { event, payload: { ...payload, agent_id: "a1" } })).toEqual({});
		expect(readdirSync(folder(ws))).toHaveLength(1);
		const ended = { ...host.stop(false).payload, agent_id: "a1", hook_event_name: "SubagentStop" };
		expect(await hook(ws, "claude-code", { event: "SubagentStop", payload: ended })).toEqual({});
		expect(await stop()).toEqual({ systemMessage: expect.stringContaining("daemon") });
		expect(await stop()).toEqual({});
	}));

test.concurrent("a hook that waits longer for a processor than for the daemon has reached it, and reports", () =>
	withWorkspace(project, async (ws) => {
		await ws.cli(["check", "src/c.ts"]);
		const blocking = join(ws.base, "blocking.cjs");
		const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)";
		writeFileSync(
			blocking,
			`const net = require("node:net");
const { connect } = net;
net.connect = (...args) => {
	process.nextTick(() => ${wait});
	return connect(...args);
};\n`,
		);
		const host = talk(ws, "claude-code");
		const { payload } = editOf(ws, host);
		const env = { ...ws.env, NODE_OPTIONS: `--require ${blocking}` };
		const options = { cwd: ws.root, env, input: JSON.stringify(payload) };
		const { stdout } = await runCommand(process.execPath, [CLI, "hook", "claude-code"], options);
		expect(stdout).toContain("Type 'number' is not assignable");
		expect(existsSync(folder(ws))).toBe(false);
	}));

test.concurrent("opencode's plugin shows the line once when the turn has ended, and leaves the tool's result unchanged", () =>
	withSilentDaemon(async (ws) => {
		const toasts: unknown[] = [];
		const client = { tui: { showToast: async (given: unknown) => toasts.push(given) } };
		await withPlugin(ws, client, async (plugin) => {
			const output = { output: "Edit applied successfully." };
			const args = { filePath: ws.path("src/c.ts"), oldString: '"c"', newString: "1" };
			const turnEnds = () => plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
			for (const callID of ["c1", "c2"])
				await plugin["tool.execute.after"]({ tool: "edit", sessionID: "s", callID, args }, output);
			expect(toasts).toEqual([]);
			await turnEnds();
			await turnEnds();
			expect(toasts).toEqual([{ body: { message: expect.stringMatching(/^pi-lsp: .*daemon/), variant: "warning" } }]);
			expect(output.output).toBe("Edit applied successfully.");
		});
	}));
