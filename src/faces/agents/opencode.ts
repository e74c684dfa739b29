import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentHost, configHome, serverName, skillEntries } from "./host.ts";
import { opencodePlugin } from "./opencode-plugin.ts";

export const opencode: AgentHost = {
	name: "opencode",
	title: "opencode",
	program: "opencode",
	folder: (setting) => join(configHome(setting), "opencode"),
	entries(setting) {
		const { project, command } = setting;
		const folder = project === undefined ? opencode.folder(setting) : join(project, ".opencode");
		const names = ["opencode.jsonc", "opencode.json"].map((name) => join(project ?? folder, name));
		return [
			{
				kind: "whole",
				part: "hooks",
				file: join(folder, "plugin", "pi-lsp.js"),
				text: opencodePlugin(command),
				isSkill: false,
			},
			{
				kind: "property",
				part: "mcp",
				file: names.find((file) => existsSync(file)) ?? join(project ?? folder, "opencode.json"),
				at: ["mcp", serverName],
				value: { type: "local", command: [...command, "mcp"], enabled: true },
			},
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
