import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { Ledger } from "../../../src/faces/agents/ledger.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { homeOf, inHome, installed, put, run, runWith } from "./home.ts";

const trusted = '[projects."/x"]\ntrust_level = "trusted"\n';

describe("tables that Codex has added after ours", () => {
	const file = ".codex/config.toml";

	/** As toml_edit does: new tables stand before the comment that ends the document. */
	function withTable(text: string, table: string): string {
		const end = text.lastIndexOf("\n#");
		return end > text.lastIndexOf("\n[") ? `${text.slice(0, end + 1)}${table}${text.slice(end + 1)}` : text + table;
	}

	test.each([undefined, 'model = "x" # mine\n'])("stay in a file that held %j before", (text) =>
		withWorkspace({}, async (ws) => {
			if (text !== undefined) put(ws, file, text);
			await run(ws, "init", "codex", "--yes");
			const table = `\n${trusted}\n# Of the week.\n[hooks.state."a]b"]\nenabled = [\n  "[x]",\n]\n`;
			const changed = withTable(inHome(ws, file), table);
			put(ws, file, changed);
			expect(await run(ws, "init", "codex", "--yes")).toMatch(/ is already set up\.\n$/);
			expect(inHome(ws, file)).toBe(changed);
			// The command differs from now on.
			await runWith(ws, installed(ws), "init", "codex", "--yes");
			expect(inHome(ws, file)).toContain(table);
			expect(inHome(ws, file)).toContain('command = "pi-lsp"\n');
			put(ws, file, withTable(inHome(ws, file), '[mcp_servers.pi-lsp.tools.lsp_fix]\napproval_mode = "approve"\n'));
			await run(ws, "uninstall", "codex", "--yes");
			expect(inHome(ws, file)).toBe((text ?? "") + table);
		}),
	);

	test("stay without the ledger too", () =>
		withWorkspace({}, async (ws) => {
			put(ws, file, 'model = "x"\n');
			await run(ws, "init", "codex", "--yes");
			put(ws, file, withTable(inHome(ws, file), trusted));
			rmSync(join(ws.base, "state/pi-lsp/agents"), { recursive: true });
			await run(ws, "uninstall", "codex", "--yes");
			expect(inHome(ws, file)).toBe(`model = "x"\n${trusted}`);
		}));

	test("stay when Codex has dropped our comment, and a server that a person has written is left alone", () =>
		withWorkspace({}, async (ws) => {
			await run(ws, "init", "codex", "--yes");
			const bare = inHome(ws, file).replace(/^#.*\n/gm, "");
			put(ws, file, bare + trusted);
			expect(await run(ws, "init", "codex", "--yes")).toMatch(/ is already set up\.\n$/);
			await run(ws, "uninstall", "codex", "--yes");
			expect(inHome(ws, file)).toBe(trusted);
			put(ws, file, '[mcp_servers.pi-lsp]\ncommand = "mine"\n');
			await run(ws, "init", "codex", "--yes");
			await run(ws, "uninstall", "codex", "--yes");
			expect(inHome(ws, file)).toBe('[mcp_servers.pi-lsp]\ncommand = "mine"\n');
		}));
});

describe("an entry of ours that a person has changed", () => {
	test("is left unchanged by a second init, which reports it, and is removed by uninstall", () =>
		withWorkspace({}, async (ws) => {
			put(ws, ".claude.json", '{ "numStartups": 3 }\n');
			await run(ws, "init", "claude-code", "--yes");
			const servers = JSON.parse(inHome(ws, ".claude.json"));
			servers.mcpServers["pi-lsp"].env = { A: "b" };
			put(ws, ".claude.json", JSON.stringify(servers, null, 2));
			const narrowed = inHome(ws, ".claude/settings.json").replace("Edit|MultiEdit|Write|Bash", "Edit");
			put(ws, ".claude/settings.json", narrowed);
			const output = await run(ws, "init", "claude-code", "--yes");
			expect(output).toContain("mcpServers.pi-lsp");
			expect(output).toContain("hooks.PostToolUse");
			expect(JSON.parse(inHome(ws, ".claude.json"))).toEqual(servers);
			expect(inHome(ws, ".claude/settings.json")).toBe(narrowed);
			// The command differs from now on: unchanged entries are replaced.
			await runWith(ws, installed(ws), "init", "claude-code", "--yes");
			expect(JSON.parse(inHome(ws, ".claude.json"))).toEqual(servers);
			const { hooks } = JSON.parse(inHome(ws, ".claude/settings.json"));
			expect(hooks.Stop[0].hooks[0].command).toBe("pi-lsp hook claude-code");
			expect(hooks.PostToolUse[0]).toEqual(JSON.parse(narrowed).hooks.PostToolUse[0]);
			await run(ws, "uninstall", "--yes");
			expect(JSON.parse(inHome(ws, ".claude.json"))).toEqual({ numStartups: 3 });
			expect(existsSync(join(homeOf(ws), ".claude/settings.json"))).toBe(false);
		}));

	test("is left unchanged in TOML too", () =>
		withWorkspace({}, async (ws) => {
			await run(ws, "init", "codex", "--yes");
			const changed = inHome(ws, ".codex/config.toml").replace("env_vars =", "startup_timeout_sec = 60\nenv_vars =");
			put(ws, ".codex/config.toml", changed);
			expect(await runWith(ws, installed(ws), "init", "codex", "--yes")).toContain("mcp_servers.pi-lsp");
			expect(inHome(ws, ".codex/config.toml")).toBe(changed);
			expect(parse(changed)).toHaveProperty("mcp_servers");
			await run(ws, "uninstall", "--yes");
			expect(existsSync(join(homeOf(ws), ".codex"))).toBe(false);
		}));
});

test("hooks of other products stay, whatever the name of their program is", () =>
	withWorkspace({}, async (ws) => {
		const groups = [
			"/opt/other/dist/cli.cjs hook claude-code",
			"my-pi-lsp hook claude-code",
			"pi-lsp-watch hook claude-code",
		].map((command) => ({ hooks: [{ type: "command", command }] }));
		await run(ws, "init", "claude-code", "--yes");
		const value = JSON.parse(inHome(ws, ".claude/settings.json"));
		value.hooks.Stop.push(...groups);
		const old = "/usr/bin/node '/usr/lib/a hook b/pi-lsp/dist/cli.cjs' hook claude-code";
		value.hooks.Notification = [{ hooks: [{ type: "command", command: old }] }];
		put(ws, ".claude/settings.json", JSON.stringify(value));
		await run(ws, "uninstall", "--yes");
		expect(JSON.parse(inHome(ws, ".claude/settings.json"))).toEqual({ hooks: { Stop: groups } });
	}));

test("a JSON file that init has made stays if a person has written comments into it", () =>
	withWorkspace({}, async (ws) => {
		await run(ws, "init", "claude-code", "--yes");
		const text = inHome(ws, ".claude/settings.json");
		put(
			ws,
			".claude/settings.json",
			text.replace("{\n", "{\n  // Mine.\n").replace('"hooks": {\n', '"hooks": {\n    // Mine too.\n'),
		);
		await run(ws, "uninstall", "--yes");
		expect(inHome(ws, ".claude/settings.json")).toBe('{\n  // Mine.\n  "hooks": {\n    // Mine too.\n  }\n}\n');
	}));

test("the ledger's rows about a file that stays are kept until the file is removed", () =>
	withWorkspace({}, async (ws) => {
		const skill = ".gemini/skills/lsp-rename/SKILL.md";
		await run(ws, "init", "gemini", "--yes");
		const text = inHome(ws, skill);
		put(ws, skill, "in my words\n");
		expect(await run(ws, "uninstall", "--yes")).toContain("it was changed since");
		put(ws, skill, text);
		await run(ws, "uninstall", "--yes");
		expect(existsSync(join(homeOf(ws), ".gemini"))).toBe(false);
		expect(await run(ws, "uninstall", "--yes")).toBe("There is nothing to take out.\n");
	}));

test("two concurrent runs for one agent keep each other's rows in the ledger", () =>
	withWorkspace({}, async (ws) => {
		const ledger = new Ledger(ws.env);
		const row = (path: string) => ({
			...{ host: "codex", path, parts: ["mcp" as const], project: null },
			...{ before: null, after: "x", made: [] },
		});
		const change = { files: [], made: [] };
		await ledger.write("codex", { ...change, paths: ["/a"], ledger: [row("/a")] });
		await ledger.write("codex", { ...change, paths: ["/b"], ledger: [row("/b")] });
		expect((await ledger.read()).map(({ path }) => path).sort()).toEqual(["/a", "/b"]);
		await ledger.write("codex", { ...change, paths: ["/a"], ledger: [] });
		expect((await ledger.read()).map(({ path }) => path)).toEqual(["/b"]);
	}));

test("a private file stays private", () =>
	withWorkspace({}, async (ws) => {
		const path = join(homeOf(ws), ".claude.json");
		put(ws, ".claude.json", '{ "numStartups": 3 }\n');
		chmodSync(path, 0o600);
		for (const command of ["init", "uninstall"]) {
			await run(ws, command, "claude-code", "--yes");
			expect(statSync(path).mode & 0o777).toBe(0o600);
		}
	}));
