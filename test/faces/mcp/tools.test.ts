import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import type { AnyOperation } from "../../../src/contract/operation.ts";
import { answerText } from "../../../src/faces/tools/format-answer.ts";
import { writeToolCall } from "../../../src/faces/tools/profiles.ts";
import { slimInput } from "../../../src/faces/tools/slim-input.ts";
import { operations } from "../../../src/operations/index.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";
import { namedFake } from "./fake.ts";
import { withModern } from "./modern.ts";

const project: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "/** Says hello. */\nexport function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": 'import { greet } from "./greet.ts";\n\nconst loud: number = greet("you");\nconsole.log(loud);\n',
};

/** A query on the command line, and the same to a tool. */
const questions: readonly [readonly string[], string, object][] = [
	[["hover", "src/app.ts", "greet"], "lsp_hover", { file: "src/app.ts", symbol: "greet" }],
	[["references", "src/greet.ts", "greet"], "lsp_references", { file: "src/greet.ts", symbol: "greet" }],
	[["check", "src/app.ts"], "lsp_check", { files: ["src/app.ts"] }],
];

describe("the tools that are listed", () => {
	const core = operations.filter(({ name, core }) => core || name === "check");

	test("are those of the core, each as its operation is declared", () =>
		withWorkspace({}, (ws) =>
			withMcp(ws, {}, async ({ client }) => {
				const listed = (await client.listTools()).tools;
				expect(listed.map(({ name }) => name)).toEqual([...core.map(({ name }) => `lsp_${name}`), "lsp"]);
				const tools = listed.slice(0, -1);
				for (const [index, { name, title, description, inputSchema, outputSchema }] of tools.entries()) {
					const operation = core[index];
					expect({ title, description }, name).toEqual({
						title: operation?.title,
						description: operation?.description,
					});
					expect(inputSchema, name).toEqual(
						JSON.parse(JSON.stringify(slimInput(operation?.input as AnyOperation["input"]))),
					);
					expect(outputSchema, name).toBeUndefined();
				}
				expect(client.getInstructions()).toMatch(/lsp_check/);
				expect(client.getServerVersion()).toMatchObject({ name: "pi-lsp" });
			}),
		));

	test("cost a model at most 2,200 tokens in either era, with all that stands in the list", () =>
		withWorkspace({}, async (ws) => {
			const cost = (tools: readonly { readonly name: string }[]) => {
				const each = tools.map((tool) => [tool.name, encode(JSON.stringify(tool)).length]);
				ws.record(each.map((pair) => pair.join(" ")).join(", "));
				return encode(JSON.stringify(tools)).length;
			};
			await withMcp(ws, {}, async ({ client }) =>
				expect(cost((await client.listTools()).tools)).toBeLessThanOrEqual(2200),
			);
			await withModern(ws, [], async (client) =>
				expect(cost((await client.listTools()).tools)).toBeLessThanOrEqual(2200),
			);
		}));

	test("only read with --profile read, and no other name reaches a tool that writes or controls", () =>
		withWorkspace(project, (ws) =>
			withMcp(ws, { args: ["--profile", "read"] }, async ({ client, call, text }) => {
				const { tools } = await client.listTools();
				expect(tools.map(({ name }) => name)).toContain("lsp_check");
				expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
				const help = await text("lsp", { operation: "help" });
				expect(help).toContain("references: ");
				// A sentence that is cut at a list ends in a colon.
				expect(help.split("\n").filter((line) => line.endsWith(":"))).toEqual([]);
				for (const { name, effect } of operations) {
					expect(help.includes(`\n${name}: `) || help.startsWith(`${name}: `), name).toBe(effect === "read");
					if (effect === "read") continue;
					const { input } = operations.find((each) => each.name === name)?.example ?? {};
					const [direct, generic] = [call(`lsp_${name}`, input as object), call("lsp", { operation: name, input })];
					for (const result of [await direct, await generic]) {
						expect(result.isError, name).toBe(true);
						expect(textOf(result), name).toContain("LSP_UNKNOWN_OPERATION");
					}
				}
				expect(ws.read("src/greet.ts")).toBe(project["src/greet.ts"]);
			}),
		));

	test("are all operations with --profile all, with annotations that match their effects", () =>
		withWorkspace({}, (ws) =>
			withMcp(ws, { args: ["--profile", "all"] }, async ({ client }) => {
				const { tools } = await client.listTools();
				expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => `lsp_${name}`));
				for (const [index, { name, annotations }] of tools.entries()) {
					const effect = operations[index]?.effect;
					const {
						readOnlyHint = false,
						destructiveHint = true,
						idempotentHint = false,
						openWorldHint,
					} = annotations ?? {};
					expect([readOnlyHint, openWorldHint], name).toEqual([effect === "read", false]);
					// The protocol defines these hints only for tools that change something.
					if (readOnlyHint) continue;
					expect([destructiveHint, idempotentHint], name).toEqual([effect === "write", effect !== "write"]);
				}
			}),
		));

	test.each(["core", "read", "all", "sah", "llxprt", "agent-lsp"])(
		"come with instructions that name one of them: %s",
		(profile) =>
			withWorkspace({}, (ws) =>
				withMcp(ws, { args: ["--profile", profile] }, async ({ client }) => {
					const names = (await client.listTools()).tools.map(({ name }) => name);
					const [, named = ""] = /, run (\w+).* on them before you go on\./.exec(client.getInstructions() ?? "") ?? [];
					expect(names).toContain(named);
				}),
			),
	);

	test("come with the instructions of the profile that the configuration names", () =>
		withWorkspace({ ".pi-lsp.json": '{ "profile": "agent-lsp" }' }, (ws) =>
			withMcp(ws, {}, async ({ client }) => {
				expect(client.getInstructions()).toContain("run get_diagnostics");
				expect(client.getInstructions()).not.toContain("lsp_");
			}),
		));

	test("are none if pi-lsp is switched off", () =>
		withWorkspace({}, (ws) =>
			withMcp(ws, { env: { ...ws.env, PI_LSP: "0" } }, async ({ client, call }) => {
				expect((await client.listTools()).tools).toEqual([]);
				expect(client.getInstructions()).toBeUndefined();
				expect(textOf(await call("lsp_check", { files: ["a.ts"] }))).toMatch(/^LSP_DISABLED/);
			}),
		));
});

test("a tool answers with the text that the command line prints for the same data", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async ({ call }) => {
			for (const [args, name, input] of questions) {
				const result = await call(name, input);
				const { stdout } = await ws.cli([...args, "--json"]);
				const operation = operations.find((each) => each.name === args[0]) as AnyOperation;
				// The texts are equal except for the next step, which is a command there and a call of a tool here.
				expect(textOf(result), name).toBe(answerText(operation, JSON.parse(stdout), input, writeToolCall));
				expect(result.isError, name).toBeUndefined();
				expect(result.structuredContent, name).toBeUndefined();
			}
			expect(textOf(await call("lsp_check", { files: ["src/app.ts"] }))).toContain("ERROR [3:7]");
			expect(textOf(await call("lsp_hover", { file: "src/app.ts", symbol: "greet" }))).toContain("Says hello.");
		}),
	));

test("with --structured, an answer also has the data of --json, which fits the listed schema", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, { args: ["--structured"] }, async ({ client, call }) => {
			// The client has the schemas from here on, and refuses a result that does not fit its own.
			const { tools } = await client.listTools();
			expect(tools.filter(({ outputSchema }) => outputSchema?.type !== "object").map(({ name }) => name)).toEqual([
				"lsp",
			]);
			const timeless = (value: unknown) => JSON.parse(JSON.stringify(value, (key, part) => (key === "ms" ? 0 : part)));
			for (const [args, name, input] of questions) {
				const { structuredContent } = await call(name, input);
				const { stdout } = await ws.cli([...args, "--json"]);
				expect(timeless(structuredContent), name).toEqual(timeless(JSON.parse(stdout)));
			}
			const refused = await call("lsp_hover", {
				file: "src/none.ts",
				symbol: "greet",
			});
			expect(refused).toMatchObject({ isError: true });
			expect(refused.structuredContent).toBeUndefined();
		}),
	));

test("with --structured, a file that is not proven has its state, and does not look clean", () =>
	withWorkspace({ "a.fake": "one\n", ".pi-lsp.json": '{ "warmMs": 500, "coldMs": 500 }' }, async (ws) => {
		const fake = namedFake(ws, { on: [{ method: "textDocument/diagnostic", do: [{ never: true }] }] });
		await withMcp(ws, { args: ["--structured", fake.pair] }, async ({ call }) => {
			const result = await call("lsp_check", { files: ["a.fake"] });
			expect(result.structuredContent).toMatchObject({ files: [{ path: "a.fake", state: "timed_out" }] });
			expect(textOf(result)).not.toMatch(/no errors|clean/i);
		});
	}));

test("an error is a text for the model, with its code for programs", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async ({ call }) => {
			const failures: readonly [string, object, string][] = [
				["lsp_hover", { file: "src/none.ts", symbol: "a" }, "LSP_FILE_NOT_FOUND"],
				["lsp_hover", { file: "src/app.ts", symbol: "nothing" }, "LSP_SYMBOL_NOT_FOUND"],
				["lsp_hover", { file: "package.json.x", symbol: "a" }, "LSP_FILE_NOT_FOUND"],
			];
			for (const [name, input, code] of failures) {
				const result = await call(name, input);
				expect(result, code).toMatchObject({
					isError: true,
					_meta: {
						"pi-lsp/error": {
							code,
							details: { suggestion: expect.any(String) },
						},
					},
				});
				expect(textOf(result)).toMatch(new RegExp(`^${code}: .+\n.+`));
			}
			const absent = textOf(await call("lsp_hover", { file: "src/app.ts", symbol: "nothing" }));
			expect(absent.split("\n")[1]).toBe("Check the spelling of the name. `lsp_symbols` lists the names in the file.");
			// A tool that does not exist is an error of the client, not of the model.
			await expect(call("lsp_nothing", {})).rejects.toThrow(/no tool "lsp_nothing"/);
			await expect(call("lsp_toString", {})).rejects.toThrow(/no tool/);
		}),
	));

test("a mistake in a tool's arguments is one sentence with the tool's name, the field, and the allowed values", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async ({ call, text }) => {
			const [file, symbol] = ["src/app.ts", "greet"];
			const mistakes: readonly [string, object, string][] = [
				["lsp_hover", { file, symbol, frob: 1 }, 'lsp_hover takes no "frob".'],
				["lsp_hover", { symbol }, "lsp_hover: file is missing."],
				["lsp_hover", { file: 5, symbol }, "lsp_hover: file: Expected string."],
				["lsp_hover", { file, symbol: true }, "lsp_hover: symbol: Expected string."],
				["lsp_hover", { file, line: true }, "lsp_hover: line: Expected integer."],
				["lsp_check", { files: [5] }, "lsp_check: files.0: Expected string."],
				["lsp_check", { files: 5 }, "lsp_check: files: Expected string."],
				["lsp_check", {}, "Name files or directories, or ask for what has changed."],
				[
					"lsp_diagnostics",
					{ scope: "all" },
					"lsp_diagnostics: scope: Expected one of file, affected, open, workspace.",
				],
				["lsp", { operation: "hover", input: { file: 5, symbol } }, "lsp hover: file: Expected string."],
				["find_callers", { file_path: 5 }, "find_callers: file_path: Expected string."],
				["open_document", { file_path: "/a", language_id: 1 }, "open_document: language_id: Expected string."],
			];
			for (const [name, input, words] of mistakes) {
				const result = await call(name, input);
				expect([result.isError, textOf(result)], name).toEqual([true, `LSP_INVALID_INPUT: ${words}`]);
			}
			// Models write numbers in this form.
			expect(await text("lsp_hover", { file, line: "3", column: "23" })).toContain("Says hello.");
		}),
	));

test("a tool that the profile does not list works when it is called, since an answer may name it", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async ({ client, text }) => {
			expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("lsp_status");
			expect(await text("lsp_status", {})).toMatch(/^daemon: pid \d+/);
		}),
	));

test("with --no-daemon, the answers are the same, and no daemon is started", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, { args: ["--no-daemon"] }, async ({ text }) => {
			expect(await text("lsp_check", { files: ["src/app.ts"] })).toContain("ERROR [3:7]");
			const { stdout } = await ws.cli(["daemon", "status"]);
			expect(stdout).toBe("The daemon is not running.\n");
		}),
	));
