import { join } from "node:path";
import {
	type AgentHost,
	configHome,
	hookCommand,
	hookSeconds,
	mcpCommand,
	property,
	type Setting,
	serverName,
	skillEntries,
	type WholeEntry,
	whole,
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
		const own = hooksFile(join(folder, "hooks", "pi-lsp.json"), hooks);
		const skills = skillEntries(join(folder, "skills"), setting);
		// In a project Copilot reads Claude Code's file.
		if (project !== undefined) return [own, ...skills];
		const server = { type: "local", ...mcpCommand(setting), tools: ["*"] };
		return [own, property("mcp", join(folder, "mcp-config.json"), ["mcpServers", serverName], server), ...skills];
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
		const folder = project === undefined ? copilot.folder(setting) : join(project, ".github");
		const servers = project === undefined ? join(vscode.folder(setting), "User") : join(project, ".vscode");
		const handler = { type: "command", command: hookCommand(setting, "vscode"), timeout: hookSeconds };
		const hooks = Object.fromEntries(eventsOfCode.map((event) => [event, [handler]]));
		return [
			hooksFile(join(folder, "hooks", "pi-lsp-vscode.json"), hooks),
			property("mcp", join(servers, "mcp.json"), ["servers", serverName], { type: "stdio", ...mcpCommand(setting) }),
		];
	},
	next: "Its own agent (Local) reads the skills of Copilot CLI, which `pi-lsp init copilot` writes.",
};

function hooksFile(file: string, hooks: object): WholeEntry {
	return whole("hooks", file, `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`);
}

function userFolder({ home, env }: Pick<Setting, "home" | "env">): string {
	if (process.platform === "darwin") return join(home, "Library", "Application Support");
	if (process.platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
	return configHome({ home, env });
}
