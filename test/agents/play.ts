import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";
import { type Step, scriptedModel } from "../../src/faces/agents/examine/scripted-model.ts";
import { runCommand } from "../support/run-command.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { type Agent, programOf } from "./agents.ts";
import { project } from "./project.ts";

/** Sets the agent up by `init`, lets it follow the model's script, and removes its entries. */
export async function play(
	agent: Agent,
	script: (ws: Workspace) => readonly Step[],
	body: (ws: Workspace, requests: readonly unknown[]) => void,
	files: Readonly<Record<string, string>> = project,
): Promise<void> {
	await withWorkspace(files, async (ws) => {
		const model = await scriptedModel(agent.protocol, script(ws));
		const directories = {
			url: model.url,
			root: ws.root,
			home: ws.env.HOME as string,
			config: ws.env.XDG_CONFIG_HOME as string,
		};
		try {
			for (const [file, text] of Object.entries(agent.files(directories))) {
				mkdirSync(dirname(file), { recursive: true });
				writeFileSync(file, text);
			}
			const before = readFileSync(agent.shared(directories), "utf8");
			expect((await ws.cli(["init", agent.name, "--yes"])).code).toBe(0);
			const options = { cwd: ws.root, env: { ...ws.env, ...agent.env(directories) }, input: "", timeoutMs: 110_000 };
			const run = await runCommand(programOf(agent), agent.args, options);
			ws.record(() => `${run.stdout}\n${run.stderr}\n${JSON.stringify(model.requests.slice(1))}`);
			body(ws, model.requests);
			expect((await ws.cli(["uninstall", agent.name, "--yes"])).code).toBe(0);
			expect(readFileSync(agent.shared(directories), "utf8")).toBe(before);
		} finally {
			await model.close();
		}
	});
}
