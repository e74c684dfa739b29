import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { geminiName, pluginFiles, pluginName, portableName } from "../../scripts/plugin-files.ts";

const files = await pluginFiles();
const jsonAt = (path: string) => JSON.parse(files.get(path) ?? "null") as Record<string, never>;

test("all plugins have this version, each skill under its own name, and one server", () => {
	for (const path of [
		`${pluginName}/.claude-plugin/plugin.json`,
		`${pluginName}/.codex-plugin/plugin.json`,
		`${geminiName}/gemini-extension.json`,
		`${portableName}/plugin.json`,
	])
		expect(jsonAt(path)).toMatchObject({ name: path.split("/")[0], version: manifest.version });
	for (const path of [
		`${pluginName}/.mcp.json`,
		`${pluginName}/codex.mcp.json`,
		`${geminiName}/gemini-extension.json`,
		`${portableName}/mcp.json`,
	])
		expect(jsonAt(path).mcpServers).toMatchObject({ "pi-lsp": { command: "pi-lsp", args: ["mcp"] } });
	const skills = [...files].filter(([path]) => path.endsWith("/SKILL.md"));
	expect(skills.length).toBeGreaterThan(40);
	for (const [path, text] of skills) expect(text).toContain(`\nname: ${path.split("/").at(-2)}\n`);
});

test("the portable plugin has the fields of Agent Plugins 1.0 and none that its clients do not know", () => {
	const known = [
		"$schema",
		"name",
		"version",
		"description",
		"author",
		"homepage",
		"repository",
		"license",
		"keywords",
	];
	expect(Object.keys(jsonAt(`${portableName}/plugin.json`)).filter((field) => !known.includes(field))).toEqual([]);
	const others = [...files.keys()].filter((path) => path.startsWith(`${portableName}/`) && !path.includes("/skills/"));
	expect(others.sort()).toEqual([`${portableName}/mcp.json`, `${portableName}/plugin.json`]);
	// A manifest of that form would make Codex and Copilot CLI leave out the hooks.
	expect(files.has(`${pluginName}/plugin.json`)).toBe(false);
});

test("the hooks equal those of init, for the agent that reads the file, and do not repeat the server's pushes", () => {
	for (const [file, host] of [
		["hooks", "claude-code"],
		["codex", "codex"],
	]) {
		const text = files.get(`${pluginName}/hooks/${file}.json`) ?? "";
		const commands = [...text.matchAll(/pi-lsp hook ([\w-]+)/g)].map(([, name]) => name);
		expect(new Set(commands)).toEqual(new Set([host]));
		expect(Object.keys((JSON.parse(text) as { readonly hooks: object }).hooks)).toEqual(
			expect.arrayContaining(["PreToolUse", "PostToolUse", "Stop"]),
		);
	}
	const ofGemini = files.get(`${geminiName}/hooks/hooks.json`) ?? "";
	expect(new Set([...ofGemini.matchAll(/pi-lsp hook ([\w-]+)/g)].map(([, name]) => name))).toEqual(new Set(["gemini"]));
	expect(Object.keys(jsonAt(`${geminiName}/hooks/hooks.json`).hooks ?? {})).toEqual(
		expect.arrayContaining(["BeforeTool", "AfterTool", "AfterAgent"]),
	);
	expect(jsonAt(`${pluginName}/.lsp.json`)["pi-lsp"]).toMatchObject({
		args: ["lsp-server"],
		diagnostics: false,
		extensionToLanguage: { ".ts": "typescript", ".tsx": "typescriptreact", ".go": "go", ".rs": "rust", ".vue": "vue" },
	});
});
