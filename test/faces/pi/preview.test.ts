import { expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { lsp } from "./calls.ts";
import { runPi } from "./run-pi.ts";

const GREET = "export function greet(name: string): string {\n\treturn name;\n}\n";
const FILES: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": `{ "coldMs": 60000, "warmMs": 60000 }`,
	"src/greet.ts": GREET,
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet("you");\n`,
};
const DONE = { text: "Done." };
const replaced = (oldText: string, newText: string) => ({ path: "src/greet.ts", edits: [{ oldText, newText }] });

test("an edit is tried in pi with the arguments of pi's own tools, and written if it is clean", () =>
	withWorkspace(FILES, async (ws) => {
		const breaking = replaced("name: string", "name: number");
		const steps = [
			{ calls: [lsp("preview", breaking)] },
			{ calls: [lsp("preview", { path: "src/greet.ts", content: GREET.replace("name: string", "name: number") })] },
			{ calls: [lsp("compare", { candidates: [breaking, replaced("return name", "return name + name")] })] },
			{ calls: [lsp("apply_if_clean", breaking)] },
			{ calls: [lsp("preview", replaced("absent", "x"))] },
			DONE,
		];
		const run = await runPi(ws, steps);
		const judged = run.result();
		expect(judged).toContain("Nothing was written. It would cause 2 errors (net +2). LSP errors detected in this file");
		expect(judged).toContain(`<diagnostics file="src/app.ts">\nERROR [3:27] `);
		// Lines that the model has read are not repeated.
		expect(run.result(1)).toContain("It would cause 2 errors (net +2).");
		expect(run.result(2)).toContain("Best: 2. Nothing was written.");
		expect(run.result(3)).toContain("Nothing was written.");
		expect(run.result(4)).toContain("LSP_EDIT_REFUSED: src/greet.ts cannot be changed: the text does not occur in it");
		expect(ws.read("src/greet.ts")).toBe(GREET);
		const written = await runPi(ws, [
			{ calls: [lsp("apply_if_clean", replaced("return name", "return name + name"))] },
			DONE,
		]);
		expect(written.result()).toContain("undo: u1");
		expect(ws.read("src/greet.ts")).toContain("return name + name");
	}));

test("a session of edits is begun, judged and written in pi", () =>
	withWorkspace(FILES, async (ws) => {
		const begun = await runPi(ws, [{ calls: [lsp("simulate_begin", {})] }, DONE]);
		const session = /session (s[0-9a-f]{16}) in /.exec(begun.result())?.[1];
		const edits = [replaced("return name", "return nam"), replaced("return nam", "return name + name")];
		const run = await runPi(ws, [
			{ calls: [lsp("simulate_chain", { session, edits })] },
			{ calls: [lsp("simulate_evaluate", { session })] },
			{ calls: [lsp("simulate_commit", { session, apply: true })] },
			{ calls: [lsp("simulate_end", { session })] },
			DONE,
		]);
		expect(run.result()).toContain("Safe through step 2.");
		expect(run.result(1)).toContain("Nothing was written. It would break nothing.");
		expect(run.result(2)).toContain("undo: u1");
		expect(run.result(3)).toContain("The session has ended.");
		expect(ws.read("src/greet.ts")).toBe(GREET.replace("return name", "return name + name"));
	}));
