import { join } from "node:path";
import { type AgentHost, hookCommand, hookSeconds, mcpCommand, serverName, skillEntries } from "./host.ts";

const tools = "replace_file_content|multi_replace_file_content|write_to_file|run_command";

export const antigravity: AgentHost = {
	name: "antigravity",
	title: "Antigravity",
	program: "agy",
	folder: ({ home }) => join(home, ".gemini", "antigravity-cli"),
	entries(setting) {
		const { home, project, readingTools } = setting;
		const folder = project === undefined ? join(home, ".gemini", "config") : join(project, ".agents");
		const handler = (event: string) => ({
			type: "command",
			// Its events lack their name.
			command: hookCommand(setting, "antigravity", event),
			timeout: hookSeconds,
		});
		return [
			{
				kind: "property",
				part: "hooks",
				file: join(folder, "hooks.json"),
				at: [serverName],
				// Every answer before a call permits or refuses it.
				value: {
					PostToolUse: [{ matcher: tools, hooks: [handler("PostToolUse")] }],
					PreInvocation: [handler("PreInvocation")],
					Stop: [handler("Stop")],
				},
			},
			{
				kind: "property",
				part: "mcp",
				file: join(folder, "mcp_config.json"),
				at: ["mcpServers", serverName],
				value: mcpCommand(setting),
			},
			...(project === undefined ? readingTools : []).map((tool) => ({
				kind: "member" as const,
				part: "mcp" as const,
				file: join(antigravity.folder(setting), "settings.json"),
				at: ["permissions", "allow"],
				value: `mcp(${serverName}/${tool})`,
			})),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
