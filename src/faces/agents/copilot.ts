import { join } from "node:path";
import {
	type AgentHost,
	configHome,
	hookCommand,
	hookSeconds,
	mcpCommand,
	type Setting,
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

/** Claude Code's names; VS Code's agent knows no end of a session. */
const eventsOfCode = ["PreToolUse", "PostToolUse", "Stop", "SubagentStop"];

/** It reads Copilot CLI's hooks and skills. */
export const vscode: AgentHost = {
	name: "vscode",
	title: "VS Code",
	program: "code",
	folder: (setting) => join(userFolder(setting), "Code"),
	entries(setting) {
		const { project } = setting;
		const hooks = project === undefined ? copilot.folder(setting) : join(project, ".github");
		const command = hookCommand(setting, "vscode");
		const handler = { type: "command", command, timeout: hookSeconds };
		const value = { version: 1, hooks: Object.fromEntries(eventsOfCode.map((event) => [event, [handler]])) };
		return [
			{
				kind: "whole",
				part: "hooks",
				file: join(hooks, "hooks", "pi-lsp-vscode.json"),
				text: `${JSON.stringify(value, null, 2)}\n`,
				isSkill: false,
			},
			{
				kind: "property",
				part: "mcp",
				file: join(project === undefined ? join(vscode.folder(setting), "User") : join(project, ".vscode"), "mcp.json"),
				at: ["servers", serverName],
				value: { type: "stdio", ...mcpCommand(setting) },
			},
		];
	},
	next: "Its own agent (Local) reads the skills of Copilot CLI, which `pi-lsp init copilot` writes.",
};

function userFolder({ home, env }: Pick<Setting, "home" | "env">): string {
	if (process.platform === "darwin") return join(home, "Library", "Application Support");
	if (process.platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
	return configHome({ home, env });
}
