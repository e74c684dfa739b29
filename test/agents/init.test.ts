import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { agents, isInstalled, programOf } from "./agents.ts";
import { scriptedModel } from "./scripted-models.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"src/a.ts": 'export const a: string = "a";\n',
	"src/b.ts": "export const notSeenOtherwise = 1;\n",
};
const error = "Type 'number' is not assignable to type 'string'. (ts2322)";

for (const agent of agents)
	test(`${agent.name}, set up by \`pi-lsp init\` alone, hands its model the error that its edit has caused, and what a tool answers`, async ({
		skip,
	}) => {
		if (!isInstalled(agent)) skip(`${agent.name} is not installed: node scripts/install-hosts.mjs`);
		const { name } = agent;
		await withWorkspace(project, async (ws) => {
			const edit = agent.edit(ws.path("src/a.ts"), 'export const a: string = "a";', "export const a: string = 1;");
			const steps = [...edit, agent.ask("lsp_symbols", { file: "src/b.ts" })];
			const model = await scriptedModel(agent.protocol, steps);
			const place = {
				url: model.url,
				root: ws.root,
				home: ws.env.HOME as string,
				config: ws.env.XDG_CONFIG_HOME as string,
			};
			try {
				for (const [file, text] of Object.entries(agent.files(place))) {
					mkdirSync(dirname(file), { recursive: true });
					writeFileSync(file, text);
				}
				const before = readFileSync(agent.shared(place), "utf8");
				expect((await ws.cli(["init", name, "--yes"])).code).toBe(0);
				const options = { cwd: ws.root, env: { ...ws.env, ...agent.env(place) }, input: "", timeoutMs: 90_000 };
				const run = await runCommand(programOf(agent), agent.args, options);
				ws.record(() => `${run.stdout}\n${run.stderr}\n${JSON.stringify(model.requests.slice(1))}`);
				expect(ws.read("src/a.ts")).toBe("export const a: string = 1;\n");
				expect(JSON.stringify(model.requests[edit.length])).toContain(error);
				expect(JSON.stringify(model.requests.at(-1))).toContain("notSeenOtherwise");
				expect((await ws.cli(["uninstall", name, "--yes"])).code).toBe(0);
				expect(readFileSync(agent.shared(place), "utf8")).toBe(before);
			} finally {
				await model.close();
			}
		});
	});
