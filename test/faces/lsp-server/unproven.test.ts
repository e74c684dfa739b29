import { expect, test } from "vitest";
import { isThere, withServers } from "../../live/languages.ts";
import { met, notYet, until } from "../../support/until.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { type Editor, withEditors } from "./editor.ts";
import { configureFakes } from "./fakes.ts";

const pulling = { textDocument: { diagnostic: {} } };
const cancelled = { code: -32802 };

const messagesWith = (editor: Editor, words: string) =>
	until(`"${words}" is shown`, () => {
		const found = editor.messages.filter((message) => message.includes(words));
		return found.length > 0 ? met(found) : notYet(editor.messages.join("\n"));
	});

test.skipIf(!isThere("vscode-json-language-server"))(
	"a file about which a server is unsure is never called clean, and the reason is shown once",
	{ timeout: 120_000 },
	() =>
		withWorkspace({ "a.json": `{ "$schema": "https://schemas.example/a.json", "a": 1 }\n` }, (ws) =>
			withEditors(
				ws,
				[{}, pulling],
				async (editor, asking) => {
					await editor.open("a.json");
					await messagesWith(editor, "schema is not fetched");
					expect(editor.pushes).toEqual([]);
					const broken = await editor.edit("a.json", `"a": 1`, `"a": `);
					expect(await editor.pushed("a.json", broken)).toHaveLength(1);
					// The pushed diagnostics are withdrawn without a version: nothing is proven of that version.
					await editor.edit("a.json", `"a": `, `"a": 2`);
					await editor.shows("a.json", []);
					expect(editor.pushes.filter(({ diagnostics }) => diagnostics.length === 0)).toEqual([
						{ uri: editor.uri("a.json"), diagnostics: [] },
					]);
					expect(editor.messages).toHaveLength(1);
					await asking.open("a.json");
					for (let round = 0; round < 2; round++)
						await expect(asking.ask("textDocument/diagnostic", "a.json")).rejects.toMatchObject(cancelled);
					expect(asking.messages).toHaveLength(1);
				},
				withServers(ws.env),
			),
		),
);

test("a server that fails hides nothing that another one finds, on disk or not", { timeout: 120_000 }, () =>
	withWorkspace({ "a.zzz": "WRONG\n" }, (ws) => {
		const fails = { method: "textDocument/diagnostic", do: [{ error: { code: -32603, message: "no configuration" } }] };
		configureFakes(ws, { judge: { script: {} }, lint: { role: "linter", script: { on: [fails] } } });
		return withEditors(ws, [{}, pulling], async (editor, asking) => {
			await editor.open("a.zzz");
			expect(await editor.pushed("a.zzz", 1)).toEqual(["wrong"]);
			const more = await editor.edit("a.zzz", "WRONG\n", "WRONG\nWRONG too\n");
			expect(await editor.pushed("a.zzz", more)).toEqual(["wrong", "wrong"]);
			await editor.edit("a.zzz", "WRONG\nWRONG too\n", "right\n");
			await editor.shows("a.zzz", []);
			expect(await messagesWith(editor, "no configuration")).toHaveLength(1);
			await asking.open("a.zzz");
			const pulled = await asking.ask<{ items: unknown[] }>("textDocument/diagnostic", "a.zzz");
			expect(pulled.items).toHaveLength(1);
			await asking.edit("a.zzz", "WRONG", "right");
			await expect(asking.ask("textDocument/diagnostic", "a.zzz")).rejects.toMatchObject(cancelled);
		});
	}),
);

test("an unsaved text that is too large is left out, and no other text is", { timeout: 120_000 }, () =>
	withWorkspace({ "a.zzz": "WRONG\n", "b.zzz": "small\n" }, (ws) => {
		configureFakes(ws, { judge: { script: {} } }, { maxFileBytes: 1000 });
		return withEditors(ws, [{}, pulling], async (editor, asking) => {
			for (const each of [editor, asking]) {
				await each.open("b.zzz");
				await each.edit("b.zzz", "small", "WRONG ".repeat(200));
				await each.open("a.zzz");
				await each.edit("a.zzz", "WRONG", "WRONG too");
				const hover = (file: string) => each.ask("textDocument/hover", file, { position: { line: 0, character: 0 } });
				expect(JSON.stringify(await hover("a.zzz"))).toContain("WRONG too");
				expect(await hover("b.zzz")).toBeNull();
			}
			expect(await editor.pushed("a.zzz", 2)).toEqual(["wrong"]);
			const pulled = await asking.ask<{ items: unknown[] }>("textDocument/diagnostic", "a.zzz");
			expect(pulled.items).toHaveLength(1);
			await expect(asking.ask("textDocument/diagnostic", "b.zzz")).rejects.toMatchObject(cancelled);
			expect(editor.shown("b.zzz")).toEqual([]);
			// A text that fits again is proven again.
			const small = await editor.edit("b.zzz", "WRONG ".repeat(200), "WRONG again");
			expect(await editor.pushed("b.zzz", small)).toEqual(["wrong"]);
		});
	}),
);
