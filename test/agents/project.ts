import type { Step } from "../../src/faces/agents/examine/scripted-model.ts";
import { TYPESCRIPT_PROJECT, type Workspace } from "../support/workspace.ts";
import type { Agent } from "./agents.ts";

export const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"src/a.ts": 'export const a: string = "a";\n',
	"src/b.ts": "export const notSeenOtherwise = 1;\n",
};
export const error = "Type 'number' is not assignable to type 'string'. (ts2322)";
export const edited = "export const a: string = 1;\n";

export function editOf(agent: Agent, ws: Workspace): readonly Step[] {
	return agent.edit(ws.path("src/a.ts"), 'export const a: string = "a";', edited.trimEnd());
}

/** The new part of a request to the model, as JSON. */
export function addedTo(request: unknown, before: unknown): string {
	const listOf = (body: unknown) => {
		const { messages, input, contents } = (body ?? {}) as Readonly<Record<string, readonly unknown[] | undefined>>;
		return messages ?? input ?? contents ?? [];
	};
	return JSON.stringify(listOf(request).slice(listOf(before).length));
}
