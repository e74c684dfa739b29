import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CodeAction, WorkspaceEdit } from "vscode-languageserver-protocol";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { withEditors } from "./editor.ts";
import { askedOf, configureFakes } from "./fakes.ts";

const modified = { code: -32801 };
const withVersions = { workspace: { workspaceEdit: { documentChanges: true } } };

test("a rename that was computed for another version is discarded", { timeout: 120_000 }, () =>
	withWorkspace({ "a.zzz": "name\n" }, (ws) => {
		const gate = join(ws.base, "gate");
		const edits = [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } }, newText: "other" }];
		const changes = { [`file://${ws.path("a.zzz")}`]: edits };
		const rename = { method: "textDocument/rename", do: [{ waitFor: gate }, { reply: { changes } }] };
		configureFakes(ws, { judge: { script: { capabilities: { renameProvider: true }, on: [rename] } } });
		return withEditors(ws, [withVersions], async (editor) => {
			await editor.open("a.zzz");
			const params = { position: { line: 0, character: 0 }, newName: "other" };
			const ask = () => editor.ask<WorkspaceEdit>("textDocument/rename", "a.zzz", params);
			const early = expect(ask()).rejects.toMatchObject(modified);
			await until("the server is asked", () =>
				askedOf(ws, "judge", "textDocument/rename").length > 0 ? met(true) : notYet("not yet"),
			);
			await editor.edit("a.zzz", "name", "\nname");
			// The change is read before the answer: messages keep their order.
			await editor.ask("textDocument/hover", "notes", { position: { line: 0, character: 0 } }).catch(() => {});
			writeFileSync(gate, "");
			await early;
			const { documentChanges } = await ask();
			expect(documentChanges).toEqual([{ textDocument: { uri: editor.uri("a.zzz"), version: 2 }, edits }]);
		});
	}),
);

test("a code action of an older text is neither resolved nor applied", { timeout: 120_000 }, () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			"src/money.ts": "export const price = (amount: number) => amount;\n",
			"src/use.ts": "export const a = price(1);\n",
		},
		(ws) =>
			withEditors(
				ws,
				[{ ...withVersions, textDocument: { codeAction: { resolveSupport: { properties: ["edit"] } } } }, {}],
				async (editor, plain) => {
					const applied: unknown[] = [];
					plain.connection.onRequest("workspace/applyEdit", (params: unknown) => {
						applied.push(params);
						return { applied: true };
					});
					for (const each of [editor, plain]) {
						await each.open("src/use.ts");
						const imports = async () => {
							const range = { start: each.at("src/use.ts", "price"), end: each.at("src/use.ts", "(1)") };
							const context = { diagnostics: [], only: ["quickfix"] };
							const found = await each.ask<CodeAction[]>("textDocument/codeAction", "src/use.ts", { range, context });
							return found.find(({ title }) => title.includes("money"));
						};
						const { connection } = each;
						const old = await imports();
						await each.edit("src/use.ts", "export", "\n\nexport");
						if (each === plain) {
							const request = connection.sendRequest("workspace/executeCommand", old?.command);
							await expect(request).rejects.toMatchObject(modified);
							expect(applied).toEqual([]);
						} else {
							await expect(connection.sendRequest("codeAction/resolve", old)).rejects.toMatchObject(modified);
							const { edit } = await connection.sendRequest<CodeAction>("codeAction/resolve", await imports());
							expect(edit?.documentChanges).toMatchObject([{ textDocument: { version: 2 } }]);
						}
					}
				},
			),
	),
);
