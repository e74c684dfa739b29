import { join } from "node:path";
import {
	type AgentHost,
	hookCommand,
	hookSeconds,
	mcpCommand,
	serverName,
	skillEntries,
	type WholeEntry,
} from "./host.ts";

const events = ["preToolUse", "postToolUse", "agentStop", "sessionEnd"];

export const copilot: AgentHost = {
	name: "copilot",
	title: "GitHub Copilot CLI",
	program: "copilot",
	folder: ({ home, env }) => env.COPILOT_HOME || join(home, ".copilot"),
	entries(setting) {
		const { project } = setting;
		const folder = project === undefined ? copilot.folder(setting) : join(project, ".github");
		const handler = (event: string) => ({
			type: "command",
			// Copilot's events lack their name.
			bash: hookCommand(setting, "copilot", event),
			timeoutSec: hookSeconds,
		});
		const hooks = Object.fromEntries(events.map((event) => [event, [handler(event)]]));
		const own: WholeEntry = {
			kind: "whole",
			part: "hooks",
			file: join(folder, "hooks", "pi-lsp.json"),
			text: `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`,
			isSkill: false,
		};
		const skills = skillEntries(join(folder, "skills"), setting);
		// In a project Copilot reads Claude Code's file.
		if (project !== undefined) return [own, ...skills];
		return [
			own,
			{
				kind: "property",
				part: "mcp",
				file: join(folder, "mcp-config.json"),
				at: ["mcpServers", serverName],
				value: { type: "local", ...mcpCommand(setting), tools: ["*"] },
			},
			...skills,
		];
	},
};
