import { expect, test } from "vitest";
import type {
	CallHierarchyIncomingCall,
	CallHierarchyItem,
	CodeAction,
	DocumentSymbol,
	Hover,
	Location,
	SymbolInformation,
	TextEdit,
	WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { type Editor, withEditors } from "./editor.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/money.ts":
		"export interface Money {\n\tcents: number;\n}\nexport function price(amount: number): number {\n\treturn amount;\n}\nexport class Purse implements Money {\n\tcents = 0;\n}\n",
	"src/shop.ts": `import { price } from "./money.ts";\nexport function sell() {\n\treturn price(1);\n}\n`,
};

const linesIn = (editor: Editor, found: readonly Location[]) =>
	found
		.map(({ uri, range }) => `${uri.replace(`${editor.uri("")}/`, "").replace(/.*\//, "")}:${range.start.line}`)
		.sort();

test("queries are answered with the unsaved texts of the editor", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(ws, [{}], async (editor) => {
			await editor.open("src/shop.ts");
			const here = () => ({ position: editor.at("src/shop.ts", "price(1)") });
			const definition = async () =>
				linesIn(editor, await editor.ask<Location[]>("textDocument/definition", "src/shop.ts", here()));
			expect(await definition()).toEqual(["money.ts:3"]);
			await editor.open("src/money.ts");
			await editor.edit("src/money.ts", "export interface", "\n\nexport interface");
			await editor.edit("src/shop.ts", "export function", "\nexport function");
			expect(await definition()).toEqual(["money.ts:5"]);
			const users = { ...here(), context: { includeDeclaration: true } };
			const found = await editor.ask<Location[]>("textDocument/references", "src/shop.ts", users);
			expect(linesIn(editor, found)).toEqual(["money.ts:5", "shop.ts:0", "shop.ts:3"]);
			const hover = await editor.ask<Hover>("textDocument/hover", "src/shop.ts", here());
			expect(JSON.stringify(hover.contents)).toContain("price(amount: number): number");
			const symbols = await editor.ask<SymbolInformation[]>("textDocument/documentSymbol", "src/money.ts");
			expect(symbols.map(({ name, location }) => `${name} ${location.range.start.line}`)).toContain("price 5");
			// The disk is unchanged, and so are the answers to other clients.
			const { stdout } = await ws.cli(["definition", "src/shop.ts", "price", "--json"]);
			expect(JSON.parse(stdout).places[0]).toMatchObject({ path: "src/money.ts", line: 4 });
		}),
	),
);

test("implementations, callers, workspace symbols, and trees of symbols are answered", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(
			ws,
			[{ textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } }],
			async (editor) => {
				await editor.open("src/money.ts");
				const at = (text: string) => ({ position: editor.at("src/money.ts", text) });
				const found = await editor.ask<Location[]>("textDocument/implementation", "src/money.ts", at("Money {"));
				expect(linesIn(editor, found)).toContain("money.ts:6");
				const items = await editor.ask<CallHierarchyItem[]>(
					"textDocument/prepareCallHierarchy",
					"src/money.ts",
					at("price("),
				);
				expect(items.map(({ name }) => name)).toEqual(["price"]);
				const calls = await editor.connection.sendRequest<CallHierarchyIncomingCall[]>("callHierarchy/incomingCalls", {
					item: items[0],
				});
				expect(calls.map(({ from }) => from.name)).toEqual(["sell"]);
				const further = await editor.connection.sendRequest<CallHierarchyIncomingCall[]>(
					"callHierarchy/outgoingCalls",
					{
						item: calls[0]?.from,
					},
				);
				expect(JSON.stringify(further)).toContain('"name":"price"');
				const named = await editor.connection.sendRequest<SymbolInformation[]>("workspace/symbol", { query: "Purse" });
				expect(named.map(({ name }) => name)).toContain("Purse");
				const tree = await editor.ask<DocumentSymbol[]>("textDocument/documentSymbol", "src/money.ts");
				expect(tree.find(({ name }) => name === "Purse")?.children?.map(({ name }) => name)).toEqual(["cents"]);
			},
		),
	),
);

test("a rename is an edit for the editor, in the documents as it has them", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(ws, [{ workspace: { workspaceEdit: { documentChanges: true } } }, {}], async (editor, plain) => {
			for (const each of [editor, plain]) {
				await each.open("src/money.ts");
				await each.edit("src/money.ts", "export interface", "\nexport interface");
				const position = each.at("src/money.ts", "price(");
				const range = await each.ask("textDocument/prepareRename", "src/money.ts", { position });
				expect(JSON.stringify(range)).toContain(`{"line":4,"character":16}`);
				const edit = await each.ask<WorkspaceEdit>("textDocument/rename", "src/money.ts", {
					position,
					newName: "cost",
				});
				const changes = edit.documentChanges
					? edit.documentChanges.flatMap((step) =>
							"edits" in step ? [[step.textDocument.uri, step.edits] as const] : [],
						)
					: Object.entries(edit.changes ?? {});
				const lines = changes.map(([uri, edits]) => [
					uri.split("/").at(-1),
					edits.map((one) => (one as TextEdit).range.start.line).sort(),
				]);
				expect(lines.sort()).toEqual([
					["money.ts", [4]],
					["shop.ts", [0, 2]],
				]);
				expect(edit.documentChanges === undefined).toBe(each === plain);
				const versions = edit.documentChanges?.map((step) => ("edits" in step ? step.textDocument.version : undefined));
				if (versions) expect(versions.sort()).toEqual([2, null]);
			}
			expect(ws.read("src/money.ts")).toBe(PROJECT["src/money.ts"]);
		}),
	),
);

test("code actions have their edits when they are selected, and formatting has its edits", { timeout: 120_000 }, () =>
	withWorkspace({ ...PROJECT, "src/use.ts": "export const a = price(1);\n" }, (ws) =>
		withEditors(
			ws,
			[{ textDocument: { codeAction: { resolveSupport: { properties: ["edit"] } } } }, {}],
			async (editor, plain) => {
				const applied: WorkspaceEdit[] = [];
				plain.connection.onRequest("workspace/applyEdit", ({ edit }: { edit: WorkspaceEdit }) => {
					applied.push(edit);
					return { applied: true };
				});
				for (const each of [editor, plain]) {
					await each.open("src/use.ts");
					await each.edit("src/use.ts", "export", "\nexport");
					const range = { start: each.at("src/use.ts", "price"), end: each.at("src/use.ts", "(1)") };
					const context = { diagnostics: [], only: ["quickfix"] };
					const actions = await each.ask<CodeAction[]>("textDocument/codeAction", "src/use.ts", { range, context });
					const imports = actions.find(({ title }) => title.includes("money"));
					expect(imports?.edit).toBeUndefined();
					if (each === editor) {
						const resolved = await each.connection.sendRequest<CodeAction>("codeAction/resolve", imports);
						expect(JSON.stringify(resolved.edit)).toContain("import { price }");
					} else {
						await each.connection.sendRequest("workspace/executeCommand", imports?.command);
						expect(JSON.stringify(applied)).toContain("import { price }");
					}
				}
				await editor.edit("src/use.ts", "price(1)", "  price( 1 )");
				const options = { tabSize: 4, insertSpaces: false };
				const edits = await editor.ask<TextEdit[]>("textDocument/formatting", "src/use.ts", { options });
				expect(edits.length).toBeGreaterThan(0);
				expect(new Set(edits.map(({ range }) => range.start.line))).toEqual(new Set([1]));
			},
		),
	),
);

test("a query that no server answers has no answer, and no error", { timeout: 120_000 }, () =>
	withWorkspace({ ...PROJECT, "notes.unknown": "text\n" }, (ws) =>
		withEditors(ws, [{}], async (editor) => {
			await editor.open("notes.unknown");
			expect(
				await editor.ask("textDocument/hover", "notes.unknown", { position: { line: 0, character: 0 } }),
			).toBeNull();
			// A file without a server is not clean.
			await expect(editor.ask("textDocument/diagnostic", "notes.unknown")).rejects.toMatchObject({ code: -32802 });
			await expect(editor.ask("textDocument/hover", "src/shop.ts")).rejects.toMatchObject({ code: -32602 });
			await expect(editor.ask("textDocument/unknown", "src/shop.ts")).rejects.toMatchObject({ code: -32601 });
			expect(editor.messages).toEqual([]);
		}),
	),
);
