import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "../../support/repository.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { homeOf, inHome, put, run, runWith } from "./home.ts";
import { treeOf } from "./tree.ts";

test("init and uninstall behave the same where every path counts as remote, as on macOS", () =>
	withWorkspace({}, async (ws) => {
		const preload = join(ws.base, "elsewhere.cjs");
		writeFileSync(preload, 'Object.defineProperty(process, "platform", { value: "freebsd" });\n');
		const env = { ...ws.env, NODE_OPTIONS: `--require=${preload}` };
		put(ws, ".claude/settings.json", '{ "model": "opus" }\n');
		const before = treeOf(homeOf(ws));
		await run(ws, "init", "claude-code", "--yes");
		const after = treeOf(homeOf(ws));
		await run(ws, "uninstall", "--yes");
		await runWith(ws, env, "init", "claude-code", "--yes");
		expect(treeOf(homeOf(ws))).toEqual(after);
		expect(Object.keys(treeOf(ws.base))).toContain("state/pi-lsp/agents/ledger.json");
		await runWith(ws, env, "uninstall", "--yes");
		expect(treeOf(homeOf(ws))).toEqual(before);
		expect(treeOf(ws.root)).toEqual({});
	}));

test("skills below a link are neither written nor removed, and the link stays", () =>
	withWorkspace({}, async (ws) => {
		const skills = treeOf(join(REPOSITORY, "skills"));
		mkdirSync(join(homeOf(ws), ".claude"));
		symlinkSync(join(REPOSITORY, "skills"), join(homeOf(ws), ".claude/skills"));
		const before = treeOf(homeOf(ws));
		await run(ws, "init", "claude-code", "--yes");
		await run(ws, "uninstall", "claude-code", "--yes");
		expect(treeOf(homeOf(ws))).toEqual(before);
		expect(treeOf(join(REPOSITORY, "skills"))).toEqual(skills);
	}));

test("--project refuses a target that a link of the repository leads out of it, and writes nothing there", () =>
	withWorkspace({ ".git/HEAD": "ref: refs/heads/main\n" }, async (ws) => {
		put(ws, ".claude.json", '{ "numStartups": 3 }\n');
		put(ws, ".claude/settings.json", "{}\n");
		put(ws, ".codex/config.toml", 'model = "x"\n');
		const home = treeOf(homeOf(ws));
		symlinkSync(join(homeOf(ws), ".claude.json"), join(ws.root, ".mcp.json"));
		symlinkSync(join(homeOf(ws), ".codex"), join(ws.root, ".codex"));
		symlinkSync(join(ws.base, "nowhere"), join(ws.root, ".gemini"));
		const root = treeOf(ws.root);
		for (const [host, words] of [
			[
				"claude-code",
				`${join(ws.root, ".mcp.json")} leads out of the project, to ${join(homeOf(ws), ".claude.json")}.`,
			],
			["codex", `leads out of the project, to ${join(homeOf(ws), ".codex")}`],
			["gemini", `${join(ws.root, ".gemini")} is a link that leads nowhere.`],
		] as const) {
			const { code, stderr } = await ws.cli(["init", host, "--project", "--yes"]);
			expect(stderr).toContain(words);
			expect(code).toBe(3);
		}
		expect(treeOf(homeOf(ws))).toEqual(home);
		expect(treeOf(ws.root)).toEqual(root);
		// A link that stays inside is written through.
		mkdirSync(join(ws.root, "shared"));
		symlinkSync("shared", join(ws.root, ".opencode"));
		await run(ws, "init", "opencode", "--project", "--yes");
		expect(ws.read("shared/plugin/pi-lsp.js")).toContain("pi-lsp init");
		await run(ws, "uninstall", "--yes");
		expect(treeOf(ws.root)).toMatchObject(root);
	}));

test("uninstall finds our entries in files that the agent no longer reads", () =>
	withWorkspace({}, async (ws) => {
		const other = { ...ws.env, CODEX_HOME: join(homeOf(ws), "other") };
		put(ws, "other/config.toml", 'model = "x"\n');
		put(ws, "other/hooks.json", '{ "hooks": {} }\n');
		const before = treeOf(homeOf(ws));
		await runWith(ws, other, "init", "codex", "--yes");
		// A later change by a person prevents the texts from being restored.
		put(ws, "other/config.toml", `${inHome(ws, "other/config.toml")}\n[projects."/x"]\ntrust_level = "trusted"\n`);
		put(ws, "other/hooks.json", JSON.stringify({ ...JSON.parse(inHome(ws, "other/hooks.json")), more: 1 }));
		await run(ws, "uninstall", "--yes");
		expect(inHome(ws, "other/config.toml")).toBe('model = "x"\n\n[projects."/x"]\ntrust_level = "trusted"\n');
		expect(JSON.parse(inHome(ws, "other/hooks.json"))).toEqual({ hooks: {}, more: 1 });
		expect(Object.keys(treeOf(homeOf(ws)))).toEqual(Object.keys(before));
		await run(ws, "init", "opencode", "--mcp-only", "--yes");
		const file = "../config/opencode/opencode.json";
		put(ws, `${file}c`, "{}\n");
		put(ws, file, JSON.stringify({ ...JSON.parse(inHome(ws, file)), theme: "x" }));
		await run(ws, "uninstall", "--yes");
		expect(JSON.parse(inHome(ws, file))).toEqual({ theme: "x" });
	}));
