import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { type Step, scriptedModel } from "../../src/faces/agents/examine/scripted-model.ts";
import { runCommand } from "../support/run-command.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { type Agent, agents, isInstalled, programOf } from "./agents.ts";
import { edited, editOf, error, project } from "./project.ts";

/** Sets the agent up by `init`, lets it do what the model's script says, and takes its entries out again. */
async function play(
	agent: Agent,
	script: (ws: Workspace) => readonly Step[],
	body: (ws: Workspace, requests: readonly unknown[]) => void,
): Promise<void> {
	await withWorkspace(project, async (ws) => {
		const model = await scriptedModel(agent.protocol, script(ws));
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
			expect((await ws.cli(["init", agent.name, "--yes"])).code).toBe(0);
			const options = { cwd: ws.root, env: { ...ws.env, ...agent.env(place) }, input: "", timeoutMs: 90_000 };
			const run = await runCommand(programOf(agent), agent.args, options);
			ws.record(() => `${run.stdout}\n${run.stderr}\n${JSON.stringify(model.requests.slice(1))}`);
			body(ws, model.requests);
			expect((await ws.cli(["uninstall", agent.name, "--yes"])).code).toBe(0);
			expect(readFileSync(agent.shared(place), "utf8")).toBe(before);
		} finally {
			await model.close();
		}
	});
}

for (const agent of agents) {
	const missing = `${agent.name} is not installed: node scripts/install-hosts.mjs`;

	test(`${agent.name}, set up by \`pi-lsp init\` alone, hands its model the error that its edit has caused, and what a tool answers`, async ({
		skip,
	}) => {
		if (!isInstalled(agent)) skip(missing);
		const script = (ws: Workspace) => [...editOf(agent, ws), agent.ask("lsp_symbols", { file: "src/b.ts" })];
		await play(agent, script, (ws, requests) => {
			expect(ws.read("src/a.ts")).toBe(edited);
			expect(JSON.stringify(requests[editOf(agent, ws).length])).toContain(error);
			expect(JSON.stringify(requests.at(-1))).toContain("notSeenOtherwise");
		});
	});

	test(`${agent.name} does not make the edit that a skill does not allow, and its model reads which call goes on`, async ({
		skip,
	}) => {
		if (!isInstalled(agent)) skip(missing);
		const activate = agent.ask("lsp", { operation: "activate_skill", input: { name: "lsp-safe-edit" } });
		await play(
			agent,
			(ws) => [activate, ...editOf(agent, ws)],
			(ws, requests) => {
				expect(ws.read("src/a.ts")).toBe(project["src/a.ts"]);
				expect(JSON.stringify(requests.at(-1))).toMatch(/phase_violation.*Next: lsp_context/);
			},
		);
	});
}
