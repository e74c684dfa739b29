import { expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { withMcp } from "../mcp/client.ts";
import { runPi } from "./run-pi.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet("you");\n`,
};
const call = (operation: string, input: object) => ({ name: "lsp", arguments: { operation, input } });
const RENAME = { file: "src/greet.ts", symbol: "greet", new_name: "salute" };

test("in pi a rename is written while pi holds its files, and undo takes it back", () =>
	withWorkspace(PROJECT, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [call("rename", RENAME)] },
			{ calls: [call("undo", {})] },
			{ text: "Done." },
		]);
		expect(run.result(0)).toContain("renamed greet → salute · 3 places in 2 files");
		expect(run.result(0)).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(run.result(1)).toContain("taken back: rename greet → salute");
		for (const file of ["src/greet.ts", "src/app.ts"]) expect(ws.read(file)).toBe(PROJECT[file]);
	}));

test("over MCP a rename is written at once, and one that is refused is an error that names its code", () =>
	withWorkspace(PROJECT, (ws) =>
		withMcp(ws, {}, async ({ call: ask, text }) => {
			expect((await ask("lsp_rename", { ...RENAME, new_name: "class" })).isError).toBe(true);
			expect(ws.read("src/app.ts")).toBe(PROJECT["src/app.ts"]);
			expect(await text("lsp_rename", RENAME)).toContain("undo: u1");
			expect(ws.read("src/app.ts")).toContain(`salute("you")`);
		}),
	));
