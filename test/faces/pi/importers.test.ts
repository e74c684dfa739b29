import { expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { diagnosticsBlock, edit, edited, write, wrote } from "./calls.ts";
import { runPi } from "./run-pi.ts";

const GREET = "export function greet(name: string): string {\n\treturn name;\n}\n";
const GREET_TWICE = "export function greet(name: string, times: number): string {\n\treturn name.repeat(times);\n}\n";
const CALL = `import { greet } from "./greet.ts";\n\nexport const hello = greet("you");\n`;
const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	// Diagnostics that a busy machine reports late are in the edit's own result here, since these tests are about its
	// words.
	".pi-lsp.json": `{ "graceMs": 20000 }`,
	"src/greet.ts": GREET,
	"src/app.ts": CALL,
	"src/main.ts": CALL,
	"src/alone.ts": "export const alone = 1;\n",
};
const ERROR = "[3:22] Expected 2 arguments, but got 1. (ts2554)";
const DONE = { text: "Done." };

test("an edit names the importers that it broke in one line, and a repair is silent", () =>
	withWorkspace(PROJECT, async (ws) => {
		const repair = (path: string) => edit(path, [`greet("you")`, `greet("you", 2)`]);
		const run = await runPi(ws, [
			{ calls: [edit("src/greet.ts", ["name: string)", "name: string, times: number)"])] },
			{ calls: [repair("src/app.ts"), repair("src/main.ts")] },
			DONE,
		]);
		const appended = run.result(0).slice(edited("src/greet.ts").length);
		expect(appended).toContain("broke 2 other files: src/app.ts (1 error), src/main.ts (1 error)");
		const signature = "exported greet(name: string): string is now (name: string, times: number): string";
		expect(appended.trim().split("\n")).toEqual([
			`The edit was applied. ${signature}; 2 callers in 2 files, 2 fail`,
			expect.stringMatching(/^It newly broke 2 other files: /),
		]);
		expect(run.results(1)).toEqual([edited("src/app.ts"), edited("src/main.ts")]);
	}));

test("an edit that breaks one importer reports it in the singular", () =>
	withWorkspace({ ...PROJECT, "src/main.ts": "export {};\n" }, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [edit("src/greet.ts", ["name: string)", "name: string, times: number)"])] },
			DONE,
		]);
		expect(run.result()).toContain("broke 1 other file: src/app.ts (1 error)");
	}));

test("a write shows the importers that it broke in full", () =>
	withWorkspace(PROJECT, async (ws) => {
		const run = await runPi(ws, [{ calls: [write("src/greet.ts", GREET_TWICE)] }, DONE]);
		const text = run.result();
		expect(text.startsWith(`${wrote("src/greet.ts", GREET_TWICE)}\n\n`)).toBe(true);
		const blocks = [diagnosticsBlock("src/app.ts", [ERROR]), diagnosticsBlock("src/main.ts", [ERROR])];
		expect(text).toContain(`LSP errors detected in other files, 2 files:\n${blocks.join("\n")}`);
		expect(text).not.toContain("detected in this file");
	}));

test("an error that an importer had before is not attributed to the edit", () =>
	withWorkspace(
		{ ...PROJECT, "src/app.ts": `import { greet } from "./greet.ts";\n\nexport const n: number = greet("you");\n` },
		async (ws) => {
			const run = await runPi(ws, [
				{ calls: [edit("src/greet.ts", ["return name", "return name.trim()"])] },
				{ calls: [edit("src/greet.ts", ["name: string)", "name: string | undefined)"])] },
				DONE,
			]);
			expect(run.result(0)).toBe(edited("src/greet.ts"));
			expect(run.result(1)).toContain("src/greet.ts");
			expect(run.result(1)).not.toContain("src/app.ts");
		},
	));

test("an importer that was never opened is found through a chain of exports", () =>
	withWorkspace(
		{ ...PROJECT, "src/index.ts": `export * from "./greet.ts";\n`, "src/app.ts": CALL.replace("greet.ts", "index.ts") },
		async (ws) => {
			const run = await runPi(ws, [
				{ calls: [edit("src/greet.ts", ["name: string)", "name: string, times: number)"])] },
				DONE,
			]);
			expect(run.result()).toContain("broke 2 other files: src/app.ts (1 error), src/main.ts (1 error)");
		},
	));
