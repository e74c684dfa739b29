import { expect, test } from "vitest";
import { withWorkspace } from "../../support/workspace.ts";
import { withMcp } from "./client.ts";
import { SEED_PROJECT } from "./seed-project.ts";

/** The tools of llxprt's integration B3, each with the page's description. */
const printed = {
	lsp_goto_definition: /^Navigate to the definition of a symbol at a given position/,
	lsp_find_references: /^Find all references to a symbol at a given position/,
	lsp_hover: /^Get type information and documentation for a symbol/,
	lsp_document_symbols: /^List all symbols \(functions, classes, variables\) in a file/,
	lsp_workspace_symbols: /^Search for symbols across the entire workspace/,
	lsp_diagnostics: /^Retrieve current diagnostics for all known files/,
};

/** The use of `add` in src/consumer.ts, line 4: llxprt counts from 0. */
const use = { filePath: "src/consumer.ts", line: 3, character: 12 };

/** Parameters and answers of the product that were added for the page, which prints none. */
const examples: readonly [keyof typeof printed, object, string][] = [
	["lsp_goto_definition", use, "src/example.ts:4:17"],
	["lsp_find_references", use, "src/consumer.ts:1:10\nsrc/consumer.ts:4:13\nsrc/example.ts:4:17"],
	["lsp_document_symbols", { filePath: "src/example.ts" }, "add - 4:1\nPerson - 11:1\nGreeter - 20:1"],
	["lsp_workspace_symbols", { query: "Greeter" }, "Greeter - src/example.ts:20:1"],
	["lsp_diagnostics", {}, "src/wrong.ts:3:15 Cannot find name 'undefinedVariable'."],
];

test("the tools are those of llxprt's page", () =>
	withWorkspace({}, (ws) =>
		withMcp(ws, { args: ["--profile", "llxprt"] }, async ({ client }) => {
			const { tools } = await client.listTools();
			expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(printed).sort());
			for (const { name, description } of tools) expect(description).toMatch(printed[name as keyof typeof printed]);
		}),
	));

test("each tool answers in lines of path, line and column", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, { args: ["--profile", "llxprt"] }, async ({ text }) => {
			expect(await text("lsp_diagnostics", {})).toBe("No file is open in a server");
			await text("open_document", { file_path: "src/wrong.ts" });
			for (const [name, given, answer] of examples) expect(await text(name, given), name).toBe(answer);
			expect(await text("lsp_hover", use)).toContain("A simple function that adds two numbers");
			const nowhere = { ...use, line: 1, character: 0 };
			expect(await text("lsp_hover", nowhere)).toBe("No hover information");
			expect(await text("lsp_goto_definition", nowhere)).toBe("No definition found");
			expect(await text("lsp_find_references", nowhere)).toMatch(/^No references found/);
			expect(await text("lsp_workspace_symbols", { query: "zzzqqq" })).toMatch(/^No symbols found/);
		}),
	));

test("a diagnostic that is no error has its severity in words", () =>
	withWorkspace({ ...SEED_PROJECT, "src/idle.ts": "export function f(): void {\n\tconst idle = 1;\n}\n" }, (ws) =>
		withMcp(ws, { args: ["--profile", "llxprt"] }, async ({ text }) => {
			for (const file_path of ["src/idle.ts", "src/wrong.ts"]) await text("open_document", { file_path });
			expect(await text("lsp_diagnostics", {})).toBe(
				"src/idle.ts:2:8 hint: 'idle' is declared but its value is never read.\n" +
					"src/wrong.ts:3:15 Cannot find name 'undefinedVariable'.",
			);
		}),
	));
