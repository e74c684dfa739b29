import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withWorkspace } from "../../support/workspace.ts";
import { homeOf, inHome, installed, put, run, runWith } from "./home.ts";

test("update writes the entries of the ledger in this copy's form, keeps their parts, and sets up no other agent", () =>
	withWorkspace({ ".git/HEAD": "ref: refs/heads/main\n" }, async (ws) => {
		put(ws, ".codex/config.toml", "# Mine.\n");
		await run(ws, "init", "claude-code", "--hooks-only", "--yes");
		await run(ws, "init", "gemini", "--project", "--mcp-only", "--yes");
		expect(await run(ws, "update", "--entries", "--check")).toMatch(
			/Claude Code is up to date\.\nGemini CLI in .+ is up to date\.\n$/,
		);
		const project = ws.read(".gemini/settings.json");
		const env = installed(ws);
		const { code, stdout } = await ws.cli(["update", "--entries", "--check"], { env });
		expect([code, stdout]).toEqual([1, expect.stringContaining('+            "command": "pi-lsp hook claude-code"')]);
		await runWith(ws, env, "update", "--entries", "--yes");
		expect(JSON.parse(inHome(ws, ".claude/settings.json")).hooks.Stop[0].hooks[0].command).toBe(
			"pi-lsp hook claude-code",
		);
		expect(existsSync(join(homeOf(ws), ".claude.json"))).toBe(false);
		expect(inHome(ws, ".codex/config.toml")).toBe("# Mine.\n");
		// In a project the command is any pi-lsp on PATH.
		expect(ws.read(".gemini/settings.json")).toBe(project);
		expect((await ws.cli(["update", "--entries", "--check"], { env })).code).toBe(0);
	}));

test("update removes from a file the entries that are now written into another one", () =>
	withWorkspace({}, async (ws) => {
		const own = { ...ws.env, XDG_CONFIG_HOME: join(homeOf(ws), ".config") };
		const file = ".config/opencode/opencode.json";
		put(ws, file, '{ "model": "a/b" }\n');
		await runWith(ws, own, "init", "opencode", "--yes");
		expect(inHome(ws, file)).toContain("pi-lsp");
		put(ws, `${file}c`, "{ /* Mine. */ }\n");
		await runWith(ws, own, "update", "--entries", "--yes");
		expect(inHome(ws, file)).toBe('{ "model": "a/b" }\n');
		expect(inHome(ws, `${file}c`)).toContain("pi-lsp");
		await runWith(ws, own, "uninstall", "--yes");
		expect(inHome(ws, `${file}c`)).toBe("{ /* Mine. */ }\n");
	}));

test("update leaves alone a folder that another variable leads to, and entries that were changed by hand unless --force is given", () =>
	withWorkspace({}, async (ws) => {
		const other = { ...ws.env, CODEX_HOME: join(homeOf(ws), "other") };
		await runWith(ws, other, "init", "codex", "--yes");
		const skill = "other/skills/lsp-rename/SKILL.md";
		const text = inHome(ws, skill);
		put(ws, skill, "in my words\n");
		await run(ws, "update", "--entries", "--yes");
		expect(inHome(ws, "other/config.toml")).toContain("pi-lsp");
		await runWith(ws, other, "update", "--entries", "--yes");
		expect(inHome(ws, skill)).toBe("in my words\n");
		await runWith(ws, other, "update", "--entries", "--force", "--yes");
		expect(inHome(ws, skill)).toBe(text);
	}));

test("update names a project that is missing, and continues", () =>
	withWorkspace({ ".git/HEAD": "ref: refs/heads/main\n" }, async (ws) => {
		await run(ws, "init", "gemini", "--project", "--yes");
		await run(ws, "init", "gemini", "--yes");
		rmSync(ws.root, { recursive: true });
		const { code, stdout } = await ws.cli(["update", "--entries"], { cwd: ws.base });
		// The clean-up runs in this directory.
		mkdirSync(ws.root);
		expect(stdout).toMatch(
			/Gemini CLI: .+ is no longer there; `pi-lsp uninstall gemini` forgets it\.\nGemini CLI is up to date\.\n/,
		);
		expect(code).toBe(0);
	}));
