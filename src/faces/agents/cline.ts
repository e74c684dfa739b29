import { join } from "node:path";
import {
	type AgentHost,
	type Entry,
	hookCommand,
	mcpCommand,
	serverName,
	skillEntries,
	type WholeEntry,
} from "./host.ts";

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
		const servers: Entry = {
			kind: "property",
			part: "mcp",
			file: join(home, ".cline", "data", "settings", "cline_mcp_settings.json"),
			at: ["mcpServers", serverName],
			value: { ...mcpCommand(setting), disabled: false, autoApprove: readingTools },
		};
		return [
			...events.map(
				(event): WholeEntry => ({
					kind: "whole",
					part: "hooks",
					file: join(hooks, event),
					text: `#!/bin/sh\n# Written by \`pi-lsp init\`; \`pi-lsp uninstall\` removes it.\nexec ${hookCommand(setting, "cline", event)}\n`,
					isSkill: false,
					isProgram: true,
				}),
			),
			...(project === undefined ? [servers] : []),
			...skillEntries(join(project === undefined ? own : join(project, ".cline"), "skills"), setting),
		];
	},
	next: "Cline runs hooks only where they are switched on in its settings (Enable Hooks).",
};
