import { expect, test } from "vitest";
import type { Workspace } from "../support/workspace.ts";
import { agents, isInstalled } from "./agents.ts";
import { play } from "./play.ts";
import { edited, editOf, error, project } from "./project.ts";

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
