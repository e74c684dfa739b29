import { expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { codesOf, withEditors } from "./editor.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/money.ts": "export function price(amount: number): number {\n\treturn amount;\n}\n",
	"src/shop.ts": `import { price } from "./money.ts";\nexport const total: number = price(1);\n`,
	"src/other.ts": `import { price } from "./money.ts";\nexport const other: number = price(2);\n`,
};

test("each push for an edited document is correct for its version, in 20 edits", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(ws, [{}], async (editor) => {
			await editor.open("src/shop.ts");
			expect(await editor.pushed("src/shop.ts", 1)).toEqual([]);
			for (let round = 0; round < 10; round++) {
				const broken = await editor.edit("src/shop.ts", "price(1)", `price("${round}")`);
				expect(await editor.pushed("src/shop.ts", broken)).toEqual(["2345"]);
				const mended = await editor.edit("src/shop.ts", `price("${round}")`, "price(1)");
				expect(await editor.pushed("src/shop.ts", mended)).toEqual([]);
			}
			for (const { version, diagnostics } of editor.pushes)
				expect([version, codesOf(diagnostics)]).toEqual([version, Number(version) % 2 === 0 ? ["2345"] : []]);
			expect(ws.read("src/shop.ts")).toBe(PROJECT["src/shop.ts"]);
		}),
	),
);

test("errors in importers come and go: unsaved, saved, open and not", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(ws, [{}], async (editor) => {
			await editor.open("src/money.ts");
			await editor.open("src/shop.ts");
			await editor.pushed("src/shop.ts", 1);
			// The edit is unsaved: the open importer and the unopened one have errors.
			await editor.edit("src/money.ts", "amount: number", "amount: string");
			await editor.shows("src/money.ts", ["2322"]);
			await editor.shows("src/shop.ts", ["2345"]);
			await editor.shows("src/other.ts", ["2345"]);
			await editor.edit("src/money.ts", "amount: string", "amount: number");
			await editor.shows("src/money.ts", []);
			await editor.shows("src/shop.ts", []);
			await editor.shows("src/other.ts", []);
			// The edit is saved.
			await editor.edit("src/money.ts", "price(", "cost(");
			await editor.save("src/money.ts");
			await editor.shows("src/shop.ts", ["2305"]);
			await editor.shows("src/other.ts", ["2305"]);
			await editor.edit("src/money.ts", "cost(", "price(");
			await editor.save("src/money.ts");
			await editor.shows("src/shop.ts", []);
			await editor.shows("src/other.ts", []);
		}),
	),
);

test("changes of another program on disk are reported, also in files that are not open", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(ws, [{}], async (editor) => {
			await editor.open("src/shop.ts");
			await editor.pushed("src/shop.ts", 1);
			ws.write("src/money.ts", "export function price(amount: string): string {\n\treturn amount;\n}\n");
			await editor.shows("src/shop.ts", ["2322", "2345"]);
			await editor.shows("src/other.ts", ["2322", "2345"]);
			ws.write("src/money.ts", PROJECT["src/money.ts"] ?? "");
			await editor.shows("src/shop.ts", []);
			await editor.shows("src/other.ts", []);
		}),
	),
);

test(
	"an open document that another program writes is reported with the text on disk, until the editor has read it",
	{
		timeout: 120_000,
	},
	() =>
		withWorkspace(PROJECT, (ws) =>
			withEditors(ws, [{}], async (editor) => {
				await editor.open("src/money.ts");
				await editor.pushed("src/money.ts", 1);
				ws.write("src/money.ts", "export function price(amount: string): number {\n\treturn amount;\n}\n");
				await editor.shows("src/money.ts", ["2322"]);
				await editor.shows("src/shop.ts", ["2345"]);
				expect(editor.pushes.findLast(({ uri }) => uri === editor.uri("src/money.ts"))?.version).toBeUndefined();
				const read = await editor.edit("src/money.ts", "amount: number", "amount: string");
				expect(await editor.pushed("src/money.ts", read)).toEqual(["2322"]);
			}),
		),
);

test("errors are reported for files that are affected only through an importer of a change", { timeout: 120_000 }, () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			"src/a.ts": "export function one() {\n\treturn 1;\n}\n",
			"src/b.ts": `import { one } from "./a.ts";\nexport const two = () => one();\n`,
			"src/c.ts": `import { two } from "./b.ts";\nexport const three: number = two();\n`,
		},
		(ws) =>
			withEditors(ws, [{}], async (editor) => {
				await editor.open("src/a.ts");
				await editor.pushed("src/a.ts", 1);
				await editor.edit("src/a.ts", "return 1", `return "1"`);
				await editor.shows("src/c.ts", ["2322"]);
				await editor.edit("src/a.ts", `return "1"`, "return 1");
				await editor.shows("src/c.ts", []);
			}),
	),
);

test("a document that was opened when it was already written is compared by its first save", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(ws, [{}], async (editor) => {
			ws.write("src/money.ts", "export function price(amount: string): number {\n\treturn amount.length;\n}\n");
			await editor.open("src/money.ts");
			await editor.save("src/money.ts");
			await editor.shows("src/shop.ts", ["2345"]);
			await editor.shows("src/other.ts", ["2345"]);
		}),
	),
);

test(
	"an editor that asks for diagnostics gets those of its own text, and no push of that document",
	{
		timeout: 120_000,
	},
	() =>
		withWorkspace(PROJECT, (ws) =>
			withEditors(ws, [{ textDocument: { diagnostic: {} } }], async (editor) => {
				const pull = async (file: string) => {
					const report = await editor.ask<{ kind: string; items: never[] }>("textDocument/diagnostic", file);
					expect(report.kind).toBe("full");
					return codesOf(report.items);
				};
				await editor.open("src/money.ts");
				await editor.open("src/shop.ts");
				expect(await pull("src/shop.ts")).toEqual([]);
				await editor.edit("src/money.ts", "amount: number", "amount: string");
				expect(await pull("src/money.ts")).toEqual(["2322"]);
				expect(await pull("src/shop.ts")).toEqual(["2345"]);
				await editor.shows("src/other.ts", ["2345"]);
				await editor.edit("src/money.ts", "amount: string", "amount: number");
				expect(await pull("src/shop.ts")).toEqual([]);
				await editor.shows("src/other.ts", []);
				const touched = editor.pushes.filter(({ uri }) => uri !== editor.uri("src/other.ts"));
				expect(touched).toEqual([]);
				const { resultId } = await editor.ask<{ resultId: string }>("textDocument/diagnostic", "src/shop.ts");
				const again = { previousResultId: resultId };
				expect(await editor.ask("textDocument/diagnostic", "src/shop.ts", again)).toEqual({
					kind: "unchanged",
					resultId,
				});
			}),
		),
);

test(
	"two editors with different unsaved texts of one file do not see each other's, and no other client does",
	{
		timeout: 120_000,
	},
	() =>
		withWorkspace(PROJECT, (ws) =>
			withEditors(ws, [{}, {}], async (one, other) => {
				for (const editor of [one, other]) {
					await editor.open("src/money.ts");
					await editor.open("src/shop.ts");
					await editor.pushed("src/shop.ts", 1);
				}
				const broken = await one.edit("src/money.ts", "price(", "cost(");
				const wider = await other.edit("src/money.ts", "amount: number", "amount: number, tax: number");
				expect(await one.pushed("src/money.ts", broken)).toEqual([]);
				expect(await other.pushed("src/money.ts", wider)).toEqual([]);
				await one.shows("src/shop.ts", ["2305"]);
				await other.shows("src/shop.ts", ["2554"]);
				const { code, stdout } = await ws.cli(["check", "src/shop.ts", "--json"]);
				expect([code, JSON.parse(stdout).files[0].state]).toEqual([0, "fresh"]);
				const shownTo = (editor: typeof one) =>
					new Set(editor.pushes.flatMap(({ diagnostics }) => codesOf(diagnostics)));
				expect([...shownTo(one)]).toEqual(["2305"]);
				expect([...shownTo(other)]).toEqual(["2554"]);
			}),
		),
);

test("a new document that is not saved yet, and a closed one, have correct diagnostics", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(ws, [{}], async (editor) => {
			await editor.open("src/shop.ts");
			await editor.pushed("src/shop.ts", 1);
			await editor.open("src/tax.ts", `export const tax: number = "";\n`);
			expect(await editor.pushed("src/tax.ts", 1)).toEqual(["2322"]);
			const uses = await editor.edit("src/shop.ts", "price(1)", "price(tax)");
			expect(await editor.pushed("src/shop.ts", uses)).toEqual(["2304"]);
			const imports = await editor.edit("src/shop.ts", "import", `import { tax } from "./tax.ts";\nimport`);
			expect(await editor.pushed("src/shop.ts", imports)).toEqual([]);
			// The document is closed without a save: now there is no such file.
			await editor.close("src/tax.ts");
			await editor.shows("src/tax.ts", []);
			await editor.shows("src/shop.ts", ["2307"]);
		}),
	),
);
