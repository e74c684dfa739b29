import { Value } from "@sinclair/typebox/value";
import { describe, expect, test } from "vitest";
import type { AnyOperation } from "../../src/contract/operation.ts";
import { operations } from "../../src/operations/index.ts";
import type { Project } from "../diagnostics/project.ts";
import type { Rule } from "../fakes/script.ts";
import { everything, withFakeServer } from "./fake-project.ts";

const uri = "file:///elsewhere/b.zzz";
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } };

/** Malformed answers to any request: wrong kinds, wrong fields, and fields that are wrong deep inside. */
const garbage: readonly unknown[] = [
	5,
	true,
	"text",
	[5],
	["text"],
	[null],
	[[]],
	[{}],
	{ uri: 5, range },
	{ uri, range: { start: { line: -1, character: 0 }, end: { line: "x" } } },
	[{ uri }],
	[{ uri, range: null }],
	[{ targetUri: uri, targetSelectionRange: 7 }],
	[{ name: 7, kind: "x", range, selectionRange: range }],
	[{ name: "x", kind: 1, uri, range, selectionRange: null }],
	{ contents: { value: 7 } },
	{ contents: [[[]]] },
	{ signatures: "none" },
	{ signatures: [{ label: "f()", parameters: [{ label: {} }] }] },
	{ items: [{ label: 7 }] },
	{ items: {} },
	{ data: ["a", "b"] },
	{ data: 7 },
	[{ position: 7, label: [] }],
	[{ startLine: "1", endLine: {} }],
	[{ title: 7 }],
	[{ range: 7, kind: "write" }],
];

const position = { file: "a.zzz", line: 2, column: 1 };
const questions = operations.filter(
	({ effect, input, requests }) =>
		effect === "read" && input.properties.file && requests?.some((method) => method.startsWith("textDocument/")),
);
const inputs: Readonly<Record<string, object>> = {
	symbols: { file: "a.zzz" },
	context: { file: "a.zzz" },
	inlay_hints: { file: "a.zzz" },
	semantic_tokens: { file: "a.zzz" },
	folding: { file: "a.zzz" },
	cross_repo: { ...position, consumer_roots: ["../none"] },
};
const inputOf = ({ name }: AnyOperation) => inputs[name] ?? position;
const methodsOf = ({ requests = [] }: AnyOperation) => requests;

/** The end of a query: an answer that fits its schema, or an error's code and message. */
async function endOf(project: Project, operation: AnyOperation): Promise<string> {
	return project.call<object>(operation.name, inputOf(operation)).then(
		(answer) => {
			expect([...Value.Errors(operation.output, answer)], operation.name).toEqual([]);
			expect(operation.render(answer as never, inputOf(operation) as never)).not.toBe("");
			return "answer";
		},
		(error: { readonly code?: string; readonly message: string }) => `${error.code}: ${error.message}`,
	);
}

test("all operations about a file are in this test", () => {
	expect(questions.length).toBeGreaterThan(15);
});

describe.each(questions.map((operation) => [operation.name, operation] as const))("%s", (_, operation) => {
	const first = methodsOf(operation)[0] ?? "";

	test("a malformed result is the server's error, which names the request", () => {
		const rules = (method: string): Rule[] =>
			garbage.map((reply, index) => ({ method, nth: index + 1, do: [{ reply }] }));
		return withFakeServer({ on: methodsOf(operation).flatMap(rules) }, async (project) => {
			for (const [index, reply] of garbage.entries()) {
				const end = await endOf(project, operation);
				const what = `${index}: ${JSON.stringify(reply)}: ${end}`;
				// Some are answers to one request and not to another: those fit the schema.
				if (end !== "answer") expect(end, what).toContain("LSP_SERVER_ERROR: fake answered textDocument/");
			}
			const { length } = garbage.filter((reply) => typeof reply !== "object");
			expect(length).toBe(3);
		});
	});

	test.each<[string, unknown]>([
		["null", null],
		["an empty list", []],
	])("%s is an answer without a result", (__, reply) =>
		withFakeServer({ on: methodsOf(operation).map((method) => ({ method, do: [{ reply }] })) }, async (project) => {
			const end = await endOf(project, operation);
			// Some requests have no lists for answers.
			expect(reply === null ? end : end.replace(/^LSP_SERVER_ERROR: fake answered .*/, "answer")).toBe("answer");
		}),
	);

	test("an error has the server's message", () =>
		withFakeServer(
			{
				on: methodsOf(operation).map((method) => ({
					method,
					do: [{ error: { code: -32603, message: "broken inside" } }],
				})),
			},
			async (project) => {
				const end = await endOf(project, operation);
				if (operation.name === "prepare_rename") return expect(end).toBe("answer");
				expect(end).toContain("LSP_SERVER_ERROR: fake: broken inside");
			},
		));

	test("a request that the server does not offer is not sent, and the error names the server", () => {
		const none = Object.fromEntries(
			[...Object.keys(everything), "definitionProvider", "referencesProvider", "hoverProvider"].map((name) => [
				name,
				false,
			]),
		);
		return withFakeServer({ capabilities: none }, async (project) => {
			expect(await endOf(project, operation)).toBe(`LSP_UNSUPPORTED_REQUEST: fake does not answer ${first}.`);
		});
	});
});

describe("ten megabytes", () => {
	const many = (count: number, one: (index: number) => object) =>
		Array.from({ length: count }, (_, index) => one(index));
	const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } });

	test.each<[string, string, unknown, (answer: Record<string, unknown>) => void]>([
		[
			"references",
			"textDocument/references",
			many(80_000, (line) => ({ uri: `${uri}?${"x".repeat(20)}`, range: at(line) })),
			({ places, total }) => expect([(places as unknown[]).length, total]).toEqual([200, 80_000]),
		],
		[
			"definition",
			"textDocument/definition",
			many(80_000, (line) => ({ uri: `${uri}?${"x".repeat(20)}`, range: at(line) })),
			({ places, total }) => expect([(places as unknown[]).length, total]).toEqual([50, 80_000]),
		],
		[
			"hover",
			"textDocument/hover",
			{ contents: "x".repeat(10_000_000) },
			({ text: shown }) => expect(String(shown)).toMatch(/^x{8000}\n\.\.\. and 9992000 more characters$/),
		],
		[
			"completion",
			"textDocument/completion",
			many(100_000, (index) => ({ label: `name${index}`, detail: "x".repeat(80) })),
			({ items, total }) => expect([(items as unknown[]).length, total]).toEqual([40, 100_000]),
		],
	])("of %s are cut, and the omitted items are counted", (name, method, reply, check) =>
		withFakeServer({ on: [{ method, do: [{ reply }] }] }, async (project) => {
			const operation = operations.find((candidate) => candidate.name === name) as AnyOperation;
			check(await project.call<Record<string, unknown>>(name, inputOf(operation)));
		}),
	);

	test("of declarations are searched for a name", () => {
		const reply = many(60_000, (index) => ({
			name: index === 59_999 ? "name" : `other${index}`,
			kind: 12,
			range: at(0),
			selectionRange: index === 59_999 ? { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } } : at(0),
		}));
		return withFakeServer(
			{
				on: [
					{ method: "textDocument/documentSymbol", do: [{ reply }] },
					{ method: "textDocument/hover", do: [{ echo: true }] },
				],
			},
			async (project) => {
				const { text: shown } = await project.call<{ text: string }>("hover", { file: "a.zzz", symbol: "name" });
				expect(shown).toMatch(/^2:1 /);
			},
		);
	});
});
