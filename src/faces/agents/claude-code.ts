import { join } from "node:path";
import {
	type AgentHost,
	hookCommand,
	hookEntries,
	hookSeconds,
	mcpCommand,
	members,
	property,
	serverName,
	skillEntries,
	skillHookEntries,
} from "./host.ts";

export const claudeCode: AgentHost = {
	name: "claude-code",
	title: "Claude Code",
	program: "claude",
	folder: ({ home, env }) => env.CLAUDE_CONFIG_DIR || join(home, ".claude"),
	entries(setting) {
		const { home, env, project, readingTools } = setting;
		const folder = project === undefined ? claudeCode.folder(setting) : join(project, ".claude");
		const settings = join(folder, "settings.json");
		const servers =
			project === undefined ? join(env.CLAUDE_CONFIG_DIR || home, ".claude.json") : join(project, ".mcp.json");
		const matchers = {
			PreToolUse: "Bash",
			PostToolUse: "Edit|MultiEdit|Write|Bash",
			PostToolUseFailure: "Bash",
			Stop: undefined,
			SubagentStop: undefined,
			SessionEnd: undefined,
		};
		const handler = { type: "command", command: hookCommand(setting, "claude-code"), timeout: hookSeconds };
		return [
			...hookEntries("claude-code", settings, matchers, handler),
			...skillHookEntries(setting, "claude-code", {
				file: settings,
				// Skills count edits of notebooks, which no server reads.
				matchers: { PreToolUse: "Edit|MultiEdit|Write|NotebookEdit", PostToolUse: "NotebookEdit" },
				handler,
			}),
			property("mcp", servers, ["mcpServers", serverName], { type: "stdio", ...mcpCommand(setting) }),
			...members(
				settings,
				["permissions", "allow"],
				readingTools.map((tool) => `mcp__${serverName}__${tool}`),
			),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
