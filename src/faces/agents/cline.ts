import { join } from "node:path";
import { type AgentHost, hookCommand, mcpCommand, property, serverName, skillEntries, whole } from "./host.ts";

const events = ["PreToolUse", "PostToolUse", "TaskComplete", "TaskCancel"];

export const cline: AgentHost = {
	name: "cline",
	title: "Cline",
	program: "cline",
	folder: ({ home }) => join(home, ".cline"),
	entries(setting) {
		const { home, project, readingTools } = setting;
		const own = cline.folder(setting);
		const hooks = project === undefined ? join(own, "hooks") : join(project, ".clinerules", "hooks");
		const servers = join(home, ".cline", "data", "settings", "cline_mcp_settings.json");
		const server = { ...mcpCommand(setting), disabled: false, autoApprove: readingTools };
		const script = (event: string) =>
			`#!/bin/sh\n# Written by \`pi-lsp init\`; \`pi-lsp uninstall\` removes it.\nexec ${hookCommand(setting, "cline", event)}\n`;
		return [
			...events.map((event) => ({ ...whole("hooks", join(hooks, event), script(event)), isProgram: true as const })),
			...(project === undefined ? [property("mcp", servers, ["mcpServers", serverName], server)] : []),
			...skillEntries(join(project === undefined ? own : join(project, ".cline"), "skills"), setting),
		];
	},
	next: "Cline runs hooks only where they are switched on in its settings (Enable Hooks).",
};
