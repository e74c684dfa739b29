import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { readJson } from "../../../src/config/json-reader.ts";
import { agentHosts } from "../../../src/faces/agents/hosts.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { configurations, lay } from "./configurations.ts";
import { homeOf, inHome, installed, put, run } from "./home.ts";
import { treeOf } from "./tree.ts";

const names = agentHosts.map(({ name }) => name);

/** The entries that a host reads from its file. */
function valueIn(file: string, text: string): unknown {
	return file.endsWith(".toml") ? parse(text) : readJson(text.replace(/^\ufeff/, "")).value;
}

/** How many times a text that holds all bytes of another interrupts them; infinite if one is missing. */
function interruptions(text: string, more: string): number {
	let [from, at, count] = [0, 0, 0];
	while (from < text.length) {
		let length = 1;
		while (from + length < text.length && more.includes(text.slice(from, from + length + 1), at)) length++;
		const found = more.indexOf(text.slice(from, from + length), at);
		if (found < 0) return Number.POSITIVE_INFINITY;
		if (found > at) count++;
		[from, at] = [from + length, found + length];
	}
	return count;
}

test("interruptions are counted, and a missing byte is not one of them", () => {
	expect(interruptions("a b c", "a b c")).toBe(0);
	expect(interruptions("a b c", "a b xx c")).toBe(1);
	expect(interruptions("a b c", "a b,c")).toBe(Number.POSITIVE_INFINITY);
});

describe("a configuration", () => {
	test.each(configurations.filter(({ refused }) => !refused).map((each) => [each.title, each] as const))(
		"with %s gets our entries once, keeps every byte of others, and is restored by uninstall",
		(_, configuration) =>
			withWorkspace({}, async (ws) => {
				const home = homeOf(ws);
				const { host, file, text, linkTo, edit } = configuration;
				lay(home, configuration);
				const before = treeOf(home);
				await run(ws, "init", host, "--yes");
				const after = inHome(ws, file);
				expect(JSON.stringify(valueIn(file, after))).toContain(host === "codex" ? '"pi-lsp":{' : `hook ${host}`);
				// Each list of hooks, the permissions and their containers have one position.
				expect(interruptions(text ?? "", after)).toBeLessThanOrEqual(9);
				if (linkTo !== undefined) expect(lstatSync(join(home, file)).isSymbolicLink()).toBe(true);
				const whole = treeOf(home);
				expect(await run(ws, "init", host, "--yes")).toMatch(/ is already set up\.\n$/);
				expect(treeOf(home)).toEqual(whole);
				if (edit) {
					expect(after.split(edit[0])).toHaveLength(2);
					put(ws, file, after.replace(...edit));
				}
				await run(ws, "uninstall", host, "--yes");
				const expected = Object.entries(before).map(([path, content]) => [
					path,
					edit ? content.replace(...edit) : content,
				]);
				expect(treeOf(home)).toEqual(Object.fromEntries(expected));
				expect(await run(ws, "uninstall", "--yes")).toBe("There is nothing to take out.\n");
			}),
	);

	test.each(configurations.flatMap((each) => (each.refused ? [[each.title, each, each.refused] as const] : [])))(
		"with %s is refused with its location, and that agent's files are not written, while other agents are set up",
		(_, configuration, refused) =>
			withWorkspace({}, async (ws) => {
				const home = homeOf(ws);
				lay(home, configuration);
				mkdirSync(join(home, ".gemini"));
				const before = treeOf(home);
				for (const args of [["--dry-run"], ["--yes"]]) {
					const { code, stderr, stdout } = await ws.cli(["init", ...args]);
					expect(code).toBe(3);
					expect(stderr).toMatch(refused);
					expect(stdout).toContain("Gemini CLI:\n");
				}
				expect(inHome(ws, ".gemini/settings.json")).toContain("hook gemini");
				await run(ws, "uninstall", "gemini", "--yes");
				expect(treeOf(home)).toEqual(before);
			}),
	);
});

test("agents are found by their directory or their program, and each change is shown before the person is asked", () =>
	withWorkspace({}, async (ws) => {
		const env = installed(ws);
		const nothing = await ws.cli(["init"], { env });
		expect(nothing.code).toBe(3);
		expect(nothing.stdout).toContain(`Name one: ${names.join(", ")}.`);
		mkdirSync(join(homeOf(ws), ".codex"));
		writeFileSync(join(ws.base, "bin/gemini"), "", { mode: 0o755 });
		const before = treeOf(homeOf(ws));
		const { code, stdout } = await ws.cli(["init"], { env });
		expect(code).toBe(2);
		expect(stdout).toContain("Codex is here (~/.codex).\n");
		expect(stdout).toContain(`Gemini CLI is here (${join(ws.base, "bin/gemini")}).\n`);
		expect(stdout).toContain("--- /dev/null\n+++ ~/.codex/config.toml\n");
		expect(stdout).toContain('+command = "pi-lsp"\n');
		expect(stdout).toMatch(/^\d+ skills new in ~\/\.codex\/skills$/m);
		expect(stdout).toMatch(/\nNothing was written: there is no terminal to ask at\. With --yes nothing is asked\.\n$/);
		expect(treeOf(homeOf(ws))).toEqual(before);
	}));

test("a person reads how much will be written before it is written, and the next step, and nothing is left behind", () =>
	withWorkspace({}, async (ws) => {
		put(ws, ".codex/config.toml", 'model = "x"\n');
		const amount = /^2 files and (\d+) skills, for 1 agent$/;
		const dry = /Nothing was written \(--dry-run\): (.*)\.\n$/.exec(await run(ws, "init", "--dry-run"));
		expect(dry?.[1]).toMatch(amount);
		const written = await run(ws, "init", "--yes");
		expect(written).toMatch(
			/\nCodex is set up\. .*\/hooks`\.\nBegin a new session\. `pi-lsp doctor --hosts` .* `pi-lsp uninstall` .*\n$/,
		);
		expect(await run(ws, "init", "--yes")).toBe("Codex is here (~/.codex).\nCodex is already set up.\n");
		const gone = /Nothing was taken out \(--dry-run\): (.*)\.\n$/.exec(await run(ws, "uninstall", "--dry-run"));
		expect(gone?.[1]).toMatch(amount);
		const { code, stdout } = await ws.cli(["uninstall"]);
		expect([code, stdout]).toEqual([2, expect.stringMatching(/\nNothing was taken out: there is no terminal .*\n$/)]);
		expect(await run(ws, "uninstall", "--yes")).toMatch(/\nCodex: what was of pi-lsp is taken out\.\n$/);
		expect(treeOf(join(ws.base, "state"))).toEqual({});
	}));

test("the arguments of init are checked", () =>
	withWorkspace({}, async (ws) => {
		for (const args of [
			["init", "emacs"],
			["init", "--frob"],
			["init", "--project", "--user"],
			["init", "--hooks-only", "--mcp-only"],
			["uninstall", "emacs"],
			["uninstall", "--frob"],
		])
			expect((await ws.cli(args)).code, args.join(" ")).toBe(2);
	}));

test("the hooks are those of docs/agents, and hooks that a person has written by hand are kept", () =>
	withWorkspace({}, async (ws) => {
		const env = installed(ws);
		const files = {
			"claude-code": ".claude/settings.json",
			codex: ".codex/hooks.json",
			gemini: ".gemini/settings.json",
			copilot: ".copilot/hooks/pi-lsp.json",
			cursor: ".cursor/hooks.json",
			vscode: ".copilot/hooks/pi-lsp-vscode.json",
			antigravity: ".gemini/config/hooks.json",
		};
		for (const [name, file] of Object.entries(files)) {
			const page = readFileSync(join(REPOSITORY, `docs/agents/${name}.md`), "utf8");
			const byHand = /```json\n(.*?)```/s.exec(page)?.[1] ?? "";
			expect((await ws.cli(["init", name, "--hooks-only", "--yes"], { env })).code).toBe(0);
			expect(JSON.parse(inHome(ws, file))).toEqual(JSON.parse(byHand));
			expect((await ws.cli(["uninstall", name, "--yes"], { env })).code).toBe(0);
			put(ws, file, file.startsWith(".copilot/") ? `${JSON.stringify(JSON.parse(byHand), null, 2)}\n` : byHand);
			const again = await ws.cli(["init", name, "--hooks-only", "--yes"], { env });
			expect(again.stdout).toMatch(/ is already set up\.\n$/);
		}
	}));

test("parts that are set up one after the other equal those set up at once, and a newer pi-lsp replaces the entries of an older one", () =>
	withWorkspace({}, async (ws) => {
		const before = treeOf(homeOf(ws));
		await run(ws, "init", "gemini", "--yes");
		const both = treeOf(homeOf(ws));
		await run(ws, "uninstall", "--yes");
		expect(treeOf(homeOf(ws))).toEqual(before);
		await run(ws, "init", "gemini", "--hooks-only", "--yes");
		expect(Object.keys(treeOf(homeOf(ws)))).toEqual([".gemini", ".gemini/settings.json"]);
		await run(ws, "init", "gemini", "--mcp-only", "--yes");
		expect(treeOf(homeOf(ws))).toEqual(both);
		// The command differs from now on.
		const { code } = await ws.cli(["init", "gemini", "--yes"], { env: installed(ws) });
		expect(code).toBe(0);
		const { hooks, mcpServers } = JSON.parse(inHome(ws, ".gemini/settings.json"));
		expect(mcpServers["pi-lsp"]).toEqual({ command: "pi-lsp", args: ["mcp"] });
		expect(hooks.AfterTool).toHaveLength(1);
		expect(hooks.AfterTool[0].hooks[0].command).toBe("pi-lsp hook gemini");
		await run(ws, "uninstall", "--yes");
		expect(treeOf(homeOf(ws))).toEqual(before);
	}));

test("a file that the agent has rewritten loses our entries and nothing else", () =>
	withWorkspace({}, async (ws) => {
		const first = { mcpServers: { other: { command: "o" } }, numStartups: 3 };
		put(ws, ".claude.json", JSON.stringify(first));
		await run(ws, "init", "claude-code", "--yes");
		const value = JSON.parse(inHome(ws, ".claude.json"));
		put(ws, ".claude.json", JSON.stringify({ tips: { a: 1 }, ...value, numStartups: 4 }, null, 4));
		put(
			ws,
			".claude/settings.json",
			JSON.stringify({ ...JSON.parse(inHome(ws, ".claude/settings.json")), model: "opus" }),
		);
		const output = await run(ws, "uninstall", "--yes");
		expect(output).toContain(".claude.json has changed since it was set up");
		expect(JSON.parse(inHome(ws, ".claude.json"))).toEqual({ tips: { a: 1 }, ...first, numStartups: 4 });
		expect(JSON.parse(inHome(ws, ".claude/settings.json"))).toEqual({ model: "opus" });
	}));

test("our entries are removed without the ledger too, and skills that a person has changed stay", () =>
	withWorkspace({}, async (ws) => {
		lay(homeOf(ws), { title: "", host: "claude-code", file: ".claude/settings.json", text: '{ "hooks": {} }\n' });
		for (const host of names) await run(ws, "init", host, "--yes");
		const ledger = join(ws.base, "state/pi-lsp/agents");
		expect(statSync(ledger).mode & 0o777).toBe(0o700);
		expect(statSync(join(ledger, "ledger.json")).mode & 0o777).toBe(0o600);
		rmSync(ledger, { recursive: true });
		put(ws, ".claude/skills/lsp-rename/SKILL.md", "pi-lsp in my words\n");
		await run(ws, "uninstall", "--yes");
		const left = Object.entries(treeOf(homeOf(ws))).filter(([, content]) => content !== "directory");
		expect(left.filter(([, content]) => /pi-lsp/.test(content)).map(([path]) => path)).toEqual([
			".claude/skills/lsp-rename/SKILL.md",
		]);
	}));

test("--project writes into the project, with a command that works for every person, and uninstall finds it again", () =>
	withWorkspace({ ".git/HEAD": "ref: refs/heads/main\n", "src/a.ts": "" }, async (ws) => {
		const [home, root] = [treeOf(homeOf(ws)), treeOf(ws.root)];
		for (const host of names) await run(ws, "init", host, "--project", "--yes");
		expect(JSON.parse(ws.read(".mcp.json")).mcpServers["pi-lsp"]).toEqual({
			type: "stdio",
			command: "pi-lsp",
			args: ["mcp"],
		});
		expect(ws.read(".github/hooks/pi-lsp.json")).toContain('"pi-lsp hook copilot postToolUse"');
		expect(treeOf(homeOf(ws))).toEqual(home);
		const elsewhere = { cwd: homeOf(ws) };
		expect((await ws.cli(["init", "codex", "--project", "--yes"], elsewhere)).code).toBe(2);
		expect((await ws.cli(["uninstall", "--yes"], elsewhere)).code).toBe(0);
		expect(treeOf(ws.root)).toEqual(root);
	}));

test("skills that are already links stay links, and uninstall removes the links and not their targets", () =>
	withWorkspace({}, async (ws) => {
		const skills = treeOf(join(REPOSITORY, "skills"));
		await run(ws, "skills", "install");
		const before = treeOf(homeOf(ws));
		await run(ws, "init", "claude-code", "--yes");
		expect(treeOf(homeOf(ws))).toMatchObject(before);
		expect(await run(ws, "uninstall", "--yes")).toContain(" links to skills removed in ~/.claude/skills\n");
		expect(Object.keys(treeOf(homeOf(ws)))).toEqual([".claude", ".claude/skills"]);
		expect(treeOf(join(REPOSITORY, "skills"))).toEqual(skills);
	}));

test("only tools that change nothing are allowed without a question", () =>
	withWorkspace({}, async (ws) => {
		await run(ws, "init", "claude-code", "--mcp-only", "--yes");
		const { permissions, hooks } = JSON.parse(inHome(ws, ".claude/settings.json"));
		expect(hooks).toBeUndefined();
		expect(permissions.allow).toContain("mcp__pi-lsp__lsp_hover");
		for (const tool of ["lsp", "lsp_rename", "lsp_fix"])
			expect(permissions.allow).not.toContain(`mcp__pi-lsp__${tool}`);
	}));

test("--purge also removes caches and installed servers, and prints what is left", () =>
	withWorkspace({}, async (ws) => {
		const servers = ".local/share/pi-lsp/servers/x/bin/x";
		put(ws, servers, "");
		mkdirSync(join(ws.base, "cache/pi-lsp/clangd"), { recursive: true });
		const dry = await run(ws, "uninstall", "--purge", "--dry-run");
		expect(dry).toContain("Removes ~/.local/share/pi-lsp/servers with all that is in it.\n");
		expect(inHome(ws, servers)).toBe("");
		const { code } = await ws.cli(["uninstall", "--purge"]);
		expect(code).toBe(2);
		mkdirSync(join(ws.base, "config/pi-lsp"));
		const output = await run(ws, "uninstall", "--purge", "--yes");
		expect(output).toContain(`Left: ${join(ws.base, "config/pi-lsp")} (your settings and answers)\n`);
		expect(() => statSync(join(homeOf(ws), ".local/share/pi-lsp"))).toThrow("ENOENT");
		expect(() => statSync(join(ws.base, "cache/pi-lsp"))).toThrow("ENOENT");
	}));

test("--purge ends the daemon also if there is no folder to remove", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": "export const a = 1;\n" }, async (ws) => {
		await ws.cli(["check", "src/a.ts"]);
		rmSync(join(ws.base, "cache"), { recursive: true, force: true });
		expect(await run(ws, "uninstall", "--purge", "--yes")).toContain("There is nothing to take out.");
		expect((await ws.cli(["status"])).stdout).toContain("not running");
	}));

test("Cline's hooks are executable files, and one that a person has written stays", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/c.ts": "export const c: string = 1;\n" }, async (ws) => {
		put(ws, ".cline/hooks/TaskCancel", "#!/bin/sh\necho mine\n");
		const output = await run(ws, "init", "cline", "--hooks-only", "--yes");
		expect(output).toContain(".cline/hooks/TaskCancel stays as it is: pi-lsp has not written it.");
		expect(inHome(ws, ".cline/hooks/TaskCancel")).toBe("#!/bin/sh\necho mine\n");
		const about = { toolName: "write_to_file", parameters: { path: "src/c.ts", content: "" }, success: true };
		const payload = { taskId: "t", workspaceRoots: [ws.root], hookName: "PostToolUse", postToolUse: about };
		const input = JSON.stringify(payload);
		const hook = join(homeOf(ws), ".cline/hooks/PostToolUse");
		expect(statSync(hook).mode & 0o111).toBe(0o111);
		const answer = JSON.parse(execFileSync(hook, { input, cwd: ws.root, env: ws.env }).toString());
		expect(answer).toEqual({ cancel: false, contextModification: expect.stringContaining("(ts2322)") });
		await run(ws, "uninstall", "cline", "--yes");
		expect(Object.keys(treeOf(homeOf(ws)))).toEqual([".cline", ".cline/hooks", ".cline/hooks/TaskCancel"]);
	}));
