import { cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { withOwnHooks } from "../../../src/faces/agents/examine/own-hooks.ts";
import type { HostsView, HostView } from "../../../src/render/status/hosts.ts";
import { CLI, REPOSITORY } from "../../support/repository.ts";
import { runCommand } from "../../support/run-command.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { inHome, installed, put, runWith } from "./home.ts";

const settings = ".claude/settings.json";

interface Machine {
	readonly ws: Workspace;
	/** Runs the command for Claude Code; returns its output and the exit code. */
	doctor(): Promise<readonly [echo: HostView["echo"], code: number | string]>;
	change(from: string, to: string): void;
}

/** pi-lsp is set up in a stand-in for Claude Code; test/agents runs the real one. */
function onMachine(body: (machine: Machine) => Promise<void>): Promise<void> {
	return withWorkspace({}, async (ws) => {
		const env = installed(ws);
		const fake = join(REPOSITORY, "test/faces/agents/fake-claude.mjs");
		writeFileSync(join(ws.base, "bin/claude"), `#!/bin/sh\nexec ${process.execPath} ${fake} "$@"\n`, { mode: 0o755 });
		await runWith(ws, env, "init", "claude-code", "--yes");
		await body({
			ws,
			async doctor() {
				const { stdout, code } = await ws.cli(["doctor", "--hosts", "--json"], { env });
				const { hosts } = JSON.parse(stdout) as HostsView;
				return [hosts.find(({ id }) => id === "claude-code")?.echo, code];
			},
			change(from, to) {
				const text = inHome(ws, settings);
				expect(text).toContain(from);
				put(ws, settings, text.replaceAll(from, to));
			},
		});
	});
}

test("an echo that the model reads is what doctor calls seen, and no other command of the file is run", () =>
	onMachine(async ({ ws, doctor }) => {
		const trace = join(ws.base, "foreign");
		const value = JSON.parse(inHome(ws, settings));
		value.hooks.PostToolUse.unshift({ matcher: "Write", hooks: [{ type: "command", command: `touch ${trace}` }] });
		put(ws, settings, JSON.stringify(value));
		const before = readdirSync(tmpdir()).filter((name) => name.startsWith("pi-lsp-doctor-"));
		expect(await doctor()).toEqual([{ condition: "seen" }, 0]);
		expect(existsSync(trace)).toBe(false);
		expect(readdirSync(tmpdir()).filter((name) => name.startsWith("pi-lsp-doctor-"))).toEqual(before);
	}));

test("a hook on the wrong event is named with that event, and is never called seen", () =>
	onMachine(async ({ doctor, change }) => {
		change('"PostToolUse"', '"Elsewhere"');
		change("Bash", "Bash|Write");
		const why = "The hook stands on the wrong event: it was called at PreToolUse, Stop, and not behind an edit";
		expect(await doctor()).toEqual([{ condition: "not_seen", why, mend: "pi-lsp update --force" }, 1]);
	}));

test("a time limit in milliseconds where seconds are expected is reported, even if the echo was seen", () =>
	onMachine(async ({ doctor, change }) => {
		change('"timeout": 30', '"timeout": 30000');
		const why = expect.stringMatching(
			/^The time limit is in the wrong unit: timeout is 30000 in .+, where `pi-lsp init` writes 30$/,
		);
		expect(await doctor()).toEqual([{ condition: "seen", why, mend: "pi-lsp update --force" }, 1]);
	}));

test("a file that cannot be read is reported as broken, and no agent is run", () =>
	onMachine(async ({ ws, doctor }) => {
		put(ws, settings, '{ "hooks": oops }');
		expect(await doctor()).toEqual([undefined, 1]);
	}));

test("another copy of pi-lsp is reported with its path", () =>
	onMachine(async ({ ws, doctor, change }) => {
		const copy = join(ws.base, "other/pi-lsp");
		cpSync(join(REPOSITORY, "dist"), join(copy, "dist"), { recursive: true });
		cpSync(join(REPOSITORY, "package.json"), join(copy, "package.json"));
		change("pi-lsp hook", `${process.execPath} ${join(copy, "dist/cli.cjs")} hook`);
		const why = `The hook is another copy of pi-lsp: ${join(copy, "dist/cli.cjs")}`;
		expect(await doctor()).toEqual([{ condition: "not_seen", why, mend: "pi-lsp update --force" }, 1]);
	}));

test("a hook in a run for an echo calls no daemon, also with pi-lsp switched off, and creates no file", () =>
	withWorkspace({}, async (ws) => {
		const payload = {
			...{ session_id: "s", cwd: ws.root, hook_event_name: "PostToolUse", tool_name: "Write", tool_use_id: "1" },
			...{ tool_input: { file_path: ws.path("a.ts"), content: "" }, tool_response: { originalFile: null } },
		};
		const hook = async (file: string) => {
			const env = { ...ws.env, PI_LSP: "0", PI_LSP_ECHO: file };
			const options = { cwd: ws.root, env, input: JSON.stringify(payload), timeoutMs: 20_000 };
			return JSON.parse((await runCommand(process.execPath, [CLI, "hook", "claude-code"], options)).stdout);
		};
		const file = join(ws.base, "echo-1");
		expect(await hook(file)).toEqual({});
		expect(existsSync(file)).toBe(false);
		writeFileSync(file, "");
		expect((await hook(file)).hookSpecificOutput.additionalContext).toBe("pi-lsp: echo-1");
		expect(readdirSync(ws.env.XDG_RUNTIME_DIR ?? "")).toEqual([]);
	}));

test("other handlers in a file of hooks do nothing and keep their positions, and only the file's switches stay", () => {
	const own = { type: "command", command: "pi-lsp hook codex" };
	const groups = [
		{ hooks: [{ type: "http", url: "http://x" }] },
		{ hooks: [{ type: "command", command: "rm x" }, own] },
	];
	const text = JSON.stringify({ env: { A: "b" }, disableAllHooks: false, hooks: { Stop: groups } });
	const nothing = { type: "command", command: "true" };
	expect(JSON.parse(withOwnHooks(text, ["disableAllHooks"], (command) => command === own.command))).toEqual({
		disableAllHooks: false,
		hooks: { Stop: [{ hooks: [nothing] }, { hooks: [{ ...nothing, bash: "true" }, own] }] },
	});
});
