import { join } from "node:path";
import {
	type AgentHost,
	hookCommand,
	hookSeconds,
	mcpCommand,
	members,
	property,
	serverName,
	skillEntries,
} from "./host.ts";

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
		const allowed = (project === undefined ? readingTools : []).map((tool) => `mcp(${serverName}/${tool})`);
		return [
			// Every answer before a call permits or refuses it.
			property("hooks", join(folder, "hooks.json"), [serverName], {
				PostToolUse: [{ matcher: tools, hooks: [handler("PostToolUse")] }],
				PreInvocation: [handler("PreInvocation")],
				Stop: [handler("Stop")],
			}),
			property("mcp", join(folder, "mcp_config.json"), ["mcpServers", serverName], mcpCommand(setting)),
			...members(join(antigravity.folder(setting), "settings.json"), ["permissions", "allow"], allowed),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
