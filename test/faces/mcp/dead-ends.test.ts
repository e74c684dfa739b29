import { expect, test } from "vitest";
import { withServers } from "../../live/languages.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";

const settings = { warmMs: 50_000, coldMs: 50_000 };
const project: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": JSON.stringify(settings),
	"src/handed.ts":
		"export function twice(n: number): number {\n\treturn 2 * n;\n}\nexport const all = [1].map(twice);\n",
	"src/shape.ts": "export interface Shape {\n\treadonly area: number;\n}\nexport const shape: Shape = { area: 1 };\n",
	"src/used.ts": 'import { shape } from "./shape.ts";\n\nexport const a = shape.area;\n',
};

/** The call, and the call that its last line names. */
const deadEnds: readonly (readonly [string, object, string])[] = [
	["calls", { file: "src/handed.ts", symbol: "twice" }, 'lsp_references {"file":"src/handed.ts","symbol":"twice"}'],
	["calls", { file: "src/handed.ts", symbol: "all" }, 'lsp_references {"file":"src/handed.ts","symbol":"all"}'],
	["tests_for", { file: "src/shape.ts" }, 'lsp {"operation":"impact","input":{"files":["src/shape.ts"]}}'],
	[
		"signature",
		{ file: "src/shape.ts", symbol: "area", line: 2 },
		'lsp_hover {"file":"src/shape.ts","symbol":"area","line":2}',
	],
];

test("An empty answer names the call that finds more, with its arguments, and that call finds more", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, { env: withServers(ws.env) }, async ({ call }) => {
			const asked = async (operation: string, input: object) =>
				textOf(await call("lsp", { operation, input })).split("\n");
			for (const [operation, input, next] of deadEnds) {
				const lines = await asked(operation, input);
				expect(lines.at(-1), lines.join("\n")).toBe(`next: ${next}`);
				const [, tool = "", args = "{}"] = /^(\S+) (\{.*\})$/.exec(next) ?? [];
				const followed = await call(tool, JSON.parse(args) as object);
				expect(followed.isError ?? false, textOf(followed)).toBe(false);
				expect(textOf(followed)).not.toContain("next: ");
			}
			const found = await asked("references", { file: "src/shape.ts", symbol: "shape" });
			expect(found.join("\n")).not.toContain("next: ");
			const nowhere = await asked("calls", { file: "src/shape.ts", line: 3, column: 1 });
			expect(nowhere.join("\n")).not.toContain("next: ");
			ws.write(".pi-lsp.json", JSON.stringify({ ...settings, nextStep: false }));
			const without = await asked("calls", { file: "src/handed.ts", symbol: "twice" });
			expect(without.join("\n")).toContain("No callers.");
			expect(without.join("\n")).not.toContain("next: ");
		}),
	));

test("An empty answer in agent-lsp's form has pi-lsp's words after it", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, { args: ["--profile", "agent-lsp"], env: withServers(ws.env) }, async ({ call }) => {
			const asked = async (tool: string, input: object) =>
				(await call(tool, input)).content.map((part) => (part.type === "text" ? part.text : part.type));
			expect(await asked("go_to_symbol", { symbol_path: "Nowhere.at_all" })).toEqual([
				"[]",
				expect.stringMatching(/ is called "Nowhere\.at_all"\./),
			]);
			const use = { file_path: ws.path("src/used.ts"), line: 2, column: 1 };
			expect(await asked("get_info_on_location", use)).toEqual([
				"",
				expect.stringMatching(/^The server has nothing to say about this place\./),
			]);
			expect(await asked("get_workspace_symbols", { query: "zzzqqq" })).toEqual([
				"[]",
				expect.stringContaining("zzzqqq"),
			]);
			const nothing = await call("did_change_watched_files", { changes: [] });
			expect([nothing.isError, textOf(nothing)]).toEqual([
				true,
				expect.stringMatching(/^LSP_INVALID_INPUT: .*changes/),
			]);
		}),
	));
