import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { daemonsOf } from "../../daemon/daemon.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { type Replacement, type Step, talk } from "./payloads.ts";
import { hook } from "./run-hook.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"src/a.ts": 'export const a: string = "a";\nexport const aa: boolean = true;\n',
	"src/c.ts": 'export const c: string = "c";\n',
};
const [ofString, ofBoolean] = [
	"Type 'number' is not assignable to type 'string'. (ts2322)",
	"Type 'number' is not assignable to type 'boolean'. (ts2322)",
];

/** The number of times that the answers name each error. */
function countsOf(answers: readonly (string | undefined)[], ...errors: readonly string[]): number[] {
	const text = answers.join("\n");
	return errors.map((error) => text.split(error).length - 1);
}

function withField(step: Step, fields: Record<string, unknown>): Step {
	return { ...step, payload: { ...step.payload, ...fields } };
}

/** The errors that an answer attributes to the edit. */
function judged(answer = ""): string[] {
	return answer.split("\n").filter((line) => line.includes("new with this edit"));
}
const oneIsNew = "1 error is new with this edit.";
const twoAreNew = "2 errors are new with this edit.";
const twoAreLeft = "0 errors are new with this edit; 2 are left from earlier edits.";

const batch = [
	{ file: "src/a.ts", from: '"a"', to: "1" },
	{ file: "src/a.ts", from: "true", to: "2" },
	{ file: "src/c.ts", from: '"c"', to: "3" },
];

test("copilot: a batch whose edits are all announced before the first is made has its errors in each file's answer", () =>
	withWorkspace(project, async (ws) => {
		const host = talk(ws, "copilot");
		const edits = batch.map((edit) => ({ cwd: ws.root, ...edit }));
		for (const edit of edits) expect(await hook(ws, host.name, host.beforeEdit?.(edit) as Step)).toEqual({});
		for (const { file, from, to } of batch) ws.write(file, ws.read(file).replace(from, to));
		// The order is the recorded one: the order of execution.
		const [first, third, second] = [edits[0], edits[2], edits[1]].map((edit) =>
			host.afterEdit(edit as Replacement, ""),
		);
		const answers: (string | undefined)[] = [];
		for (const step of [first, third, second]) answers.push(host.modelText(await hook(ws, host.name, step as Step)));
		expect(answers.map(judged)).toEqual([[twoAreNew], [oneIsNew], [twoAreLeft]]);
		expect(answers.map((answer) => countsOf([answer], ofString, ofBoolean))).toEqual([
			[1, 1],
			[1, 0],
			[1, 1],
		]);
		expect(host.modelText(await hook(ws, host.name, host.stop(false)))).toBeUndefined();
	}));

test.each([
	["at the same time", true],
	["one after the other", false],
])("opencode: edits of one turn that the plugin announces %s have their errors in each file's answer", (_, isAtOnce) =>
	withWorkspace(project, async (ws) => {
		const host = talk(ws, "opencode");
		const before_at = Date.now();
		const before = batch.map(({ file }) => ws.read(file));
		for (const { file, from, to } of batch) ws.write(file, ws.read(file).replace(from, to));
		const steps = batch.map((edit, at) =>
			withField(host.afterEdit({ cwd: ws.root, ...edit }, before[at] ?? ""), { before_at }),
		);
		const running: Promise<string | undefined>[] = [];
		for (const step of steps) {
			running.push(hook(ws, host.name, step).then(host.modelText));
			if (!isAtOnce) await running.at(-1);
		}
		const answers = await Promise.all(running);
		expect(answers.map((answer) => countsOf([answer], ofString, ofBoolean))).toEqual([
			[1, 1],
			[1, 1],
			[1, 0],
		]);
		expect(answers.flatMap(judged).toSorted()).toEqual([twoAreLeft, oneIsNew, twoAreNew]);
	}),
);

test("claude-code: a subagent reads what its own edits broke, and the session that started it none of these errors", () =>
	withWorkspace(project, async (ws) => {
		const host = talk(ws, "claude-code");
		const agent = { agent_id: "ad83e0fb14c7066fe", agent_type: "claude" };
		const edit = (at: number, fields: object) => {
			const { file, from, to } = batch[at] as (typeof batch)[number];
			const before = ws.read(file);
			ws.write(file, before.replace(from, to));
			return hook(ws, host.name, withField(host.afterEdit({ cwd: ws.root, file, from, to }, before), { ...fields }));
		};
		const inAgent = host.modelText(await edit(0, agent));
		expect(inAgent).toContain(ofString);
		const inSession = host.modelText(await edit(2, {}));
		expect(inSession).toContain("src/c.ts");
		expect(inSession).not.toContain("src/a.ts");
		const stop = host.stop(false);
		const ended = withField({ ...stop, event: "SubagentStop" }, { ...agent, hook_event_name: "SubagentStop" });
		expect(await hook(ws, host.name, ended)).toEqual({});
		expect(await hook(ws, host.name, stop)).toEqual({});
	}));

test("codex: paths of a patch and of a command after a `cd` of the model are relative to the new directory", () =>
	withWorkspace(project, async (ws) => {
		const host = talk(ws, "codex");
		const cwd = ws.path("src");
		const change = { cwd, file: "c.ts", from: '"c"', to: "1" };
		const inFolder = (step: Step) => withField(step, { cwd });
		expect(await hook(ws, host.name, inFolder(host.beforeEdit?.(change) as Step))).toEqual({});
		ws.write("src/c.ts", ws.read("src/c.ts").replace('"c"', "1"));
		const patched = host.modelText(await hook(ws, host.name, inFolder(host.afterEdit(change, ""))));
		expect(patched).toContain(ofString);
		expect(patched).toContain("1 error is new with this edit");
		// Claude Code was seen to behave so: the event after `cd` is the first with the new directory.
		const command = "cd src && sed -i 's/true/2/' a.ts";
		await hook(ws, host.name, host.beforeShell(command));
		execFileSync("sh", ["-c", command], { cwd: ws.root });
		expect(host.modelText(await hook(ws, host.name, inFolder(host.afterShell(command))))).toContain(ofBoolean);
		await hook(ws, host.name, inFolder(host.beforeShell("sed -i 's/\"a\"/3/' a.ts")));
		execFileSync("sed", ["-i", 's/"a"/3/', "a.ts"], { cwd });
		const there = host.modelText(await hook(ws, host.name, inFolder(host.afterShell("sed -i 's/\"a\"/3/' a.ts"))));
		expect(countsOf([there], ofString)).toEqual([1]);
	}));

test("claude-code: an edit of a notebook, which no server reads, is silent and starts no server", () =>
	withWorkspace({ ...project, "n.ipynb": '{ "cells": [] }\n' }, async (ws) => {
		const host = talk(ws, "claude-code");
		const { payload } = host.stop(false);
		// Recorded in 2.1.330: the earlier text has another field name than that of an edit.
		const call = {
			tool_name: "NotebookEdit",
			tool_input: {
				notebook_path: ws.path("n.ipynb"),
				cell_id: "c1",
				new_source: "x: str = 1",
				cell_type: "code",
				edit_mode: "replace",
			},
			tool_use_id: "toolu_0003",
		};
		const response = {
			new_source: "x: str = 1",
			old_source: "x = 1\n",
			cell_type: "code",
			language: "python",
			edit_mode: "replace",
			cell_id: "c1",
			error: "",
			notebook_path: ws.path("n.ipynb"),
			original_file: '{ "cells": [] }\n',
			updated_file: '{ "cells": [1] }\n',
		};
		const step = (event: string, more: object): Step => ({
			event,
			payload: { ...payload, hook_event_name: event, ...call, ...more },
		});
		expect(await hook(ws, host.name, step("PreToolUse", {}))).toEqual({});
		ws.write("n.ipynb", '{ "cells": [1] }\n');
		expect(await hook(ws, host.name, step("PostToolUse", { tool_response: response }))).toEqual({});
		expect(await hook(ws, host.name, host.stop(false))).toEqual({});
		const { servers } = JSON.parse((await ws.cli(["status", "--json"])).stdout) as { readonly servers: unknown[] };
		expect(servers).toEqual([]);
		expect([daemonsOf(ws).length, existsSync(join(ws.root, "n.ipynb"))]).toEqual([1, true]);
	}));
