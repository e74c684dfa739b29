import { describe, expect, test } from "vitest";
import { toolsOf } from "../../../src/faces/tools/profiles.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { inHome, put, run, runWith } from "./home.ts";

const reading = toolsOf("core", { withCheck: true })
	.filter(({ effect }) => effect === "read")
	.map(({ name }) => name);

describe("permission rules", () => {
	const opencode = ".config/opencode/opencode.json";

	test.each([
		['{ "permission": { "*": "ask" } }\n', true],
		['{ "permission": "ask" }\n', false],
		["{}\n", false],
	])("of opencode are written for the tools that change nothing if there are rules: %j", (text, hasRules) =>
		withWorkspace({}, async (ws) => {
			const { XDG_CONFIG_HOME: _, ...env } = ws.env;
			put(ws, opencode, text);
			await runWith(ws, env, "init", "opencode", "--yes");
			const { permission } = JSON.parse(inHome(ws, opencode));
			const rules = Object.fromEntries(reading.map((tool) => [`pi-lsp_${tool}`, "allow"]));
			const before = JSON.parse(text).permission;
			expect(permission).toEqual(hasRules ? { ...before, ...rules } : before);
			if (hasRules) expect(Object.keys(permission)[0]).toBe("*");
			expect(await runWith(ws, env, "init", "opencode", "--yes")).toMatch(/ is already set up\.\n$/);
			await runWith(ws, env, "uninstall", "--yes");
			expect(inHome(ws, opencode)).toBe(text);
		}),
	);

	test("of Cursor are added to an existing list of MCP tools, and start none, since it would replace that of Cursor's settings", () =>
		withWorkspace({}, async (ws) => {
			const file = ".cursor/permissions.json";
			const text = '{\n  // Mine.\n  "mcpAllowlist": ["other:*"]\n}\n';
			put(ws, file, '{ "terminalAllowlist": ["git"] }\n');
			await run(ws, "init", "cursor", "--yes");
			expect(inHome(ws, file)).toBe('{ "terminalAllowlist": ["git"] }\n');
			put(ws, file, text);
			await run(ws, "init", "cursor", "--yes");
			for (const tool of reading) expect(inHome(ws, file)).toContain(`"pi-lsp:${tool}"`);
			expect(inHome(ws, file)).not.toContain("lsp_rename");
			await run(ws, "uninstall", "--yes");
			expect(inHome(ws, file)).toBe(text);
		}));

	test("of Antigravity CLI are added to the user's settings, and to none of a project", () =>
		withWorkspace({ ".git/HEAD": "ref: refs/heads/main\n" }, async (ws) => {
			const file = ".gemini/antigravity-cli/settings.json";
			const text = '{\n  "permissions": { "allow": ["command(git)"] },\n  "trustedWorkspaces": ["/x"]\n}\n';
			put(ws, file, text);
			await run(ws, "init", "antigravity", "--project", "--yes");
			expect(inHome(ws, file)).toBe(text);
			await run(ws, "init", "antigravity", "--yes");
			const { permissions, ...others } = JSON.parse(inHome(ws, file));
			expect(permissions).toEqual({ allow: ["command(git)", ...reading.map((tool) => `mcp(pi-lsp/${tool})`)] });
			expect(others).toEqual({ trustedWorkspaces: ["/x"] });
			expect(await run(ws, "init", "antigravity", "--yes")).toBe("Antigravity is already set up.\n");
			await run(ws, "uninstall", "--yes");
			expect(inHome(ws, file)).toBe(text);
		}));
});
