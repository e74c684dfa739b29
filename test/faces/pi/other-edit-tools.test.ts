import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { runPi } from "./run-pi.ts";

/** An extension with the editing tools of other agents that pi lacks. They write their arguments. */
const TOOLS = `import { writeFileSync } from "node:fs";
import { join } from "node:path";
const parameters = { type: "object", properties: {}, additionalProperties: true };
export default function (pi) {
	for (const name of ["apply_patch", "multi_edit", "overwrite"])
		pi.registerTool({
			name, label: name, description: name, parameters,
			async execute(_id, { texts }, _signal, _update, ctx) {
				for (const [path, text] of Object.entries(texts)) writeFileSync(join(ctx.cwd, path), text);
				return { content: [{ type: "text", text: "Done: " + name }], details: {} };
			},
		});
}
`;
const RIGHT = "export const a: number = 1;\n";
const WRONG = 'export const a: number = "one";\n';
const FILES = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": `{ "graceMs": 20000, "mutatingTools": ["overwrite"] }`,
	"src/a.ts": RIGHT,
	"src/b.ts": RIGHT,
};

function withTools(body: (ws: Workspace, args: readonly string[]) => Promise<void>): Promise<void> {
	return withWorkspace(FILES, async (ws) => {
		ws.write("../tools.ts", TOOLS);
		await body(ws, ["-e", ws.path("../tools.ts")]);
	});
}

const BLOCK = (path: string) =>
	`<diagnostics file="${path}">\nERROR [1:14] Type 'string' is not assignable to type 'number'. (ts2322)\n</diagnostics>`;

test("the files of a patch are checked in pi if its own headers name them", () =>
	withTools(async (ws, args) => {
		const patch = `*** Begin Patch
*** Update File: src/a.ts
@@
-${RIGHT}+${WRONG}*** Update File: src/b.ts
@@
-${RIGHT}+${WRONG}*** End Patch
`;
		const texts = { "src/a.ts": WRONG, "src/b.ts": WRONG };
		const run = await runPi(
			ws,
			[{ calls: [{ name: "apply_patch", arguments: { patch, texts } }] }, { text: "Done." }],
			{ args, env: { LSP_DEBUG: "1" } },
		);
		expect(run.result()).toMatch(/^Done: apply_patch\n\nThe edit was applied\. LSP errors/);
		for (const path of ["src/a.ts", "src/b.ts"]) expect(run.result()).toContain(BLOCK(path));
		expect(run.result()).toContain("1 error is new with this edit.");
		const log = readFileSync(join(ws.base, "state/pi-lsp/daemon.log"), "utf8").split("\n").filter(Boolean);
		const checked = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "checked");
		expect(checked).toContainEqual(
			expect.objectContaining({
				server: "typescript",
				language: "typescript",
				file: ws.path("src/a.ts"),
				state: "fresh",
				ms: expect.any(Number),
				diagnostics: 1,
			}),
		);
	}));

test("the files of several edits in one call are checked in pi, named by the call or by each edit", () =>
	withTools(async (ws, args) => {
		const edit = { old_string: RIGHT, new_string: WRONG };
		const calls = [
			{ file_path: "src/a.ts", edits: [edit], texts: { "src/a.ts": WRONG } },
			{ edits: [{ ...edit, file_path: "src/b.ts" }], texts: { "src/b.ts": WRONG } },
		].map((input) => ({ calls: [{ name: "multi_edit", arguments: input }] }));
		const run = await runPi(ws, [...calls, { text: "Done." }], { args });
		expect(run.result(0)).toContain(BLOCK("src/a.ts"));
		expect(run.result(1)).toContain(BLOCK("src/b.ts"));
	}));

test("a tool that `mutatingTools` names is checked in pi as well", () =>
	withTools(async (ws, args) => {
		const call = { name: "overwrite", arguments: { path: "src/a.ts", texts: { "src/a.ts": WRONG } } };
		const run = await runPi(ws, [{ calls: [call] }, { text: "Done." }], { args });
		expect(run.result()).toContain(BLOCK("src/a.ts"));
	}));
