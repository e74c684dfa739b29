import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { AnyOperation } from "../../../src/contract/operation.ts";
import { parseInput } from "../../../src/daemon/parse-input.ts";
import { aliasCallFor } from "../../../src/faces/tools/compat-tools.ts";
import { OfferedTools } from "../../../src/faces/tools/profiles.ts";
import { operations } from "../../../src/operations/index.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";
import { SEED_PROJECT, shapeOf } from "./seed-project.ts";

const twoWrong = "export class Outer {\n  method() {\n    inMethod;\n  }\n}\noutside;\n";
const wrongAtTheEdges = {
	"src/begin.ts": "private function begun(): void {}\nbegun();\n",
	"src/end.ts": "export function ended() {\n\treturn 1;",
};
const profile = { args: ["--profile", "agent-lsp"] };
const source = (ws: Workspace, name: string) => ws.path("src", name);

/** A location as agent-lsp's reference prints it. */
const location = (file: string, line: number, column: number, endLine: number, endColumn: number) => ({
	file,
	line,
	column,
	end_line: endLine,
	end_column: endColumn,
});

test("the tools are those of agent-lsp's page that pi-lsp has", () =>
	withWorkspace({}, (ws) =>
		withMcp(ws, profile, async ({ client }) => {
			const names = (await client.listTools()).tools.map(({ name }) => name);
			expect(names).toEqual(
				expect.arrayContaining([
					"start_lsp",
					"restart_lsp_server",
					"open_document",
					"close_document",
					"add_workspace_folder",
					"remove_workspace_folder",
					"list_workspace_folders",
					"get_diagnostics",
					"get_info_on_location",
					"get_document_symbols",
					"get_references",
					"go_to_definition",
					"did_change_watched_files",
					"set_log_level",
					"get_server_capabilities",
					"detect_lsp_servers",
					"get_completions",
					"get_signature_help",
					"get_code_actions",
					"get_workspace_symbols",
					"go_to_type_definition",
					"go_to_implementation",
					"go_to_declaration",
					"prepare_rename",
					"call_hierarchy",
					"type_hierarchy",
					"get_inlay_hints",
					"get_semantic_tokens",
					"get_document_highlights",
					"get_tests_for_file",
					"go_to_symbol",
					"get_symbol_source",
					"get_symbol_documentation",
				]),
			);
			expect(new Set(names).size).toBe(names.length);
		}),
	));

test("locations are absolute and count from 1, as on the page", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, profile, async ({ text }) => {
			const file_path = source(ws, "consumer.ts");
			const ask = async (name: string, given: object) => JSON.parse(await text(name, given));
			const use = { file_path, language_id: "typescript", line: 4, column: 13 };
			expect(await ask("go_to_definition", use)).toEqual([location(source(ws, "example.ts"), 4, 17, 4, 20)]);
			const byPattern = { file_path, position_pattern: "= @@add(1" };
			expect(await ask("go_to_definition", byPattern)).toEqual([location(source(ws, "example.ts"), 4, 17, 4, 20)]);
			const twice = { file_path, position_pattern: "@@add" };
			await expect(text("go_to_definition", twice)).rejects.toThrow("LSP_SYMBOL_AMBIGUOUS");
			const scope = { line_scope_start: 4, line_scope_end: 4 };
			expect(await ask("go_to_definition", { ...twice, ...scope })).toEqual([
				location(source(ws, "example.ts"), 4, 17, 4, 20),
			]);
			const declared = { file_path: source(ws, "example.ts"), language_id: "typescript", line: 4, column: 17 };
			const found = await ask("get_references", { ...declared, include_declaration: true });
			expect(found).toHaveLength(3);
			expect(found).toEqual(
				expect.arrayContaining([
					location(source(ws, "example.ts"), 4, 17, 4, 20),
					location(file_path, 1, 10, 1, 13),
					location(file_path, 4, 13, 4, 16),
				]),
			);
			expect(await ask("get_references", declared)).toHaveLength(2);
			expect(await text("get_info_on_location", use)).toContain("A simple function that adds two numbers");
			expect(await text("get_info_on_location", { ...use, line: 2, column: 1 })).toMatch(
				/^\nThe server has nothing to say about this place\./,
			);
		}),
	));

test("each tool that takes a pattern takes the lines of its matches", () => {
	const taking = new OfferedTools({ withCheck: true })
		.of("agent-lsp")
		.filter(({ input }) => "position_pattern" in input.properties);
	expect(taking.length).toBeGreaterThan(10);
	const sample = { file_path: "/project/a.ts", position_pattern: "@@a", line_scope_start: 2, line_scope_end: 3 };
	for (const { name, input, parse } of taking) {
		const others = (input.required ?? []).filter((key) => !(key in sample)).map((key) => [key, "x"]);
		const { operation, inputs } = parse({ ...Object.fromEntries(others), ...sample }, { cwd: "/project" });
		const found = operations.find((each) => each.name === operation) as AnyOperation;
		expect(parseInput(found, inputs[0]), name).toMatchObject({ pattern: "@@a", line: 2, end_line: 3 });
	}
});

test("a call that an answer names has its position as line and column, not as the lines of a pattern", () => {
	const input = { file: "/project/a.ts", line: 3, column: 2 };
	const call = aliasCallFor("agent-lsp", { operation: "hover", input, why: "" });
	expect(call).toBe('get_info_on_location {"file_path":"/project/a.ts","line":3,"column":2}');
});

test("diagnostics are grouped by the declaration around them if that is requested", () =>
	withWorkspace({ ...SEED_PROJECT, "src/two.ts": twoWrong, ...wrongAtTheEdges }, (ws) =>
		withMcp(ws, profile, async ({ text }) => {
			const file_path = source(ws, "two.ts");
			const uri = pathToFileURL(file_path).href;
			const found = JSON.parse(await text("get_diagnostics", { file_path, group_by: "symbol" }));
			expect(found).toEqual({
				symbols: [
					{
						symbol: "Outer.method",
						uri,
						diagnostics: [expect.objectContaining({ message: "Cannot find name 'inMethod'." })],
					},
				],
				ungrouped: { [uri]: [expect.objectContaining({ message: "Cannot find name 'outside'." })] },
			});
			const plain = JSON.parse(await text("get_diagnostics", { file_path }));
			expect(plain[uri]).toHaveLength(2);
			// A diagnostic at a declaration's first letter, and one right after its last, belong to the declaration.
			for (const [name, symbol] of [
				["begin", "begun"],
				["end", "ended"],
			] as const) {
				const edge = { file_path: source(ws, `${name}.ts`), group_by: "symbol" };
				const grouped = JSON.parse(await text("get_diagnostics", edge));
				expect(grouped).toMatchObject({ symbols: [{ symbol, diagnostics: [{}] }], ungrouped: {} });
			}
		}),
	));

test("diagnostics count from 0 under URIs, symbols from 1 as a tree or an outline", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, profile, async ({ text }) => {
			const ask = async (name: string, given: object) => JSON.parse(await text(name, given));
			const uri = pathToFileURL(source(ws, "wrong.ts")).href;
			const printed = {
				range: { start: { line: 43, character: 6 }, end: { line: 43, character: 21 } },
				severity: 1,
				code: 2304,
				source: "ts",
				message: "Cannot find name 'undefinedVariable'.",
			};
			const wrong = await ask("get_diagnostics", { file_path: source(ws, "wrong.ts") });
			expect(Object.keys(wrong)).toEqual([uri]);
			expect(shapeOf(wrong[uri])).toEqual([shapeOf(printed)]);
			expect(wrong[uri][0]).toMatchObject({
				...printed,
				range: { start: { line: 2, character: 14 }, end: { line: 2, character: 31 } },
			});
			const clean = pathToFileURL(source(ws, "consumer.ts")).href;
			expect(await ask("get_diagnostics", { file_path: source(ws, "consumer.ts") })).toEqual({ [clean]: [] });
			ws.write("unknown.xyz", "x\n");
			await expect(ask("get_diagnostics", { file_path: ws.path("unknown.xyz") })).rejects.toThrow(
				"LSP_UNSUPPORTED_FILE",
			);
			expect(Object.keys(await ask("get_diagnostics", {})).sort()).toEqual([clean, uri]);

			const file = { file_path: source(ws, "example.ts"), language_id: "typescript" };
			const tree = await ask("get_document_symbols", file);
			expect(tree[0]).toEqual({
				name: "add",
				kind: 12,
				range: { start: { line: 4, character: 1 }, end: { line: 6, character: 2 } },
				selectionRange: { start: { line: 4, character: 17 }, end: { line: 4, character: 20 } },
			});
			expect(tree[1].children.map(({ name, kind }: { name: string; kind: number }) => [name, kind])).toEqual([
				["name", 7],
				["age", 7],
				["email", 7],
			]);
			const outline = await text("get_document_symbols", { ...file, format: "outline" });
			expect(outline.split("\n").slice(0, 2)).toEqual(["add [Function] :4", "Person [Interface] :11"]);
		}),
	));

const at = (line: number, character: number) => ({ line, character });
const span = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) });

test("answers of LSP keep their own forms, and count from 0 if the page says so", () =>
	withWorkspace({ ...SEED_PROJECT, "src/example.test.ts": 'import { add } from "./example.ts";\nadd(3, 4);\n' }, (ws) =>
		withMcp(ws, profile, async ({ text }) => {
			const ask = async (name: string, given: object) => JSON.parse(await text(name, given));
			const example = { file_path: source(ws, "example.ts"), language_id: "typescript" };
			const consumer = { file_path: source(ws, "consumer.ts"), language_id: "typescript" };

			expect(await ask("get_document_highlights", { ...consumer, line: 4, column: 13 })).toEqual([
				{ range: span(0, 9, 12), kind: expect.any(Number) },
				{ range: span(3, 12, 15), kind: expect.any(Number) },
			]);
			expect(await ask("prepare_rename", { ...example, line: 4, column: 17 })).toEqual({
				range: span(3, 16, 19),
				placeholder: "add",
			});
			const help = await ask("get_signature_help", { ...consumer, line: 4, column: 20 });
			expect(help).toEqual({
				signatures: [
					{
						label: "add(a: number, b: number): number",
						documentation: { kind: "markdown", value: expect.stringContaining("adds two numbers") },
						parameters: [{ label: [4, 13] }, { label: [15, 24] }],
					},
				],
				activeSignature: 0,
				activeParameter: 1,
			});
			const items = await ask("get_completions", { ...consumer, line: 10, column: 21 });
			expect(items.map(({ label, kind }: { label: string; kind: number }) => [label, kind])).toEqual([
				["greeting", 5],
				["greet", 2],
			]);
			const type = await ask("go_to_type_definition", { ...consumer, line: 7, column: 7 });
			expect(type).toMatchObject([{ file: source(ws, "example.ts"), line: 11, column: 18 }]);
			const item = { name: "add", kind: 12, uri: pathToFileURL(source(ws, "example.ts")).href };
			const calls = await ask("call_hierarchy", { ...example, line: 4, column: 17, direction: "incoming" });
			expect(calls.items).toMatchObject([{ ...item, selectionRange: span(3, 16, 19) }]);
			expect(calls.incoming[0]).toEqual({
				from: {
					name: expect.any(String),
					kind: expect.any(Number),
					uri: pathToFileURL(source(ws, "consumer.ts")).href,
					range: expect.any(Object),
					selectionRange: expect.any(Object),
				},
				fromRanges: [span(3, 12, 15)],
			});
			expect(calls).not.toHaveProperty("outgoing");
			const context = await ask("get_editing_context", example);
			expect(context.symbols[0]).toEqual({
				...{ name: "add", kind: "function", start_line: 4, end_line: 6 },
				signature: "export function add(a: number, b: number): number",
			});
			expect(context.callers[0]).toMatchObject({
				symbol: "add",
				non_test: [{ file: source(ws, "consumer.ts") }],
				test: [{ file: source(ws, "example.test.ts") }],
			});
			expect(Object.keys(context._meta.token_savings)).toEqual(["tokens_full_file", "tokens_returned", "tokens_saved"]);
			const again = await ask("get_editing_context", { ...example, if_none_match: context.etag });
			expect(again).toEqual({ file: example.file_path, etag: context.etag, not_modified: true });
			const [greeter] = await ask("get_workspace_symbols", { query: "Greeter" });
			expect(greeter).toMatchObject({
				name: "Greeter",
				kind: 5,
				location: { uri: pathToFileURL(source(ws, "example.ts")).href, range: { start: at(19, 0) } },
			});
			expect(await ask("go_to_symbol", { symbol_path: "Greeter.greet" })).toEqual([
				location(source(ws, "example.ts"), 27, 3, 27, 8),
			]);
			expect(await ask("get_symbol_source", { ...example, line: 5, character: 3 })).toEqual({
				symbol_name: "add",
				symbol_kind: "Function",
				start_line: 4,
				end_line: 6,
				source: "export function add(a: number, b: number): number {\n  return a + b;\n}",
			});
			expect((await ask("get_tests_for_file", { file_path: example.file_path })).test_files).toEqual([
				source(ws, "example.test.ts"),
			]);
			const whole = { start_line: 1, start_column: 1, end_line: 4, end_column: 100 };
			const tokens = await ask("get_semantic_tokens", { ...consumer, ...whole });
			const printed = { line: 5, character: 5, length: 11, token_type: "function", token_modifiers: ["definition"] };
			expect(Object.keys(tokens[0])).toEqual(Object.keys(printed));
			expect(tokens).toContainEqual(
				expect.objectContaining({ line: 4, character: 13, length: 3, token_type: "function" }),
			);
			const hints = await ask("get_inlay_hints", { ...consumer, ...whole });
			expect(hints).toEqual(
				expect.arrayContaining([
					{ position: at(3, 16), label: "a:", kind: 2, paddingRight: true },
					{ position: at(3, 19), label: "b:", kind: 2, paddingRight: true },
				]),
			);
			ws.write("src/unimported.ts", "export const sum = add(1, 2);\n");
			const fixes = await ask("get_code_actions", { file_path: source(ws, "unimported.ts"), ...whole, end_line: 1 });
			const newText = expect.stringContaining("import { add }");
			expect(fixes).toContainEqual({
				title: 'Add import from "./example.ts"',
				kind: "quickfix",
				diagnostics: [{ message: "Cannot find name 'add'." }],
				edit: {
					changes: { [pathToFileURL(source(ws, "unimported.ts")).href]: [{ range: expect.anything(), newText }] },
				},
			});
		}),
	));

test("the `_meta` of an answer that replaces the reading of a file gives the number of tokens saved", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, profile, async ({ call }) => {
			const file_path = source(ws, "example.ts");
			const whole = Math.ceil(ws.read("src/example.ts").length / 4);
			for (const [name, given] of [
				["list_symbols", { file_path }],
				["list_symbols", { file_path, format: "outline" }],
				["get_symbol_source", { file_path, line: 5, column: 3 }],
				["get_editing_context", { file_path }],
			] as const) {
				const { _meta = {} } = await call(name, given);
				const { tokens_full_file, tokens_returned, tokens_saved } = _meta.token_savings as Record<string, number>;
				expect(tokens_full_file, name).toBe(whole);
				expect(tokens_saved, name).toBe(Math.max(whole - Number(tokens_returned), 0));
				if (name === "get_symbol_source") expect(tokens_saved).toBeGreaterThan(0);
			}
		}),
	));

test("the tools that control servers start, restart and describe them", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, profile, async ({ text }) => {
			const ask = async (name: string, given: object) => JSON.parse(await text(name, given));
			expect(await text("start_lsp", { root_dir: ws.root, language_id: "typescript" })).toContain("ready");
			const waiting = { root_dir: ws.root, language_id: "typescript", ready_timeout_seconds: 20 };
			expect(await text("start_lsp", waiting)).toContain("ready");
			expect(await text("open_document", { file_path: source(ws, "wrong.ts") })).toContain("src/wrong.ts");
			const opened = { file_path: source(ws, "wrong.ts"), text: SEED_PROJECT["src/wrong.ts"] };
			expect(await text("open_document", opened)).toContain("src/wrong.ts");
			await expect(text("open_document", { ...opened, text: "export {};\n" })).rejects.toThrow(
				/LSP_INVALID_INPUT: open: text is not what stands in src\/wrong\.ts/,
			);
			const folder = { uri: pathToFileURL(ws.root).href, name: ws.root };
			expect(await ask("list_workspace_folders", {})).toEqual({ workspace_folders: [folder] });
			ws.write("src/other.ts", "export const other = 1;\n");
			const changes = [
				{ uri: pathToFileURL(source(ws, "other.ts")).href, type: 1 },
				{ uri: pathToFileURL(source(ws, "example.ts")).href, type: 2 },
			];
			expect((await text("did_change_watched_files", { changes })).split("\n")).toEqual([
				"Notified 1 server.",
				"Notified 1 server.",
			]);
			expect(await text("set_log_level", { level: "debug" })).toContain("frames");
			const able = await ask("get_server_capabilities", {});
			expect(Object.keys(able).sort()).toEqual([
				"capabilities",
				"server_name",
				"server_version",
				"skills",
				"supported_tools",
				"unsupported_tools",
			]);
			expect(able.skills).toHaveLength(26);
			expect(able.skills).toContainEqual({ name: "lsp-rename", status: "supported" });
			// TypeScript 7 has no hierarchy of types.
			expect(able.skills).toContainEqual({
				name: "lsp-implement",
				status: "partial",
				missing_optional: ["type_hierarchy"],
			});
			expect(able.supported_tools).toEqual(expect.arrayContaining(["go_to_definition", "start_lsp"]));
			expect(able.capabilities.hoverProvider).toBe(true);
			expect(able.capabilities.completionProvider).toMatchObject({ triggerCharacters: expect.any(Array) });
			const printed = {
				workspace_dir: "/home/user/projects/myproject",
				workspace_languages: ["go", "typescript"],
				installed_servers: [
					{ language: "go", server: "gopls", path: "/usr/local/bin/gopls", config_entry: "go:gopls" },
				],
				suggested_config: ["go:gopls", "typescript:typescript"],
			};
			const { not_installed: _, ...detected } = await ask("detect_lsp_servers", { workspace_dir: ws.root });
			expect(shapeOf(detected)).toEqual(shapeOf(printed));
			expect(detected.workspace_languages).toContain("typescript");
			expect(detected.suggested_config).toContain("typescript:typescript");
			ws.write("sub/only.json", "{}\n");
			const below = await ask("detect_lsp_servers", { workspace_dir: ws.path("sub") });
			expect(below.workspace_languages).toEqual(["json"]);
			await expect(ask("detect_lsp_servers", { workspace_dir: ws.path("gone") })).rejects.toThrow("LSP_FILE_NOT_FOUND");
			await expect(ask("add_workspace_folder", { path: ws.path("gone") })).rejects.toThrow("LSP_FILE_NOT_FOUND");
			expect(await text("close_document", { file_path: source(ws, "wrong.ts") })).toContain("src/wrong.ts");
			expect(await text("restart_lsp_server", {})).toMatch(/^Stopped \d/);
		}),
	));

test("get_server_capabilities names all servers if there are several", () => {
	const one = { server: "one", version: "1.0", encoding: "utf-16", supported: [], unsupported: [], offers: ["hover"] };
	const { version: _, ...two } = { ...one, server: "two", offers: ["rename"] };
	const { aliases = [] } = operations.find(({ name }) => name === "capabilities") as AnyOperation;
	const answer = aliases[0]?.toOutput?.({ servers: [one, two] } as never, {} as never, { names: () => [] } as never);
	expect(answer).toMatchObject({
		server_name: "one",
		servers: [
			{ server_name: "one", server_version: "1.0" },
			{ server_name: "two", server_version: null },
		],
		capabilities: { hoverProvider: true, renameProvider: true },
	});
});

test("find_callers names the callers that start a symbol elsewhere, in agent-lsp's form, if that is requested", () =>
	withWorkspace(
		{
			...SEED_PROJECT,
			"src/later.ts":
				"export function work(): void {}\n\nexport function later(): void {\n\twork();\n\tqueueMicrotask(work);\n}\n",
		},
		(ws) =>
			withMcp(ws, profile, async ({ text }) => {
				const at = { file_path: source(ws, "later.ts"), line: 1, column: 17, direction: "incoming" };
				const plain = JSON.parse(await text("find_callers", at));
				expect(Object.keys(plain)).toEqual(["items", "incoming"]);
				const { concurrent_callers: concurrent, ...rest } = JSON.parse(
					await text("find_callers", { ...at, cross_concurrent: true }),
				);
				expect(rest).toEqual(plain);
				expect(concurrent).toMatchObject([
					{
						caller: { name: "later", kind: 12, selectionRange: { start: { line: 2, character: 16 } } },
						pattern: "queueMicrotask",
						file: source(ws, "later.ts"),
						line: 5,
					},
				]);
			}),
	));

test("newer names work, ranges and lists of values are obeyed, and an operation without a server is an error", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, profile, async ({ call, text }) => {
			const file_path = source(ws, "consumer.ts");
			const use = { file_path, line: 4, column: 13 };
			for (const [name, older, given] of [
				["inspect_symbol", "get_info_on_location", use],
				["find_references", "get_references", use],
				["find_callers", "call_hierarchy", use],
				["list_symbols", "get_document_symbols", { file_path }],
				["find_symbol", "get_workspace_symbols", { query: "Greeter" }],
			] as const)
				expect(await text(name, given), name).toBe(await text(older, given));

			const tokens = async (start: number, end: number) => {
				const range = { file_path, start_line: 4, start_column: start, end_line: 4, end_column: end };
				return JSON.parse(await text("get_semantic_tokens", range)) as { character: number }[];
			};
			const all = await tokens(1, 100);
			expect(all.length).toBeGreaterThan(1);
			expect(await tokens(13, 15)).toEqual(all.filter(({ character }) => character === 13));

			const hints = async (start: number, end: number) => {
				const range = { file_path, start_line: 4, start_column: start, end_line: 4, end_column: end };
				return JSON.parse(await text("get_inlay_hints", range)) as { position: { character: number } }[];
			};
			expect((await hints(1, 100)).map(({ position }) => position.character)).toEqual([9, 16, 19]);
			expect((await hints(15, 18)).map(({ position }) => position.character)).toEqual([16]);

			const members = JSON.parse(await text("get_completions", { file_path, line: 10, column: 21 }));
			expect(members.map(({ label, insertText = label }: Record<string, string>) => insertText)).toEqual([
				"greeting",
				"greet",
			]);

			const changes = [{ uri: pathToFileURL(file_path).href, type: 9 }];
			for (const [name, given, what] of [
				["set_log_level", { level: "loud" }, "level: Expected one of debug, info"],
				[
					"get_workspace_symbols",
					{ query: "add", detail_level: "bogus" },
					"detail_level: Expected one of basic, hover",
				],
				["did_change_watched_files", { changes }, "changes.0.type: Expected"],
				["did_change_watched_files", { changes: [] }, "changes: Expected"],
			] as const) {
				const refused = await call(name, given);
				expect([refused.isError, textOf(refused)], name).toEqual([true, expect.stringContaining(what)]);
			}

			const wrong = await call("get_document_symbols", { file_path, format: "xml" });
			expect([wrong.isError, textOf(wrong)]).toEqual([
				true,
				expect.stringMatching(/^LSP_INVALID_INPUT: .*format: Expected one of json, outline/),
			]);
			const nothing = await call("get_symbol_source", { file_path, line: 2, column: 1 });
			expect([nothing.isError, textOf(nothing)]).toEqual([true, expect.stringMatching(/^LSP_SYMBOL_NOT_FOUND: /)]);
		}),
	));
