import { join } from "node:path";
import {
	type AgentHost,
	type Entry,
	hookCommand,
	hookSeconds,
	mcpCommand,
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
		const allowed = (tool: string): Entry => ({
			...{ kind: "member", part: "mcp", file: permissions },
			...{ at: list, value: `${serverName}:${tool}` },
		});
		return [
			{ kind: "property", part: "hooks", file, at: ["version"], value: 1, isShared: true },
			...events.map(
				(event): Entry => ({
					kind: "hook",
					host: "cursor",
					part: "hooks",
					file,
					at: ["hooks", event],
					group: { command, ...(event.includes("ToolUse") ? { matcher: tools } : {}), timeout: hookSeconds },
				}),
			),
			{
				kind: "property",
				part: "mcp",
				file: join(folder, "mcp.json"),
				at: ["mcpServers", serverName],
				value: mcpCommand(setting),
			},
			...(hasList ? readingTools.map(allowed) : []),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
