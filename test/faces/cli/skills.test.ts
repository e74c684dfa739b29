import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "../../support/repository.ts";
import { withWorkspace } from "../../support/workspace.ts";

const count = readdirSync(join(REPOSITORY, "skills")).length;

test("the skills are listed, and one is shown unchanged or in the words of another host", () =>
	withWorkspace({}, async (ws) => {
		const listed = await ws.cli(["skills"]);
		expect(listed.stdout.trim().split("\n")).toHaveLength(count);
		expect(listed.stdout).toMatch(/^lsp-rename: Rename a symbol in every file/m);
		const [first] = JSON.parse((await ws.cli(["skills", "list", "--json"])).stdout) as object[];
		expect(first).toEqual({ name: "lsp-architecture", description: expect.any(String), phases: 0 });
		const shown = await ws.cli(["skills", "show", "rename"]);
		expect(shown.stdout).toBe(readFileSync(join(REPOSITORY, "skills/lsp-rename/SKILL.md"), "utf8"));
		expect((await ws.cli(["skills", "show", "rename", "--words", "agent-lsp"])).stdout).toContain("`rename_symbol {");
		for (const args of [["show"], ["show", "nothing"], ["frob"], ["list", "--words", "x"], ["list", "--frob"]])
			expect((await ws.cli(["skills", ...args])).code, args.join(" ")).toBe(2);
	}));

test("skills are installed as links or copies, and existing files stay unless --force is given", () =>
	withWorkspace({}, async (ws) => {
		const home = join(ws.env.HOME ?? "", ".claude/skills");
		expect(await ws.cli(["skills", "install"])).toMatchObject({ code: 0 });
		expect(readdirSync(home)).toHaveLength(count);
		expect(readlinkSync(join(home, "lsp-verify"))).toBe(join(REPOSITORY, "skills/lsp-verify"));
		const folder = ws.path("skills");
		expect((await ws.cli(["skills", "install", "--copy", folder])).code).toBe(0);
		const file = join(folder, "lsp-verify/SKILL.md");
		expect(lstatSync(file).isFile()).toBe(true);
		writeFileSync(file, "mine\n");
		const again = await ws.cli(["skills", "install", "--copy", folder]);
		expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining("lsp-verify") });
		expect(readFileSync(file, "utf8")).toBe("mine\n");
		expect((await ws.cli(["skills", "install", "--copy", "--force", folder])).code).toBe(0);
		expect(readFileSync(file, "utf8")).toContain("name: lsp-verify");
		// The link itself is replaced, not its target.
		expect((await ws.cli(["skills", "install", "--copy", "--force"])).code).toBe(0);
		expect(readdirSync(join(REPOSITORY, "skills/lsp-verify")).sort()).toEqual(["SKILL.md", "phases.json"]);
	}));
