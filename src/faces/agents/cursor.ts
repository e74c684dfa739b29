import { join } from "node:path";
import {
	type AgentHost,
	type HookEntry,
	hookCommand,
	hookSeconds,
	mcpCommand,
	members,
	property,
	serverName,
	skillEntries,
	valueIn,
} from "./host.ts";

const tools = "Write|StrReplace|ApplyPatch|Delete|Shell";
const events = ["preToolUse", "postToolUse", "postToolUseFailure", "stop", "subagentStop", "sessionEnd"];

export const cursor: AgentHost = {
	name: "cursor",
	title: "Cursor",
	program: "cursor",
	folder: ({ home }) => join(home, ".cursor"),
	entries(setting) {
		const { project, readingTools } = setting;
		const folder = project === undefined ? cursor.folder(setting) : join(project, ".cursor");
		const file = join(folder, "hooks.json");
		const command = hookCommand(setting, "cursor");
		const permissions = join(folder, "permissions.json");
		const list = ["mcpAllowlist"];
		// A list there replaces that of Cursor's settings.
		const hasList = Array.isArray(valueIn(permissions, list));
		const allowed = hasList ? readingTools.map((tool) => `${serverName}:${tool}`) : [];
		return [
			{ ...property("hooks", file, ["version"], 1), isShared: true },
			...events.map(
				(event): HookEntry => ({
					kind: "hook",
					host: "cursor",
					part: "hooks",
					file,
					at: ["hooks", event],
					group: { command, ...(event.includes("ToolUse") ? { matcher: tools } : {}), timeout: hookSeconds },
				}),
			),
			property("mcp", join(folder, "mcp.json"), ["mcpServers", serverName], mcpCommand(setting)),
			...members(permissions, list, allowed),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
