import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import type { Examination } from "../../src/contract/doctor-report.ts";
import { doctor } from "../../src/operations/doctor.ts";
import { met, notYet, until } from "../support/until.ts";
import { withFakeServer } from "./fake-project.ts";

const at = (line: number, character: number) => ({ line, character });
const range = (line: number, from: number, endLine: number, to: number) => ({
	start: at(line, from),
	end: at(endLine, to),
});
const position = { file: "a.zzz", line: 2, column: 6 };

/** The fake server's result of one request is the one from which an operation makes its answer. */
function answered<Answer>(
	method: string,
	reply: unknown,
	ask: { readonly operation: string; readonly input: object },
	check: (answer: Answer) => void,
): Promise<void> {
	return withFakeServer({ on: [{ method, do: [{ reply }] }] }, async (project) => {
		check(await project.call<Answer>(ask.operation, ask.input));
	});
}

test("a completion that replaces text before the name is shown as the text in the name's place, or from its start", () =>
	answered(
		"textDocument/completion",
		[
			{ label: "one", textEdit: { range: range(1, 4, 1, 5), newText: "(one" }, documentation: "Of a number." },
			{ label: "(two", filterText: "(two", textEdit: { range: range(1, 4, 1, 5), newText: "?.two" } },
		],
		{ operation: "completion", input: position },
		(answer: { readonly items: unknown }) =>
			expect(answer.items).toEqual([
				{ label: "(two", kind: expect.any(String), insert: "?.two", column: 5 },
				{ label: "one", kind: expect.any(String), documentation: "Of a number." },
			]),
	));

test("the documentation of a parameter is shown with it", () =>
	answered(
		"textDocument/signatureHelp",
		{
			signatures: [
				{
					label: "name(a, b)",
					parameters: [{ label: "a" }, { label: "b", documentation: { kind: "markdown", value: "How often." } }],
				},
			],
			activeParameter: 1,
		},
		{ operation: "signature", input: position },
		(answer: { readonly signatures: unknown }) =>
			expect(answer.signatures).toEqual([
				{ label: "name(a, b)", parameters: ["a", "b"], parameterDocumentation: ["", "How often."] },
			]),
	));

test("symbols and items of a hierarchy keep the server's additions to their names, and the whole range", async () => {
	const item = { name: "name", kind: 12, detail: "(n: number) => string" };
	const ranges = { range: range(0, 0, 1, 10), selectionRange: range(1, 0, 1, 4) };
	await answered(
		"textDocument/documentSymbol",
		[{ ...item, ...ranges }],
		{ operation: "symbols", input: { file: "a.zzz" } },
		(answer: { readonly symbols: readonly unknown[] }) =>
			expect(answer.symbols[0]).toMatchObject({ detail: item.detail }),
	);
	await withFakeServer(
		(root) => ({
			on: [
				{
					method: "textDocument/prepareCallHierarchy",
					do: [{ reply: [{ ...item, ...ranges, uri: `file://${root}/a.zzz` }] }],
				},
				{ method: "callHierarchy/incomingCalls", do: [{ reply: [] }] },
			],
		}),
		async (project) => {
			const input = { ...position, direction: "incoming" };
			const { symbols } = await project.call<{ readonly symbols: readonly unknown[] }>("calls", input);
			expect(symbols[0]).toMatchObject({
				detail: item.detail,
				line: 2,
				column: 1,
				body: { line: 1, column: 1, endLine: 2, endColumn: 11 },
			});
		},
	);
});

test("a problem that a server reports is shown by status and doctor, and by a check that fails through it", () =>
	withFakeServer(
		{
			on: [
				{
					method: "initialized",
					do: [
						{ notify: "window/showMessage", params: { type: 3, message: "all is well" } },
						{ notify: "window/showMessage", params: { type: 1, message: "the import of\n  the project failed" } },
					],
				},
				{ method: "textDocument/diagnostic", do: [{ error: { code: -32603, message: "no project" } }] },
			],
		},
		async (project) => {
			await project.call("symbols", { file: "a.zzz" });
			await until("the status has its message", async () => {
				const { servers } = await project.call<{ readonly servers: readonly { says?: string }[] }>("status", {});
				const reported = servers.map(({ says }) => says).join();
				return reported === "the import of the project failed" ? met(undefined) : notYet(reported);
			});
			const found = await project.call<Examination>("doctor", {});
			expect(found.servers.map(({ says }) => says)).toContain("the import of the project failed");
			expect(doctor.render(found, {})).toContain("\n  it said: the import of the project failed\n");
			const [file] = (await project.call<CheckReport>("diagnostics", { file: "a.zzz" })).files;
			expect(file?.reason).toMatch(/no project; it said: the import of the project failed$/);
		},
	));
