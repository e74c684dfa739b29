import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentHost, configHome, property, serverName, skillEntries, valueIn, whole } from "./host.ts";
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
		const allowed = (tool: string) => property("mcp", file, ["permission", `${serverName}_${tool}`], "allow");
		return [
			whole("hooks", join(folder, "plugin", "pi-lsp.js"), opencodePlugin(command)),
			property("mcp", file, ["mcp", serverName], { type: "local", command: [...command, "mcp"], enabled: true }),
			...(hasRules ? readingTools.map(allowed) : []),
			...skillEntries(join(folder, "skills"), setting),
		];
	},
};
