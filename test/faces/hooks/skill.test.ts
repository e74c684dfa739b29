import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { CLI } from "../../support/repository.ts";
import { runCommand } from "../../support/run-command.ts";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { type Mcp, withMcp } from "../mcp/client.ts";
import { type HostTalk, type Step, talk } from "./payloads.ts";
import { hook } from "./run-hook.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	"src/c.ts": 'export const c: string = "c";\n',
};
const change = { file: "src/c.ts", from: '"c"', to: '"d"' };
const names = ["claude-code", "codex", "gemini", "copilot", "opencode"] as const;
const beforeEvents = { "claude-code": "PreToolUse", gemini: "BeforeTool", opencode: "tool.execute.before" } as const;

/** The call before the edit, also for hosts that have all in the event after it. */
function beforeEdit(ws: Workspace, host: HostTalk): Step {
	const whole = { cwd: ws.root, ...change };
	const own = host.beforeEdit?.(whole);
	if (own) return own;
	const { payload } = host.afterEdit(whole, ws.read(change.file));
	const { tool_response: _, before: __, ...call } = payload;
	const event = beforeEvents[host.name as keyof typeof beforeEvents];
	return { event, payload: { ...call, hook_event_name: event } };
}

/** The reason why the host may not make the call, in the host's own form. */
function refusalIn(answer: Record<string, unknown>): { readonly error: string; readonly recovery: string } | undefined {
	const nested = (answer.hookSpecificOutput ?? {}) as Record<string, unknown>;
	const isDenied =
		nested.permissionDecision === "deny" ||
		answer.permissionDecision === "deny" ||
		answer.decision === "deny" ||
		answer.refusal !== undefined;
	if (!isDenied) return undefined;
	const reason = nested.permissionDecisionReason ?? answer.permissionDecisionReason ?? answer.reason ?? answer.refusal;
	return JSON.parse(String(reason)) as { error: string; recovery: string };
}

async function follow(mcp: Mcp, recovery: string): Promise<string> {
	const [, tool = "", input = "{}"] = /^Next: (\S+) (\{.*\})$/s.exec(recovery) ?? [];
	return mcp.text(tool, JSON.parse(input) as object);
}

const lsp = (operation: string, input: object = {}) => ({ operation, input });
const activate = (mcp: Mcp, name: string, mode?: string) =>
	mcp.text("lsp", lsp("activate_skill", mode === undefined ? { name } : { name, mode }));
const marker = (ws: Workspace) => join(String(ws.env.XDG_STATE_HOME), "pi-lsp/skill");

async function isFollowed(ws: Workspace): Promise<void> {
	await until("the daemon knows of the skill", () => (existsSync(marker(ws)) ? met(true) : notYet("no marker")));
}

test.concurrent.each(names)(
	"%s: a skill refuses the agent's own edit, and allows it after the calls that it names",
	(name) =>
		withWorkspace(project, (ws) =>
			withMcp(ws, {}, async (mcp) => {
				const host = talk(ws, name);
				await activate(mcp, "lsp-safe-edit");
				await isFollowed(ws);
				const recoveries: string[] = [];
				let step = beforeEdit(ws, host);
				for (let attempt = 0; attempt < 4; attempt++) {
					step = beforeEdit(ws, host);
					const refusal = refusalIn(await hook(ws, name, step));
					if (!refusal) break;
					expect(refusal.error).toBe("phase_violation");
					recoveries.push(refusal.recovery);
					await follow(mcp, refusal.recovery);
				}
				expect(recoveries).toEqual([
					expect.stringContaining("lsp_context"),
					expect.stringContaining('"operation":"preview"'),
				]);
				const old = ws.read(change.file);
				ws.write(change.file, old.replace(change.from, change.to));
				const after = host.afterEdit({ cwd: ws.root, ...change }, old);
				const { tool_use_id: id } = step.payload;
				await hook(ws, name, {
					...after,
					payload: { ...after.payload, ...(id === undefined ? {} : { tool_use_id: id }) },
				});
				expect(await mcp.text("lsp", lsp("get_skill_phase"))).toContain("verify");
			}),
		),
);

test.concurrent.each(names)("%s: a skill refuses a command that writes and allows one that reads", (name) =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async (mcp) => {
			const host = talk(ws, name);
			await activate(mcp, "lsp-rename");
			await isFollowed(ws);
			for (const command of ["sed -i s/c/d/ src/c.ts", "cat src/c.ts > src/d.ts", "git checkout -- src/c.ts"])
				expect(refusalIn(await hook(ws, name, host.beforeShell(command))), command).toMatchObject({
					error: "phase_violation",
				});
			expect(await hook(ws, name, host.beforeShell("cat src/c.ts"))).toEqual({});
		}),
	),
);

test.concurrent("a skill refuses the edit of a notebook in Claude Code in one phase, and counts it in another, by the hooks that `init` writes", () =>
	withWorkspace({ ...project, "n.ipynb": '{ "cells": [] }\n' }, (ws) =>
		withMcp(ws, {}, async (mcp) => {
			expect((await ws.cli(["init", "claude-code", "--hooks-only", "--yes"])).code).toBe(0);
			await activate(mcp, "lsp-green");
			await isFollowed(ws);
			const tool_input = { notebook_path: ws.path("n.ipynb"), cell_id: "c1", new_source: "x", edit_mode: "replace" };
			const fire = (event: string) =>
				runInstalled(ws, { event, payload: { tool_name: "NotebookEdit", tool_input, tool_use_id: "toolu_1" } });
			expect((await fire("PreToolUse")).map(refusalIn)).toMatchObject([{ error: "phase_violation" }]);
			await mcp.text("lsp_diagnostics", { file: "src/c.ts" });
			expect(await fire("PreToolUse")).toEqual([{}]);
			expect(await mcp.text("lsp", lsp("get_skill_phase"))).toContain('"mend"');
			expect(await fire("PostToolUse")).toEqual([{}]);
			expect(await mcp.text("lsp", lsp("get_skill_phase"))).toContain('"verify"');
		}),
	));

/** The answers of the commands of Claude Code's settings to a call of the tool. */
async function runInstalled(ws: Workspace, { event, payload }: Step): Promise<Record<string, unknown>[]> {
	const settings = readFileSync(join(String(ws.env.HOME), ".claude/settings.json"), "utf8");
	type Group = { readonly matcher?: string; readonly hooks: readonly { readonly command: string }[] };
	const { hooks } = JSON.parse(settings) as { readonly hooks: Readonly<Record<string, readonly Group[]>> };
	const groups = hooks[event]?.filter(({ matcher = "" }) => matcher.split("|").includes(String(payload.tool_name)));
	const common = talk(ws, "claude-code").stop(false).payload;
	const input = JSON.stringify({ ...common, hook_event_name: event, ...payload });
	const answers: Record<string, unknown>[] = [];
	for (const { command } of groups?.flatMap((group) => group.hooks) ?? []) {
		const { stdout } = await runCommand("sh", ["-c", command], { cwd: ws.root, env: ws.env, input });
		answers.push(JSON.parse(stdout) as Record<string, unknown>);
	}
	return answers;
}

test.concurrent("a skill in mode warn refuses nothing, and the result reports what the skill would have refused", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async (mcp) => {
			const host = talk(ws, "codex");
			await activate(mcp, "lsp-rename", "warn");
			await isFollowed(ws);
			const whole = { cwd: ws.root, ...change };
			expect(await hook(ws, "codex", beforeEdit(ws, host))).toEqual({});
			const old = ws.read(change.file);
			ws.write(change.file, old.replace(change.from, change.to));
			const text = host.modelText(await hook(ws, "codex", host.afterEdit(whole, old)));
			expect(text).toContain("phase_violation");
		}),
	));

test.concurrent("a skill binds neither another agent, nor its own one after the end of the skill or of the MCP server", () =>
	withWorkspace(project, async (ws) => {
		const host = talk(ws, "codex");
		const isFree = async () => expect(await hook(ws, "codex", beforeEdit(ws, host))).toEqual({});
		const isBound = async () => expect(refusalIn(await hook(ws, "codex", beforeEdit(ws, host)))).toBeDefined();
		await withMcp(ws, {}, async (mcp) => {
			await activate(mcp, "lsp-rename");
			await isFollowed(ws);
			await isBound();
			await mcp.text("lsp", lsp("deactivate_skill"));
			await isFree();
			await activate(mcp, "lsp-rename");
			await isFollowed(ws);
			await isBound();
		});
		await until("the daemon has noticed the end", () => (existsSync(marker(ws)) ? notYet("bound") : met(true)));
		await isFree();
		const other = `const { spawn } = require("node:child_process");
spawn(process.execPath, [${JSON.stringify(CLI)}, "mcp"], { stdio: "inherit" }).on("exit", () => process.exit());`;
		await withMcp(ws, { command: [process.execPath, "-e", other] }, async (mcp) => {
			await activate(mcp, "lsp-rename");
			await isFollowed(ws);
			await isFree();
		});
	}));
