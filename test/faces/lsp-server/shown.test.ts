import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type {
	CallHierarchyIncomingCall,
	CallHierarchyItem,
	CallHierarchyOutgoingCall,
	CodeAction,
	FoldingRange,
	WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { withEditors } from "./editor.ts";
import { askedOf, configureFakes } from "./fakes.ts";

const linkedTo = (ws: Workspace): Workspace => {
	const root = join(ws.base, "link");
	symlinkSync(ws.root, root);
	return { ...ws, root, path: (...parts) => join(root, ...parts) };
};

test("calls are followed in a folder that the editor has opened by a link", { timeout: 120_000 }, () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			"src/money.ts": "export function price(amount: number): number {\n\treturn amount;\n}\n",
			"src/shop.ts": `import { price } from "./money.ts";\nexport function sell() {\n\treturn price(1);\n}\n`,
		},
		(ws) =>
			withEditors(linkedTo(ws), [{}], async (editor) => {
				await editor.open("src/money.ts");
				const position = editor.at("src/money.ts", "price(");
				const [item] = await editor.ask<CallHierarchyItem[]>("textDocument/prepareCallHierarchy", "src/money.ts", {
					position,
				});
				expect(item).toMatchObject({ name: "price", uri: editor.uri("src/money.ts") });
				const callers = await editor.connection.sendRequest<CallHierarchyIncomingCall[]>(
					"callHierarchy/incomingCalls",
					{ item },
				);
				expect(callers).toMatchObject([{ from: { name: "sell", uri: editor.uri("src/shop.ts") } }]);
				const called = await editor.connection.sendRequest<CallHierarchyOutgoingCall[]>("callHierarchy/outgoingCalls", {
					item: callers[0]?.from,
				});
				expect(called).toMatchObject([{ to: { name: "price", uri: editor.uri("src/money.ts") } }]);
			}),
	),
);

test(
	"no name of a server has a control character, and the server gets its own URI and data back",
	{
		timeout: 120_000,
	},
	() =>
		withWorkspace({ "a.zzz": "name\n" }, (ws) => {
			const evil = "\u001b[31mname\u0007";
			const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } };
			const uri = `file://${ws.path("a.zzz")}`;
			const item = { name: evil, detail: evil, kind: 12, uri, range, selectionRange: range, data: { key: evil } };
			const reply = (method: string, answer: unknown) => ({ method, do: [{ reply: answer }] });
			const edits = [{ range, newText: evil, annotationId: "one" }];
			const script = {
				capabilities: {
					callHierarchyProvider: true,
					renameProvider: { prepareProvider: true },
					foldingRangeProvider: true,
					codeActionProvider: true,
				},
				on: [
					reply("textDocument/prepareCallHierarchy", [item]),
					reply("callHierarchy/incomingCalls", [{ from: item, fromRanges: [range] }]),
					reply("textDocument/prepareRename", { range, placeholder: evil }),
					reply("textDocument/foldingRange", [{ startLine: 0, endLine: 0, collapsedText: evil }]),
					reply("textDocument/codeAction", [{ title: evil, kind: "quickfix", disabled: { reason: evil } }]),
					reply("textDocument/rename", {
						documentChanges: [{ textDocument: { uri, version: null }, edits }],
						changeAnnotations: { one: { label: evil, description: evil } },
					}),
				],
			};
			configureFakes(ws, { judge: { script } });
			const workspaceEdit = { documentChanges: true, changeAnnotationSupport: {} };
			return withEditors(linkedTo(ws), [{ workspace: { workspaceEdit } }], async (editor) => {
				await editor.open("a.zzz");
				const position = { line: 0, character: 0 };
				const ask = <Answer>(method: string, more: object = {}) =>
					editor.ask<Answer>(`textDocument/${method}`, "a.zzz", more);
				const [found] = await ask<CallHierarchyItem[]>("prepareCallHierarchy", { position });
				expect(found).toMatchObject({ name: "[31mname", detail: "[31mname" });
				const calls = await editor.connection.sendRequest<CallHierarchyIncomingCall[]>("callHierarchy/incomingCalls", {
					item: found,
				});
				expect(calls[0]?.from.name).toBe("[31mname");
				expect(askedOf(ws, "judge", "callHierarchy/incomingCalls")[0]?.params).toMatchObject({
					item: { uri, data: { key: evil } },
				});
				expect(await ask("prepareRename", { position })).toMatchObject({ placeholder: "[31mname" });
				expect((await ask<FoldingRange[]>("foldingRange"))[0]?.collapsedText).toBe("[31mname");
				const [action] = await ask<CodeAction[]>("codeAction", { range, context: { diagnostics: [] } });
				expect(action).toMatchObject({ title: "[31mname", disabled: { reason: "[31mname" } });
				const edit = await ask<WorkspaceEdit>("rename", { position, newName: "other" });
				expect(edit.changeAnnotations).toEqual({ one: { label: "[31mname", description: "[31mname" } });
				expect(edit.documentChanges).toMatchObject([{ edits: [{ newText: evil }] }]);
			});
		}),
);
