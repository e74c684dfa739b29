import { expect, test } from "vitest";
import type { Workspace } from "../support/workspace.ts";
import { agents, isInstalled } from "./agents.ts";
import { play } from "./play.ts";
import { addedTo, edited, editOf, error, project } from "./project.ts";

for (const agent of agents) {
	const missing = `${agent.name} is not installed: node scripts/install-hosts.mjs`;

	test(`${agent.name}, set up by \`pi-lsp init\` alone, gives its model the error that an edit has caused, and the answer of a tool`, async ({
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

	test(`${agent.name} makes none of five edits that a skill does not allow, its model reads which call is allowed, and the edit is made after those calls`, async ({
		skip,
	}) => {
		if (!isInstalled(agent)) skip(missing);
		const old = project["src/a.ts"].trimEnd();
		const next = (value: number | string) => `export const a: string = "${value}";`;
		const lsp = (operation: string, input: object) => agent.ask("lsp", { operation, input });
		const wanted = { file: "src/a.ts", old_text: old, new_text: next("done") };
		const parts = (ws: Workspace) => {
			const edits = [1, 2, 3, 4, 5, "done"].map((value) => agent.edit(ws.path("src/a.ts"), old, next(value)));
			const [first = []] = edits;
			const before = [lsp("activate_skill", { name: "lsp-safe-edit" }), ...first.slice(0, -1)];
			const calls = edits.flatMap((edit) => edit.slice(-1));
			const recovery = [agent.ask("lsp_context", { file: "src/a.ts" }), lsp("preview", wanted)];
			return { before, refused: calls.slice(0, 5), rest: [...recovery, ...calls.slice(5)] };
		};
		const script = (ws: Workspace) => Object.values(parts(ws)).flat();
		await play(agent, script, (ws, requests) => {
			const { before, refused } = parts(ws);
			const answers = refused.map((_, at) => addedTo(requests[before.length + at + 1], requests[before.length + at]));
			expect(answers).toHaveLength(5);
			for (const answer of answers) expect(answer).toMatch(/phase_violation.*Next: lsp_context/);
			expect(ws.read("src/a.ts")).toBe(`${next("done")}\n`);
		});
	});
}
