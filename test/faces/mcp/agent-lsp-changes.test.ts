import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { findProgram, withServers } from "../../live/languages.ts";
import { type Files, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { type Mcp, textOf, withMcp } from "./client.ts";
import { SEED_PROJECT } from "./seed-project.ts";

const PROJECT: Files = { ...SEED_PROJECT, ".pi-lsp.json": `{ "graceMs": 20000 }\n` };

/** Runs a test with profile agent-lsp; `ask` reads an answer as JSON. */
function withTools(
	files: Files,
	body: (
		mcp: Mcp & { ask(name: string, given: object): Promise<ReturnType<typeof JSON.parse>> },
		ws: Workspace,
	) => Promise<void>,
): Promise<void> {
	return withWorkspace(files, (ws) => {
		const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
		return withMcp(ws, { args: ["--profile", "agent-lsp"], env }, (mcp) =>
			body({ ...mcp, ask: async (name, given) => JSON.parse(await mcp.text(name, given)) }, ws),
		);
	});
}

test("rename_symbol answers with the edit and writes nothing; apply_edit writes it while the files are unchanged", () =>
	withTools(PROJECT, async ({ ask, call, text, client }, ws) => {
		const example = ws.path("src/example.ts");
		const given = { file_path: example, language_id: "typescript", line: 4, column: 17, new_name: "plus" };
		const edit = await ask("rename_symbol", given);
		const start = { line: 3, character: 16 };
		const uri = pathToFileURL(example).href;
		expect(edit.changes[uri]).toEqual([{ range: { start, end: { line: 3, character: 19 } }, newText: "plus" }]);
		expect(edit.changes[pathToFileURL(ws.path("src/consumer.ts")).href]).toHaveLength(2);
		const dry = await ask("rename_symbol", { ...given, dry_run: true });
		expect(dry.workspace_edit).toEqual(edit);
		expect(dry.preview.note).toBe("Dry run — no files were modified. Call apply_edit with workspace_edit to commit.");
		const without = await ask("rename_symbol", { ...given, exclude_globs: ["consumer.ts"] });
		expect(Object.keys(without.changes)).toEqual([uri]);
		expect(ws.read("src/example.ts")).toBe(PROJECT["src/example.ts"]);

		// The positions of the edit now belong to another text.
		ws.write("src/consumer.ts", `// one line more\n${PROJECT["src/consumer.ts"]}`);
		const refused = await call("apply_edit", { workspace_edit: edit });
		expect([refused.isError, textOf(refused)]).toEqual([
			true,
			expect.stringMatching(/^LSP_FILE_CHANGED: src\/consumer\.ts has changed since this edit was made/),
		]);
		expect(ws.read("src/example.ts")).toBe(PROJECT["src/example.ts"]);
		const again = await ask("rename_symbol", given);
		const applied = await text("apply_edit", { workspace_edit: again });
		expect(applied).toMatch(/^Edit applied successfully\n[\s\S]*Checked: nothing new is wrong\.\nundo: u1/);
		expect(applied).not.toContain("It is not known on which text");
		expect(ws.read("src/consumer.ts")).toContain("import { plus, Greeter");

		const hints = new Map((await client.listTools()).tools.map(({ name, annotations }) => [name, annotations]));
		for (const name of ["rename_symbol", "format_document", "format_range"])
			expect(hints.get(name)).toEqual({ readOnlyHint: true, openWorldHint: false });
		expect(hints.get("apply_edit")).toEqual({ destructiveHint: true, openWorldHint: false });
	}));

test("rename_symbol reports in agent-lsp's words that nothing can be renamed, and apply_edit refuses an invalid edit", () =>
	withTools(PROJECT, async ({ call, text }, ws) => {
		const file_path = ws.path("src/example.ts");
		expect(await text("rename_symbol", { file_path, line: 2, column: 3, new_name: "plus" })).toMatch(
			/^Rename not supported or symbol cannot be renamed at this location/,
		);
		for (const given of [
			{},
			{ workspace_edit: { nonsense: 1 } },
			{ workspace_edit: { changes: { "file:///etc/hosts": [] } }, file_path },
			{ file_path, old_text: "return a + b;" },
		])
			expect(textOf(await call("apply_edit", given)), JSON.stringify(given)).toMatch(/^LSP_INVALID_INPUT/);
		const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
		const outside = { changes: { "file:///tmp/outside.ts": [{ range, newText: "x" }] } };
		expect(textOf(await call("apply_edit", { workspace_edit: outside }))).toMatch(/^LSP_EDIT_REFUSED/);
		// An edit that was never answered may belong to another text: its result must at least parse.
		const own = { changes: { [pathToFileURL(file_path).href]: [{ range, newText: "function (" }] } };
		expect(textOf(await call("apply_edit", { workspace_edit: own }))).toContain("would not parse any more");
		expect(ws.read("src/example.ts")).toBe(PROJECT["src/example.ts"]);
	}));

test("format_document and format_range answer with edits of the whole file and of the range, which apply_edit takes", () =>
	withTools(
		{ ...PROJECT, "src/ugly.ts": "export const a   =  1;\nexport const b   =  2;\n" },
		async ({ ask, call, text }, ws) => {
			const file_path = ws.path("src/ugly.ts");
			const whole = await ask("format_document", { file_path, tab_size: 2, insert_spaces: true });
			expect(whole.length).toBeGreaterThan(1);
			expect(whole[0]).toMatchObject({ range: { start: { line: 0 } }, newText: expect.any(String) });
			const range = { start_line: 2, start_column: 1, end_line: 2, end_column: 23 };
			const part = await ask("format_range", { file_path, ...range });
			expect(part.every((edit: { range: { start: { line: number } } }) => edit.range.start.line === 1)).toBe(true);
			const wrong = await call("format_range", { file_path, ...range, start_line: 2, end_line: 1 });
			expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringMatching(/^LSP_INVALID_INPUT/)]);
			expect(ws.read("src/ugly.ts")).toContain("b   =  2");
			const workspace_edit = { changes: { [pathToFileURL(file_path).href]: part } };
			expect(await text("apply_edit", { workspace_edit })).not.toContain("It is not known on which text");
			expect(ws.read("src/ugly.ts")).toBe("export const a   =  1;\nexport const b = 2;\n");
			// The edits of the whole file belong to another text.
			const stale = await call("apply_edit", {
				workspace_edit: { changes: { [pathToFileURL(file_path).href]: whole } },
			});
			expect(textOf(stale)).toMatch(/^LSP_FILE_CHANGED/);
		},
	));

test("get_code_actions has the edit of each action, and apply_edit also takes old and new text", () =>
	withTools({ ...PROJECT, "src/use.ts": "export const three = add(1, 2);\n" }, async ({ ask, call, text }, ws) => {
		const file_path = ws.path("src/use.ts");
		const range = { start_line: 1, start_column: 22, end_line: 1, end_column: 25 };
		const actions = await ask("get_code_actions", { file_path, ...range });
		const add = actions.find(({ title }: { title: string }) => title.startsWith("Add import"));
		expect(add).toMatchObject({ kind: "quickfix", diagnostics: [{ message: expect.stringContaining("'add'") }] });
		expect(await text("apply_edit", { workspace_edit: add.edit })).toContain("Checked: nothing new is wrong.");
		expect(ws.read("src/use.ts")).toMatch(/^import \{ add \} from "\.\/example(?:\.ts)?";/);
		await text("apply_edit", { file_path, old_text: "add(1, 2)", new_text: "add(3, 4)" });
		const missing = await call("apply_edit", { file_path, old_text: "add(1, 2)", new_text: "add(3, 4)" });
		expect([missing.isError, textOf(missing)]).toEqual([true, expect.stringMatching(/^LSP_/)]);
		expect(ws.read("src/use.ts")).toContain("add(3, 4)");
	}));

test("the symbol tools change whole declarations and report the errors afterwards; safe_delete_symbol keeps used symbols", () =>
	withTools(PROJECT, async ({ call, text }, ws) => {
		const file_path = ws.path("src/example.ts");
		const used = await call("safe_delete_symbol", { file_path, symbol_path: "add" });
		expect([used.isError, textOf(used)]).toEqual([
			true,
			expect.stringMatching(/places? refers? to it: .*consumer\.ts/),
		]);
		const code = "export function twice(a: number): number {\n\treturn add(a, a);\n}";
		expect(await text("insert_before_symbol", { file_path, symbol_path: "add", code })).toContain(
			"errors_after: 0, warnings_after: 0",
		);
		// The code is above the comment of `add`, not between the two.
		expect(ws.read("src/example.ts")).toMatch(/^export function twice[\s\S]*\/\*\*\n \* A simple[\s\S]*function add\(/);
		const bad = `greet(person: Person): string { return 1; }`;
		expect(await text("replace_symbol_body", { file_path, symbol_path: "Greeter.greet", new_body: bad })).toMatch(
			/errors_after: 1, warnings_after: 0$/,
		);
		const block = await call("replace_symbol_body", { file_path, symbol_path: "add", new_body: "{ return 1; }" });
		expect(textOf(block)).toMatch(/^LSP_INVALID_INPUT: .*with its signature/);
		expect(await text("safe_delete_symbol", { file_path, symbol_path: "twice" })).toContain("deleted: function twice");
		expect(ws.read("src/example.ts")).not.toContain("twice");
	}));

test.skipIf(findProgram("gopls") === undefined)(
	"a one-line function of Go is replaced within its line, and code is inserted above a doc comment, where agent-lsp corrupts both",
	() =>
		withTools(
			{
				"go.mod": "module sample\n\ngo 1.21\n",
				"greet.go":
					'package sample\n\n// Greet greets.\nfunc Greet() string { return "a" }\n\nfunc other() string { return Greet() }\n',
			},
			async ({ text }, ws) => {
				const file_path = ws.path("greet.go");
				const new_body = 'func Greet() string {\n\treturn "b"\n}';
				await text("replace_symbol_body", { file_path, symbol_path: "Greet", new_body });
				await text("insert_before_symbol", { file_path, symbol_path: "Greet", code: "const word = 1" });
				await text("insert_after_symbol", { file_path, symbol_path: "Greet", code: "const last = 2" });
				expect(ws.read("greet.go")).toBe(
					'package sample\n\nconst word = 1\n\n// Greet greets.\nfunc Greet() string {\n\treturn "b"\n}\n\nconst last = 2\n\nfunc other() string { return Greet() }\n',
				);
			},
		),
);

test("execute_command requires a file of the server, and lsp_actions is the generic tool's name of code_actions", () =>
	withTools(PROJECT, async ({ call, text }, ws) => {
		expect(textOf(await call("execute_command", { command: "x" }))).toMatch(/^LSP_INVALID_INPUT: .*file_path/);
		const unknown = await call("execute_command", { command: "x", arguments: [{ uri: ws.path("src/example.ts") }] });
		expect(textOf(unknown)).toMatch(/^LSP_UNSUPPORTED_REQUEST/);
		expect(await text("lsp_actions", { file: "src/example.ts", line: 4 })).toBe(
			"No server has a fix or a refactoring for this place.",
		);
		expect(await text("lsp_format", { file: "src/consumer.ts", dry_run: true })).toMatch(/nothing to change|would be/);
	}));
