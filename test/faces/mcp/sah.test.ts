import { join } from "node:path";
import { expect, test } from "vitest";
import { withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";
import { namedFake } from "./fake.ts";
import { SEED_PROJECT, shapeOf } from "./seed-project.ts";

/** The answers that swissarmyhammer's reference prints. */
const printed = {
	definition: {
		definitions: [
			{
				file_path: "/path/to/definition.rs",
				line: 42,
				column: 5,
				preview: "pub fn create_agent(config: &AgentConfig) -> Result<Agent> {",
			},
		],
	},
	references: {
		references: [
			{
				file_path: "/src/main.rs",
				line: 15,
				column: 10,
				preview: "    let agent = create_agent(&config)?;",
				is_declaration: false,
			},
		],
		total_count: 2,
	},
	diagnostics: {
		diagnostics: [
			{
				file_path: "/src/main.rs",
				line: 23,
				column: 5,
				end_line: 23,
				end_column: 15,
				severity: "error",
				code: "E0425",
				message: "cannot find value `undefined_var` in this scope",
				source: "rust-analyzer",
			},
		],
		summary: { errors: 1, warnings: 3, info: 0, hints: 2 },
	},
	hover: {
		contents: {
			type_info: "fn create_agent(config: &AgentConfig) -> Result<Agent, Error>",
			documentation: "Creates a new agent from the given configuration.",
			source_module: "swissarmyhammer_agent::factory",
		},
	},
};

const schema = {
	type: "object",
	properties: {
		operation: {
			type: "string",
			enum: ["definition", "references", "diagnostics", "hover"],
			description: "The LSP operation to perform",
		},
		file_path: { type: "string", description: "Absolute path to the file" },
		line: {
			type: "integer",
			description: "Line number (1-based). Required for definition, references, hover.",
			minimum: 1,
		},
		column: {
			type: "integer",
			description: "Column number (1-based). Required for definition, references, hover.",
			minimum: 1,
		},
		include_declaration: {
			type: "boolean",
			description: "Include the declaration in results (references only)",
			default: true,
		},
		severity_filter: {
			type: "string",
			enum: ["error", "warning", "info", "hint", "all"],
			description: "Filter by minimum severity (diagnostics only)",
			default: "all",
		},
		limit: { type: "integer", description: "Maximum number of results to return (diagnostics only)", default: 100 },
	},
	required: ["operation", "file_path"],
};

test("the one tool has the parameters and defaults of swissarmyhammer's page", () =>
	withWorkspace({}, (ws) =>
		withMcp(ws, { args: ["--profile", "sah"] }, async ({ client }) => {
			const { tools } = await client.listTools();
			expect(tools.map(({ name }) => name)).toEqual(["lsp"]);
			const { properties, ...rest } = tools[0]?.inputSchema ?? { properties: {} };
			expect(rest).toEqual({ type: "object", required: schema.required });
			const { operation, ...others } = properties as typeof schema.properties;
			const { operation: wanted, ...wantedOthers } = schema.properties;
			expect({ ...operation, enum: [...operation.enum].sort() }).toEqual({ ...wanted, enum: [...wanted.enum].sort() });
			expect(others).toEqual(wantedOthers);
		}),
	));

test("each operation answers in the form of the page: absolute paths, counted from 1", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, { args: ["--profile", "sah"] }, async ({ text }) => {
			const path = (file: string) => join(ws.root, "src", file);
			const ask = async (operation: string, given: object) => JSON.parse(await text("lsp", { operation, ...given }));
			const add = { file_path: path("consumer.ts"), line: 4, column: 13 };

			const defined = await ask("definition", add);
			expect(shapeOf(defined)).toEqual(shapeOf(printed.definition));
			const preview = "export function add(a: number, b: number): number {";
			expect(defined.definitions).toEqual([{ file_path: path("example.ts"), line: 4, column: 17, preview }]);

			const used = await ask("references", add);
			expect(shapeOf(used)).toEqual(shapeOf(printed.references));
			const listed = used.references.map((found: Record<string, unknown>) => [
				found.file_path,
				found.line,
				found.column,
				found.is_declaration,
			]);
			expect(listed).toEqual([
				[path("consumer.ts"), 1, 10, false],
				[path("consumer.ts"), 4, 13, false],
				[path("example.ts"), 4, 17, true],
			]);
			expect(used.total_count).toBe(3);
			const others = await ask("references", { ...add, include_declaration: false });
			expect(others.total_count).toBe(2);

			const wrong = await ask("diagnostics", { file_path: path("wrong.ts"), severity_filter: "error", line: 1 });
			const { state, ...answer } = wrong;
			expect(state).toBe("fresh");
			const [{ related, ...first }] = wrong.diagnostics;
			expect(related).toEqual([]);
			expect(shapeOf({ ...answer, diagnostics: [first] })).toEqual(shapeOf(printed.diagnostics));
			expect(first).toMatchObject({
				line: 3,
				column: 15,
				end_line: 3,
				end_column: 32,
				code: "2304",
				severity: "error",
			});
			expect(wrong.summary.errors).toBe(1);
			const below = await ask("diagnostics", { file_path: join(ws.root, "src"), severity_filter: "error" });
			expect(below.diagnostics).toEqual(wrong.diagnostics);

			expect(below.omitted).toBeUndefined();
			ws.write("src/two.ts", "export {};\nmissing1;\nmissing2;\n");
			const cut = await ask("diagnostics", { file_path: path("two.ts"), limit: 1 });
			expect(cut).toMatchObject({ diagnostics: [{ line: 2 }], summary: { errors: 2 }, omitted: 1 });

			const { contents } = await ask("hover", add);
			expect(Object.keys(contents)).toEqual(Object.keys(printed.hover.contents));
			expect(contents.type_info).toContain("function add(a: number, b: number): number");
			expect(contents.documentation).toBe("A simple function that adds two numbers");
			// TypeScript's server does not name the module; rust-analyzer does (below).
			expect(contents.source_module).toBeNull();
		}),
	));

test("a hover of rust-analyzer names the module separately, and related locations are reported", () =>
	withWorkspace({ "a.fake": "one\n" }, async (ws) => {
		const { type_info, documentation, source_module } = printed.hover.contents;
		const contents = `\`\`\`rust\n${source_module}\n\`\`\`\n\n\`\`\`rust\n${type_info}\n\`\`\`\n\n---\n\n${documentation}`;
		const position = { line: 0, character: 0 };
		const range = { start: position, end: { line: 0, character: 3 } };
		const uri = `file://${join(ws.root, "a.fake")}`;
		const item = {
			range,
			severity: 1,
			message: "no",
			relatedInformation: [{ location: { uri, range }, message: "did you mean" }],
		};
		const fake = namedFake(ws, {
			on: [
				{ method: "textDocument/hover", do: [{ reply: { contents } }] },
				{ method: "textDocument/diagnostic", do: [{ reply: { kind: "full", items: [item] } }] },
			],
			capabilities: { diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } },
		});
		await withMcp(ws, { args: ["--profile", "sah", fake.pair] }, async ({ text }) => {
			const file_path = join(ws.root, "a.fake");
			const hover = JSON.parse(await text("lsp", { operation: "hover", file_path, line: 1, column: 1 }));
			expect(hover).toEqual({ contents: { type_info, documentation, source_module } });
			const { diagnostics } = JSON.parse(await text("lsp", { operation: "diagnostics", file_path }));
			expect(diagnostics[0].related).toEqual([{ file_path, line: 1, message: "did you mean" }]);
		});
	}));

test("an error has the form of the page", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, { args: ["--profile", "sah"] }, async ({ call }) => {
			const refused = async (given: object) => {
				const result = await call("lsp", given);
				expect(result.isError).toBe(true);
				return JSON.parse(textOf(result)).error;
			};
			const file_path = join(ws.root, "tsconfig.xyz");
			ws.write("tsconfig.xyz", "x\n");
			const error = await refused({ operation: "hover", file_path, line: 1, column: 1 });
			expect(error).toMatchObject({
				code: "LSP_UNSUPPORTED_FILE",
				message: expect.stringContaining(".xyz"),
				details: { file_path, extension: ".xyz", supported_extensions: expect.arrayContaining([".rs", ".ts", ".tsx"]) },
			});
			// A file that is not proven is no file without diagnostics.
			expect(await refused({ operation: "diagnostics", file_path })).toEqual(error);
			expect(await refused({ operation: "hover", file_path })).toMatchObject({
				code: "LSP_INVALID_INPUT",
				message: expect.stringContaining("line"),
			});
		}),
	));

test("the names work in every profile, by the arguments of the call", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, {}, async ({ text }) => {
			const file_path = join(ws.root, "src/consumer.ts");
			const seed = await text("lsp", { operation: "definition", file_path, line: 4, column: 13 });
			expect(JSON.parse(seed).definitions).toHaveLength(1);
			const ours = await text("lsp", { operation: "definition", input: { file: "src/consumer.ts", symbol: "add" } });
			expect(ours).toContain("src/example.ts");
			expect(await text("lsp_goto_definition", { filePath: file_path, line: 3, character: 12 })).toBe(
				"src/example.ts:4:17",
			);
			expect(await text("lsp_hover", { filePath: file_path, line: 3, character: 12 })).toContain("function add");
			expect(await text("lsp_hover", { file: "src/consumer.ts", symbol: "add" })).toContain("function add");
		}),
	));
