import { expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { withMcp } from "../mcp/client.ts";
import { lsp } from "./calls.ts";
import { runPi } from "./run-pi.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet("you");\n`,
};
const RENAME = { file: "src/greet.ts", symbol: "greet", new_name: "salute" };

test("a rename and a change of a symbol are written in pi while pi locks their files, and undo takes them back", () =>
	withWorkspace(PROJECT, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [lsp("rename", RENAME)] },
			{ calls: [lsp("undo", {})] },
			{ calls: [lsp("delete_symbol", { file: "src/greet.ts", symbol: "greet" })] },
			{ calls: [lsp("insert_after", { file: "src/greet.ts", symbol: "greet", code: "export const a = 1;" })] },
			{ calls: [lsp("undo", {})] },
			{ text: "Done." },
		]);
		expect(run.result(0)).toContain("renamed greet → salute · 3 places in 2 files");
		expect(run.result(0)).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(run.result(1)).toContain("taken back: rename greet → salute");
		expect(run.result(2)).toContain("greet is not deleted: 2 places refer to it: src/app.ts:1, src/app.ts:3.");
		expect(run.result(3)).toContain("inserted after function greet\n1 file: src/greet.ts\n");
		expect(run.result(4)).toContain("taken back: insert after greet");
		for (const file of ["src/greet.ts", "src/app.ts"]) expect(ws.read(file)).toBe(PROJECT[file]);
	}));

test("a rename is written at once over MCP, and a refused one is an error that names its code", () =>
	withWorkspace(PROJECT, (ws) =>
		withMcp(ws, {}, async ({ call: ask, text }) => {
			expect((await ask("lsp_rename", { ...RENAME, new_name: "class" })).isError).toBe(true);
			expect(ws.read("src/app.ts")).toBe(PROJECT["src/app.ts"]);
			expect(await text("lsp_rename", RENAME)).toContain("undo: u1");
			expect(ws.read("src/app.ts")).toContain(`salute("you")`);
		}),
	));
