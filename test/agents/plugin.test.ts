import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { geminiName, marketplaceName, pluginFiles, pluginName } from "../../scripts/plugin-files.ts";
import { type Step, scriptedModel } from "../../src/faces/agents/examine/scripted-model.ts";
import { installed } from "../faces/agents/home.ts";
import { runCommand } from "../support/run-command.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { type Agent, agents, isInstalled, programOf } from "./agents.ts";
import { edited, editOf, error, project } from "./project.ts";

/** The way in which each agent loads a plugin from a folder; the last arguments are those of the run. */
const ways: readonly {
	readonly name: string;
	readonly install: readonly (readonly string[])[];
	readonly args: readonly string[];
	/** The names of a plugin's tools in this agent, if they differ. */
	ask?(input: object): Step;
}[] = [
	{
		name: "codex",
		install: [
			["plugin", "marketplace", "add", "FOLDER"],
			["plugin", "add", `${pluginName}@${marketplaceName}`],
		],
		args: ["-c", "features.plugins=true"],
	},
	{
		name: "gemini",
		install: [
			["extensions", "validate", `FOLDER/${geminiName}`],
			["extensions", "install", `FOLDER/${geminiName}`, "--consent"],
		],
		args: [],
	},
	{
		name: "claude-code",
		install: [["plugin", "validate", `FOLDER/${pluginName}`]],
		args: ["--plugin-dir", `FOLDER/${pluginName}`, "--allowedTools=mcp__plugin_pi-lsp_pi-lsp"],
		ask: (input) => ({ tool: "mcp__plugin_pi-lsp_pi-lsp__lsp_symbols", input }),
	},
	{ name: "copilot", install: [], args: ["--plugin-dir", `FOLDER/${pluginName}`] },
];

async function folderOf(ws: Workspace): Promise<string> {
	const folder = join(ws.base, "plugins");
	for (const [path, text] of await pluginFiles()) {
		const file = join(folder, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	return folder;
}

for (const way of ways)
	test(`${way.name} loads the plugin: its model reads the error of its edit, and the answer of a tool`, async ({
		skip,
	}) => {
		const agent = agents.find(({ name }) => name === way.name) as Agent;
		if (!isInstalled(agent)) skip(`${agent.name} is not installed: node scripts/install-hosts.mjs`);
		await withWorkspace(project, async (ws) => {
			const folder = await folderOf(ws);
			const own = (args: readonly string[]) => args.map((arg) => arg.replace("FOLDER", folder));
			const model = await scriptedModel(agent.protocol, [
				...editOf(agent, ws),
				way.ask?.({ file: "src/b.ts" }) ?? agent.ask("lsp_symbols", { file: "src/b.ts" }),
			]);
			const { HOME: home = "", XDG_CONFIG_HOME: config = "" } = ws.env;
			const directories = { url: model.url, root: ws.root, home, config };
			try {
				for (const [file, text] of Object.entries(agent.files(directories))) {
					mkdirSync(dirname(file), { recursive: true });
					writeFileSync(file, text);
				}
				const env = { ...installed(ws), ...agent.env(directories) };
				const run = (args: readonly string[]) =>
					// Gemini CLI asks whether the folder is trusted.
					runCommand(programOf(agent), args, { cwd: ws.root, env, input: "y\n", timeoutMs: 90_000 });
				for (const args of way.install) {
					const { code, stdout, stderr } = await run(own([...way.args, ...args]));
					expect(code, `${stdout}\n${stderr}`).toBe(0);
				}
				const { stdout, stderr } = await run(own([...way.args, ...agent.args]));
				ws.record(() => `${stdout}\n${stderr}\n${JSON.stringify(model.requests.slice(1))}`);
				expect(ws.read("src/a.ts")).toBe(edited);
				expect(JSON.stringify(model.requests[editOf(agent, ws).length])).toContain(error);
				expect(JSON.stringify(model.requests.at(-1))).toContain("notSeenOtherwise");
			} finally {
				await model.close();
			}
		});
	});
