import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import type { EchoView, HostsView } from "../../src/render/status/hosts.ts";
import { installed } from "../faces/agents/home.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { type Agent, agents, isInstalled, programOf } from "./agents.ts";

interface Examined {
	readonly ws: Workspace;
	init(...options: readonly string[]): Promise<void>;
	/** The result of `doctor --hosts` for the agent's hook, and the exit code. */
	doctor(
		...options: readonly string[]
	): Promise<{ readonly echo: EchoView | undefined; readonly code: number | string }>;
	/** Replaces a text in a file of the user's. */
	change(file: string, from: string | RegExp, to: string): void;
}

/** The agent is on PATH under its usual name, and pi-lsp too. */
async function examine({ name, ...agent }: Agent, body: (examined: Examined) => Promise<void>): Promise<void> {
	await withWorkspace({ ".git/HEAD": "ref: refs/heads/main\n" }, async (ws) => {
		const { XDG_CONFIG_HOME: _, ...own } = installed(ws);
		const env = { ...own, HOME: ws.env.HOME ?? "" };
		symlinkSync(programOf({ name, ...agent }), join(ws.base, "bin", name === "claude-code" ? "claude" : name));
		await body({
			ws,
			async init(...options) {
				expect((await ws.cli(["init", name, "--yes", ...options], { env })).code).toBe(0);
			},
			async doctor(...options) {
				const { stdout, code } = await ws.cli(["doctor", "--hosts", "--json", ...options], { env, timeoutMs: 110_000 });
				const { hosts } = JSON.parse(stdout) as HostsView;
				return { echo: hosts.find(({ id }) => id === name)?.echo, code };
			},
			change(file, from, to) {
				const path = join(env.HOME, file);
				const text = readFileSync(path, "utf8");
				const changed = text.replace(from, to);
				expect(changed).not.toBe(text);
				writeFileSync(path, changed);
			},
		});
	});
}

const hooksOf: Readonly<Record<string, string>> = {
	"claude-code": ".claude/settings.json",
	codex: ".codex/hooks.json",
	gemini: ".gemini/settings.json",
	copilot: ".copilot/hooks/pi-lsp.json",
};

/** The text that `/hooks` writes when a person trusts them: the hash is the one that Codex itself prints. */
async function trustInCodex(ws: Workspace, agent: Agent): Promise<void> {
	const folder = join(ws.env.HOME ?? "", ".codex");
	const child = spawn(programOf(agent), ["app-server"], {
		env: { PATH: process.env.PATH, HOME: ws.env.HOME, CODEX_HOME: folder },
		stdio: ["pipe", "pipe", "ignore"],
	});
	const ask = (id: number, method: string, params: object) =>
		child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
	const hooks = await new Promise<readonly { readonly key: string; readonly currentHash: string }[]>((resolve) => {
		let text = "";
		child.stdout.on("data", (chunk) => {
			text += chunk;
			for (const line of text.split("\n").slice(0, -1)) {
				const { id, result } = JSON.parse(line);
				if (id === 1) ask(2, "hooks/list", { cwds: [ws.root] });
				if (id === 2) resolve(result.data[0].hooks);
			}
			text = text.slice(text.lastIndexOf("\n") + 1);
		});
		ask(1, "initialize", { clientInfo: { name: "test", version: "0" } });
	}).finally(() => child.kill());
	for (const { key, currentHash } of hooks)
		appendFileSync(
			join(folder, "config.toml"),
			`\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
		);
}

for (const agent of agents) {
	const { name } = agent;
	const missing = `${name} is not installed: node scripts/install-hosts.mjs`;

	test(`doctor reports whether ${name} gives the output of the hook of \`pi-lsp init\` to its model, and what prevents that`, async ({
		skip,
	}) => {
		if (!isInstalled(agent)) skip(missing);
		await examine(agent, async ({ ws, init, doctor, change }) => {
			await init();
			if (name === "codex") {
				expect((await doctor()).echo).toMatchObject({
					condition: "not_seen",
					why: expect.stringContaining("not trusted"),
					mend: expect.stringContaining("`/hooks`"),
				});
				await trustInCodex(ws, agent);
			}
			expect(await doctor()).toEqual({ echo: { condition: "seen" }, code: 0 });
			const file = hooksOf[name];
			if (file === undefined) return;
			const [behind, elsewhere] = name === "gemini" ? ["AfterTool", "BeforeModel"] : ["PostToolUse", "SessionStart"];
			const at = (event: string) => (name === "copilot" ? `${event.charAt(0).toLowerCase()}${event.slice(1)}` : event);
			change(file, `"${at(behind)}"`, `"${at(elsewhere)}"`);
			const { echo, code } = await doctor();
			expect([echo, code]).toEqual([
				{
					condition: "not_seen",
					why: expect.stringMatching(/wrong event/),
					mend: "pi-lsp update --force",
				},
				1,
			]);
		});
	});

	test(`doctor reports that ${name}, if it asks for trust, does not trust what \`pi-lsp init --project\` has written`, async ({
		skip,
	}) => {
		if (!isInstalled(agent)) skip(missing);
		await examine(agent, async ({ ws, init, doctor }) => {
			mkdirSync(join(ws.env.HOME ?? "", ".gemini"), { recursive: true });
			await init("--project");
			const { echo } = await doctor("--project");
			if (name === "claude-code" || name === "opencode") return expect(echo).toEqual({ condition: "seen" });
			expect(echo).toMatchObject({ condition: "not_seen", why: expect.stringContaining("it is not trusted") });
			const trust: Readonly<Record<string, readonly [file: string, text: string]>> = {
				gemini: [".gemini/trustedFolders.json", JSON.stringify({ [dirname(ws.root)]: "TRUST_FOLDER" })],
				copilot: [".copilot/config.json", JSON.stringify({ trusted_folders: [ws.root] })],
			};
			const [file, text] = trust[name] ?? [];
			if (file === undefined || text === undefined) return;
			mkdirSync(dirname(join(ws.env.HOME ?? "", file)), { recursive: true });
			writeFileSync(join(ws.env.HOME ?? "", file), text);
			expect((await doctor("--project")).echo).toEqual({ condition: "seen" });
		});
	});
}
