import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentHost, configHome, type PropertyEntry, serverName, skillEntries, valueIn } from "./host.ts";
import { opencodePlugin } from "./opencode-plugin.ts";

export const opencode: AgentHost = {
	name: "opencode",
	title: "opencode",
	program: "opencode",
	folder: (setting) => join(configHome(setting), "opencode"),
	entries(setting) {
		const { project, command, readingTools } = setting;
		const folder = project === undefined ? opencode.folder(setting) : join(project, ".opencode");
		const names = ["opencode.jsonc", "opencode.json"].map((name) => join(project ?? folder, name));
		const file = names.find((name) => existsSync(name)) ?? join(project ?? folder, "opencode.json");
		// Without rules opencode runs a server's tools unasked. The last fitting rule counts.
		const rules = valueIn(file, ["permission"]);
		const hasRules = typeof rules === "object" && rules !== null;
		const allowed = (tool: string): PropertyEntry => ({
			...{ kind: "property", part: "mcp", file },
			...{ at: ["permission", `${serverName}_${tool}`], value: "allow" },
		});
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
				file,
				at: ["mcp", serverName],
				value: { type: "local", command: [...command, "mcp"], enabled: true },
			},
			...(hasRules ? readingTools.map(allowed) : []),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
