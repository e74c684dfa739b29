import { join } from "node:path";
import { type AgentHost, hookCommand, hookEntries, hookSeconds, mcpCommand, serverName, skillEntries } from "./host.ts";

/** Codex passes on only these; otherwise the server and hooks look for different daemons. */
const variables = ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"];

export const codex: AgentHost = {
	name: "codex",
	title: "Codex",
	program: "codex",
	folder: ({ home, env }) => env.CODEX_HOME || join(home, ".codex"),
	entries(setting) {
		const { project, readingTools } = setting;
		const folder = project === undefined ? codex.folder(setting) : join(project, ".codex");
		const matchers = { PreToolUse: "apply_patch|Bash", PostToolUse: "apply_patch|Bash", Stop: undefined };
		const handler = { type: "command", command: hookCommand(setting, "codex"), timeout: hookSeconds };
		const { command, args } = mcpCommand(setting);
		const table = `mcp_servers.${serverName}`;
		return [
			...hookEntries("codex", join(folder, "hooks.json"), matchers, handler),
			{
				kind: "block",
				part: "mcp",
				file: join(folder, "config.toml"),
				table: ["mcp_servers", serverName],
				lines: [
					`[${table}]`,
					`command = ${JSON.stringify(command)}`,
					`args = ${JSON.stringify(args)}`,
					`env_vars = ${JSON.stringify(variables)}`,
					...readingTools.flatMap((tool) => [`[${table}.tools.${tool}]`, 'approval_mode = "approve"']),
				],
			},
			...skillEntries(join(folder, "skills"), setting),
		];
	},
	next: "Codex runs no hook that you have not trusted, and says nothing of it: start `codex`, then `/hooks`.",
};
