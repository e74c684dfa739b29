import { expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { diagnosticsBlock } from "./calls.ts";
import { runPi } from "./run-pi.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": `// Kept apart.\n\n/** Says hello. */\nexport function greet(name: string): string {\n\treturn name;\n}\n`,
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const hello = greet("you");\nexport const count: number = greet("me");\n`,
};
const CORE = "calls context definition diagnostics explore find hover references source symbols"
	.split(" ")
	.map((name) => `lsp_${name}`);
const DONE = { text: "Done." };

test("the model gets the tools of core, each with its arguments", () =>
	withWorkspace(PROJECT, async (ws) => {
		const run = await runPi(ws, [DONE]);
		const tools = run.requests[0]?.tools.filter(({ name }) => name.startsWith("lsp_")) ?? [];
		expect(tools.map(({ name }) => name).filter((name) => CORE.includes(name))).toHaveLength(CORE.length);
		for (const { name, description, parameters } of tools) {
			expect(description.length, name).toBeGreaterThan(20);
			const asked = name === "lsp_find" ? "symbol" : "file";
			expect(parameters, name).toMatchObject({ type: "object", properties: { [asked]: { type: "string" } } });
		}
		// Google's API refuses these words in a schema.
		expect(JSON.stringify(tools)).not.toMatch(/"(anyOf|oneOf|const)":/);
		const [system] = run.requests[0]?.messages ?? [];
		for (const name of CORE) expect(system?.text).toContain(`- ${name}: `);
	}));

test.each([
	["lsp_hover", { file: "src/app.ts", symbol: "greet" }, ["function greet(name: string): string", "Says hello."]],
	["lsp_definition", { file: "src/app.ts", symbol: "greet" }, ["src/greet.ts", "4: export function greet("]],
	[
		"lsp_references",
		{ file: "src/greet.ts", symbol: "greet" },
		["src/app.ts", `3: export const hello = greet("you");`, "4: export const count"],
	],
	["lsp_symbols", { file: "src/greet.ts" }, ["function greet  4-6"]],
	[
		"lsp_diagnostics",
		{ file: "src/app.ts" },
		[diagnosticsBlock("src/app.ts", ["[4:14] Type 'string' is not assignable to type 'number'. (ts2322)"])],
	],
])("%s answers with the relevant line", (name, given, expected) =>
	withWorkspace(PROJECT, async (ws) => {
		const run = await runPi(ws, [{ calls: [{ name, arguments: given }] }, DONE]);
		for (const text of expected) expect(run.result()).toContain(text);
	}),
);

test("a query by line and column has the same result as a query by name", () =>
	withWorkspace(PROJECT, async (ws) => {
		const at = (given: object) => ({ name: "lsp_definition", arguments: { file: "src/app.ts", ...given } });
		const run = await runPi(ws, [{ calls: [at({ symbol: "greet" }), at({ line: 3, column: 22 })] }, DONE]);
		const [byName, byColumn] = run.results();
		expect(byColumn).toBe(byName);
		expect(byName).toContain("src/greet.ts");
	}));

test("only a proven file is called clean", () =>
	withWorkspace(PROJECT, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [{ name: "lsp_diagnostics", arguments: { file: "src/greet.ts" } }] },
			{ calls: [{ name: "lsp_diagnostics", arguments: { file: "package.txt" } }] },
			DONE,
		]);
		expect(run.result(0)).toBe("src/greet.ts: clean");
		expect(run.result(1)).toContain("LSP_FILE_NOT_FOUND");
	}));

test("a missing symbol is a failed call with a suggestion, and the run continues", () =>
	withWorkspace(PROJECT, async (ws) => {
		const call = { name: "lsp_hover", arguments: { file: "src/app.ts", symbol: "absent" } };
		const run = await runPi(ws, [{ calls: [call] }, DONE], { mode: "json" });
		expect(run.result()).toContain("LSP_SYMBOL_NOT_FOUND");
		expect(run.result()).toContain("`lsp_symbols` lists the names in the file.");
		expect(run.events.find((event) => event.type === "tool_execution_end")?.isError).toBe(true);
	}));
