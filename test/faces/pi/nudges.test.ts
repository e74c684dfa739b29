import { expect, test } from "vitest";
import { searchedName } from "../../../src/faces/pi/searched-name.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { bash, write } from "./calls.ts";
import { runPi } from "./run-pi.ts";
import type { ScriptedCall } from "./scripted-model.ts";

const project: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": 'import { greet } from "./greet.ts";\n\nexport const a = greet("a") + greet("b");\n',
	"src/one.ts": "export const alpha = 1;\nexport const beta = alpha;\n",
	"src/two.ts":
		'import { alpha, beta } from "./one.ts";\nexport const gamma = alpha + beta;\nexport const both = gamma;\n',
	"src/twice.ts": "export const again = () => 0;\nexport const use = again;\n",
	"src/again.ts": "export const again = () => 0;\n",
	".pi-lsp.json": `{ "coldMs": 50000, "warmMs": 50000 }`,
};
const DONE = { text: "Done." };
/** The server is warm after this edit. */
const warm: ScriptedCall = write("src/new.ts", 'import { gamma } from "./two.ts";\nexport const fresh = gamma;\n');
/** The search ends after the server has surely answered, and soon if no request is expected. */
const search = (words: string, seconds = 3): ScriptedCall => bash(`${words}; sleep ${seconds}`);
const nudge = /^\d+ uses? in \d+ files?: .*$/m;

test.concurrent("A search for a symbol's name is answered once with the number of its uses and the call that lists them", () =>
	withWorkspace(project, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [warm] },
			{ calls: [search("grep -rn greet src")] },
			{ calls: [search("grep -rn greet src", 1)] },
			{ calls: [search("grep -rn '\\bagain\\b' src")] },
			{ calls: [search("grep -rn 'return name' src", 1)] },
			DONE,
		]);
		expect(run.result(1)).toContain("src/app.ts:3:");
		expect(nudge.exec(run.result(1))?.[0]).toBe(
			'3 uses in 1 file: lsp_references {"file":"src/greet.ts","symbol":"greet"}',
		);
		// The searches are for a name that was answered already, one that is declared twice, and no name.
		for (const turn of [2, 3, 4]) expect(run.result(turn)).not.toMatch(nudge);
	}));

test.concurrent("A session gets this answer for three symbols at most", () =>
	withWorkspace(project, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [warm] },
			{ calls: [search("grep -rn alpha src")] },
			{ calls: [search("git grep beta")] },
			{ calls: [search("grep -rn 'const gamma' src")] },
			{ calls: [search("grep -rn 'greet(' src", 1)] },
			DONE,
		]);
		const nudges = [1, 2, 3].map((turn) => nudge.exec(run.result(turn))?.[0]);
		expect(nudges[0]).toBe('3 uses in 2 files: lsp_references {"file":"src/one.ts","symbol":"alpha"}');
		expect(nudges[1]).toContain('"symbol":"beta"');
		expect(nudges[2]).toContain('"symbol":"gamma"');
		expect(run.result(4)).not.toMatch(nudge);
	}));

test.concurrent("A search without a running server, or with the setting off, adds nothing and starts nothing", async () => {
	await withWorkspace(project, async (ws) => {
		const run = await runPi(ws, [{ calls: [search("grep -rn greet src", 1)] }, DONE]);
		expect(run.result()).not.toMatch(nudge);
		expect((await ws.cli(["daemon", "status"])).stdout).toContain("not running");
		await ws.cli(["daemon", "start"]);
		await runPi(ws, [{ calls: [search("grep -rn greet src", 1)] }, DONE]);
		expect((await ws.cli(["daemon", "status"])).stdout).toContain("No language server is running");
	});
	await withWorkspace({ ...project, ".pi-lsp.json": `{ "nudges": false, "coldMs": 50000 }` }, async (ws) => {
		const run = await runPi(ws, [{ calls: [warm] }, { calls: [search("grep -rn greet src", 1)] }, DONE]);
		expect(run.result(1)).not.toMatch(nudge);
	});
});

test.each([
	["grep -rn greet src", "greet"],
	["grep -rn '\\bgreet\\b' src/ --include=*.ts", "greet"],
	["grep --include '*.ts' -A 3 -rn greet .", "greet"],
	["cd src && rg -t ts 'function greet\\('", "greet"],
	["git grep -n -e greet", "greet"],
	["grep 'class Store' src/a.ts", "Store"],
	["cat src/a.ts | grep greet", undefined],
	["grep -rn 'greet the' src", undefined],
	["grep -rn TODO: src", undefined],
	["grep -c $NAME src/a.ts", undefined],
	["ls", undefined],
])("the command %s searches for the name %s", (command, name) => {
	expect(searchedName({ toolName: "bash", toolCallId: "1", input: { command } })).toBe(name);
});

test("the pattern of a search is read from pi's search tool, and from no other tool", () => {
	const call = { toolCallId: "1", input: { pattern: "\\bgreet\\(", command: "grep -rn greet src" } };
	expect(searchedName({ ...call, toolName: "grep" })).toBe("greet");
	expect(searchedName({ ...call, toolName: "read" })).toBeUndefined();
});
