import manifest from "../package.json" with { type: "json" };
import { servers } from "../server.ts";
import { claudeCode } from "../src/faces/agents/claude-code.ts";
import { codex } from "../src/faces/agents/codex.ts";
import { gemini } from "../src/faces/agents/gemini.ts";
import {
	type AgentHost,
	type Entry,
	type HookEntry,
	mcpCommand,
	type Setting,
	serverName,
} from "../src/faces/agents/host.ts";
import { settingFor } from "../src/faces/agents/hosts.ts";
import { languageOf } from "../src/project/file-match.ts";

/** The files of `pi-lsp init` as a folder for Claude Code, Codex and Copilot CLI. `pi-lsp` is on the agent's PATH. */
export const pluginName = "pi-lsp";
/**
 * For other clients of Agent Plugins 1.0: only skills and tools. Where Codex and Copilot CLI find its manifest they read
 * neither hooks nor their own manifest, and start the server in the plugin's folder, so it has its own folder.
 */
export const portableName = "pi-lsp-portable";
/** Gemini CLI reads the same file of hooks as Claude Code, which has other events. */
export const geminiName = "pi-lsp-gemini";
export const marketplaceName = "pi-lsp-plugins";

/** Texts by path, of all three and the lists that offer the first. */
export async function pluginFiles(): Promise<ReadonlyMap<string, string>> {
	const setting = await settingFor("", {}, "");
	const { version, description, license, keywords } = manifest;
	const author = { name: manifest.author };
	const about = { name: pluginName, version, description, author, license, keywords };
	const server = mcpCommand(setting);
	const schemas = "https://agent-plugins.org/schemas/1.0.0";
	const values: Readonly<Record<string, object>> = {
		[`${pluginName}/.claude-plugin/plugin.json`]: about,
		[`${pluginName}/.codex-plugin/plugin.json`]: {
			...about,
			skills: "./skills/",
			mcpServers: "./codex.mcp.json",
			hooks: "./hooks/codex.json",
		},
		// Copilot CLI starts the server in the plugin's folder without `cwd`, Codex with it.
		[`${pluginName}/codex.mcp.json`]: { mcpServers: { [serverName]: server } },
		[`${pluginName}/.mcp.json`]: { mcpServers: { [serverName]: { ...server, cwd: "." } } },
		[`${pluginName}/.lsp.json`]: { [serverName]: languageServer(setting) },
		[`${pluginName}/hooks/hooks.json`]: { hooks: hooksOf(claudeCode, setting) },
		[`${pluginName}/hooks/codex.json`]: { hooks: hooksOf(codex, setting) },
		[`${geminiName}/gemini-extension.json`]: {
			name: geminiName,
			version,
			description,
			mcpServers: { [serverName]: server },
		},
		[`${geminiName}/hooks/hooks.json`]: { hooks: hooksOf(gemini, setting) },
		[`${portableName}/plugin.json`]: { $schema: `${schemas}/plugin.schema.json`, ...about, name: portableName },
		[`${portableName}/mcp.json`]: {
			$schema: `${schemas}/mcp.schema.json`,
			mcpServers: { [serverName]: { type: "stdio", ...server } },
		},
		".claude-plugin/marketplace.json": {
			name: marketplaceName,
			owner: author,
			plugins: [{ name: pluginName, description, source: `./${pluginName}` }],
		},
		".agents/plugins/marketplace.json": {
			name: marketplaceName,
			plugins: [
				{
					name: pluginName,
					source: { source: "local", path: `./${pluginName}` },
					policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
					category: "Coding",
				},
			],
		},
	};
	const texts = Object.entries(values).map(([path, value]) => [path, written(value)] as const);
	const skills = [pluginName, geminiName, portableName].flatMap((plugin) =>
		setting.skills.map(({ name, text }) => [`${plugin}/skills/${name}/SKILL.md`, text] as const),
	);
	return new Map([...texts, ...skills]);
}

function written(value: object): string {
	return `${JSON.stringify(value, null, "\t")}\n`;
}

/** Claude Code's hooks report the errors; the server's pushes would repeat them. */
function languageServer({ command: [command = "", ...args] }: Setting): object {
	const extensions = servers.flatMap((server) =>
		server.match.map((extension) => [`.${extension}`, languageOf(server, `x.${extension}`)]),
	);
	return {
		command,
		args: [...args, "lsp-server"],
		diagnostics: false,
		extensionToLanguage: Object.fromEntries(extensions.reverse()),
	};
}

/** By event. */
function hooksOf(host: AgentHost, setting: Setting): Readonly<Record<string, readonly object[]>> {
	const hooks: Record<string, object[]> = {};
	for (const { at, group } of host.entries(setting).filter(isHook)) {
		const event = at.at(-1) ?? "";
		hooks[event] = [...(hooks[event] ?? []), group];
	}
	return hooks;
}

function isHook(entry: Entry): entry is HookEntry {
	return entry.kind === "hook";
}
