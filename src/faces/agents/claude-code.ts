import { join } from "node:path";
import {
	type AgentHost,
	hookCommand,
	hookEntries,
	hookSeconds,
	mcpCommand,
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
			{
				kind: "property",
				part: "mcp",
				file: servers,
				at: ["mcpServers", serverName],
				value: { type: "stdio", ...mcpCommand(setting) },
			},
			...readingTools.map((tool) => ({
				kind: "member" as const,
				part: "mcp" as const,
				file: settings,
				at: ["permissions", "allow"],
				value: `mcp__${serverName}__${tool}`,
			})),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
