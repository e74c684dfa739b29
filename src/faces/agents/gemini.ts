import { join } from "node:path";
import {
	type AgentHost,
	hookCommand,
	hookEntries,
	hookSeconds,
	mcpCommand,
	property,
	serverName,
	skillEntries,
	skillHookEntries,
	whole,
} from "./host.ts";

export const gemini: AgentHost = {
	name: "gemini",
	title: "Gemini CLI",
	program: "gemini",
	folder: ({ home }) => join(home, ".gemini"),
	entries(setting) {
		const { project, readingTools } = setting;
		const folder = project === undefined ? gemini.folder(setting) : join(project, ".gemini");
		const settings = join(folder, "settings.json");
		const matchers = {
			BeforeTool: "run_shell_command",
			AfterTool: "replace|write_file|run_shell_command",
			AfterAgent: undefined,
			SessionEnd: undefined,
		};
		const command = hookCommand(setting, "gemini");
		const handler = { name: serverName, type: "command", command, timeout: hookSeconds * 1000 };
		const rule = [
			"[[rule]]",
			`mcpName = "${serverName}"`,
			`toolName = ${JSON.stringify(readingTools)}`,
			'decision = "allow"',
			"priority = 100",
		];
		return [
			...hookEntries("gemini", settings, matchers, handler),
			...skillHookEntries(setting, "gemini", {
				file: settings,
				matchers: { BeforeTool: "replace|write_file" },
				handler,
			}),
			property("mcp", settings, ["mcpServers", serverName], mcpCommand(setting)),
			whole("mcp", join(folder, "policies", "pi-lsp.toml"), `${rule.join("\n")}\n`),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
	next: "In a folder that Gemini CLI does not trust, it loads neither the project's hooks nor its servers.",
};
