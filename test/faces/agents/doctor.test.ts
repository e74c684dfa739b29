import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { agentHosts } from "../../../src/faces/agents/hosts.ts";
import type { HostsView, HostView, PartView } from "../../../src/render/status/hosts.ts";
import { CLI } from "../../support/repository.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { homeOf, inHome, put, runWith } from "./home.ts";
import { treeOf } from "./tree.ts";

const driven = new Set(["claude-code", "codex", "gemini", "copilot", "opencode"]);
const names = agentHosts.map(({ name }) => name);

interface Machine {
	readonly ws: Workspace;
	readonly env: Readonly<Record<string, string>>;
	/** A script in a directory of PATH. */
	program(name: string, script: string): void;
	examined(code: number, cwd?: string): Promise<ReadonlyMap<string, HostView>>;
}

/** A machine on which pi-lsp is installed, and no agent. */
function onMachine(body: (machine: Machine) => Promise<void>): Promise<void> {
	return withWorkspace({}, async (ws) => {
		const bin = join(ws.base, "bin");
		mkdirSync(bin);
		symlinkSync(process.execPath, join(bin, "node"));
		symlinkSync(CLI, join(bin, "pi-lsp"));
		const env = { ...ws.env, PATH: `${bin}:/usr/bin:/bin` };
		const program = (name: string, script: string) =>
			writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
		await body({
			ws,
			env,
			program,
			async examined(code, cwd = ws.root) {
				const result = await ws.cli(["doctor", "--hosts", "--json"], { env, cwd });
				expect([result.code, result.stderr], result.stdout).toEqual([code, ""]);
				const { version, hosts } = JSON.parse(result.stdout) as HostsView;
				expect(version).toBe(manifest.version);
				expect(hosts.map(({ id }) => id)).toEqual(names);
				return new Map(hosts.map((host) => [host.id, host]));
			},
		});
	});
}

const conditions = (host: HostView | undefined): Partial<Record<PartView["part"], string>> =>
	Object.fromEntries((host?.parts ?? []).map(({ part, condition }) => [part, condition]));

test(
	"each agent is missing on a machine without one, and the entries of `init` answer in this version",
	{ timeout: 120_000 },
	() =>
		onMachine(async ({ ws, env, program, examined }) => {
			for (const host of (await examined(0)).values())
				expect(host).toMatchObject({ condition: "missing", parts: [], commands: [] });
			for (const { program: name } of agentHosts) program(name, `[ "$*" = --version ] && echo "${name} 1.2.3"`);
			for (const host of (await examined(0)).values()) {
				expect(host).toMatchObject({ condition: "installed", version: "1.2.3", commands: [] });
				expect(host.advice).toBe(`Set it up: pi-lsp init ${host.id}`);
			}
			await runWith(ws, env, "init", "--yes");
			const before = treeOf(homeOf(ws));
			// These programs print their version alone.
			for (const host of (await examined(1)).values()) {
				expect(new Set(Object.values(conditions(host))), host.id).toEqual(new Set(["installed"]));
				// VS Code reads the skills of Copilot CLI.
				const parts = ["hooks", "mcp", ...(host.id === "vscode" ? [] : ["skills"])];
				expect(host.parts.map(({ part }) => part)).toEqual(expect.arrayContaining(parts));
				expect(host.commands.length).toBeGreaterThanOrEqual(2);
				for (const command of host.commands)
					expect(command).toMatchObject({ condition: "answers", version: manifest.version });
				expect(host.advice).toBeUndefined();
				const why = expect.stringContaining(`${host.title} could not be driven: it ended with exit code 1`);
				expect(host.echo).toEqual({ condition: "not_run", ...(driven.has(host.id) ? { why } : {}) });
			}
			expect(treeOf(homeOf(ws))).toEqual(before);
			const { stdout: text } = await ws.cli(["doctor", "--hosts"], { env });
			expect(text).toContain("Codex 1.2.3: installed\n");
			expect(text).toContain(`  hooks: installed, ${join(homeOf(ws), ".codex/hooks.json")}\n`);
			expect(text).toContain(`  runs pi-lsp hook codex: answers (${manifest.version})\n`);
			expect(text).toContain("Codex runs no hook that you have not trusted");
			expect(text).toContain("  not seen in the host. Codex could not be driven: it ended with exit code 1\n");
			expect(text).toContain("Cursor 1.2.3: installed\n");
			expect(text).toContain("  not seen in the host\n");
		}),
);

test(
	"entries that are missing, outdated, changed or broken are named with their location and repair",
	{ timeout: 120_000 },
	() =>
		onMachine(async ({ ws, env, examined }) => {
			for (const name of names) await runWith(ws, env, "init", name, "--yes");
			const home = homeOf(ws);
			// The agent has a configuration but no program, and one of its parts was not selected.
			const codex = (await examined(0)).get("codex");
			expect(codex).toMatchObject({ condition: "not_on_path", folder: join(home, ".codex") });
			expect(codex?.version).toBeUndefined();
			const settings = JSON.parse(inHome(ws, ".claude/settings.json"));
			settings.hooks.PostToolUse[0].hooks[0].timeout = 1;
			settings.permissions.allow.pop();
			put(ws, ".claude/settings.json", JSON.stringify(settings));
			put(ws, ".gemini/settings.json", `{ "hooks": {\n  oops\n} }\n`);
			rmSync(join(home, ".codex/config.toml"));
			put(ws, ".copilot/hooks/pi-lsp.json", "{}\n");
			const found = await examined(1);
			expect(conditions(found.get("claude-code"))).toEqual({
				hooks: "changed",
				mcp: "installed",
				permissions: "partly",
				skills: "installed",
			});
			expect(found.get("claude-code")?.advice).toContain("pi-lsp update --force");
			expect(conditions(found.get("codex"))).toMatchObject({ hooks: "installed", mcp: "missing" });
			expect(conditions(found.get("gemini"))).toMatchObject({ hooks: "broken", mcp: "broken", skills: "installed" });
			const broken = found.get("gemini")?.parts.find(({ part }) => part === "hooks");
			expect(broken?.error).toContain(`${join(home, ".gemini/settings.json")}:2:`);
			expect(conditions(found.get("copilot"))).toMatchObject({ hooks: "changed", mcp: "installed" });
			expect(conditions(found.get("opencode"))).toMatchObject({ hooks: "installed", mcp: "installed" });
		}),
);

test("a command that is missing, of another version, or does not answer is reported", { timeout: 120_000 }, () =>
	onMachine(async ({ ws, env, program, examined }) => {
		await runWith(ws, env, "init", "claude-code", "--yes");
		const commands = async () => (await examined(1)).get("claude-code")?.commands ?? [];
		const all = async (condition: string) => {
			const found = await commands();
			expect(found.map((each) => each.condition)).toEqual([condition, condition, condition]);
			return found;
		};
		rmSync(join(ws.base, "bin/pi-lsp"));
		for (const { error } of await all("missing")) expect(error).toBe("pi-lsp is not on PATH.");
		const real = `exec ${process.execPath} ${CLI} "$@"`;
		program("pi-lsp", `[ "$1" = --version ] && echo 0.0.1 && exit\n${real}`);
		for (const { version } of await all("outdated")) expect(version).toBe("0.0.1");
		program("pi-lsp", `[ "$1" = --version ] && ${real}\necho nonsense`);
		for (const { error } of await all("broken")) expect(error).toContain("nonsense");
		program("pi-lsp", "echo gone wrong >&2; exit 7");
		for (const { error } of await all("broken")) expect(error).toBe("It ended with exit code 7: gone wrong");
		// The entries were made by another copy, which has been removed.
		rmSync(join(ws.base, "bin/pi-lsp"));
		const text = inHome(ws, ".claude/settings.json").replaceAll(
			"pi-lsp hook",
			"/opt/node /opt/pi-lsp/dist/cli.cjs hook",
		);
		put(ws, ".claude/settings.json", text);
		const [hook] = await commands();
		expect(hook).toMatchObject({
			command: "/opt/node /opt/pi-lsp/dist/cli.cjs hook claude-code",
			condition: "missing",
			error: "/opt/node is not there.",
		});
	}),
);

test("no program of the repository is run, and no command that has not the form of init's", { timeout: 120_000 }, () =>
	onMachine(async ({ ws, env, program, examined }) => {
		const marker = join(ws.base, "ran");
		const evil = (file: string) => {
			ws.write(file, `#!/bin/sh\ntouch ${marker}\necho 9.9.9\n`);
			chmodSync(ws.path(file), 0o755);
		};
		ws.write("package.json", "{}\n");
		for (const name of ["claude", "pi-lsp", "node"]) evil(`bin/${name}`);
		await runWith(ws, env, "init", "claude-code", "--yes");
		const handler = (command: string) => ({ matcher: "Bash", hooks: [{ type: "command", command }] });
		const settings = JSON.parse(inHome(ws, ".claude/settings.json"));
		settings.hooks.PreToolUse = [
			handler(`${ws.path("bin/pi-lsp")} hook claude-code`),
			handler(`touch ${marker}; pi-lsp hook claude-code`),
			handler(`sh -c ${marker} pi-lsp hook claude-code`),
		];
		put(ws, ".claude/settings.json", JSON.stringify(settings));
		const inRepository = { ...env, PATH: `${ws.path("bin")}:${env.PATH}` };
		const { stdout } = await ws.cli(["doctor", "--hosts", "--json"], { env: inRepository });
		const host = (JSON.parse(stdout) as HostsView).hosts.find(({ id }) => id === "claude-code");
		expect(host?.condition).toBe("not_on_path");
		expect(host?.commands.map(({ condition }) => condition).slice(0, 3)).toEqual(["missing", "not_tried", "not_tried"]);
		expect(host?.commands[0]?.error).toContain("lies in this repository, of which nothing is run");
		expect(existsSync(marker)).toBe(false);
		// The wait for a version ends after ten seconds.
		program("gemini", "exec sleep 600");
		program("codex", "echo codex has no version");
		const found = await examined(1);
		expect(found.get("gemini")).toMatchObject({ condition: "installed", error: "It did not end within 10 s." });
		expect(found.get("codex")?.error).toContain("tells none");
	}),
);

test("control characters in a configuration in the home directory are not printed", { timeout: 60_000 }, () =>
	onMachine(async ({ ws, env, program }) => {
		program("claude", `printf '1.2.3\\033[31m\\n'`);
		const file = join(homeOf(ws), ".claude.json");
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, JSON.stringify({ mcpServers: { "pi-lsp": { command: "\u001b[31mpi-lsp", args: ["mcp"] } } }));
		const { stdout } = await ws.cli(["doctor", "--hosts"], { env });
		expect(stdout).toContain("Claude Code 1.2.3");
		expect(stdout).not.toContain("\u001b");
		expect(readFileSync(file, "utf8")).toContain("mcp");
	}),
);
