import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Hover, Location, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { folder, isThere, withServers } from "../../live/languages.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { withEditors } from "./editor.ts";

test.skipIf(!isThere("gopls") || !isThere("go"))(
	"gopls reports errors, users and a rename with unsaved texts",
	{ timeout: 180_000 },
	() =>
		withWorkspace(
			{
				"go.mod": "module example.com/shop\n\ngo 1.21\n",
				"money/money.go": "package money\n\nfunc Price(amount int) int {\n\treturn amount\n}\n",
				"main.go": `package main\n\nimport "example.com/shop/money"\n\nfunc main() {\n\tprintln(money.Price(1))\n}\n`,
			},
			(ws) =>
				withEditors(
					ws,
					[{}],
					async (editor) => {
						await editor.open("money/money.go");
						expect(await editor.pushed("money/money.go", 1)).toEqual([]);
						for (let round = 0; round < 3; round++) {
							const broken = await editor.edit("money/money.go", "amount int", "amount string");
							expect(await editor.pushed("money/money.go", broken)).toEqual(["IncompatibleAssign"]);
							await editor.shows("main.go", ["IncompatibleAssign"]);
							const mended = await editor.edit("money/money.go", "amount string", "amount int");
							expect(await editor.pushed("money/money.go", mended)).toEqual([]);
							await editor.shows("main.go", []);
						}
						await editor.edit("money/money.go", "func Price", "\nfunc Price");
						const position = editor.at("money/money.go", "Price(");
						const context = { includeDeclaration: false };
						const users = await editor.ask<Location[]>("textDocument/references", "money/money.go", {
							position,
							context,
						});
						expect(users.map(({ uri }) => uri)).toEqual([editor.uri("main.go")]);
						const rename = { position, newName: "Cost" };
						const { changes = {} } = await editor.ask<WorkspaceEdit>("textDocument/rename", "money/money.go", rename);
						expect(Object.keys(changes).sort()).toEqual([editor.uri("main.go"), editor.uri("money/money.go")]);
						await editor.edit("money/money.go", "\treturn", "  return");
						const options = { tabSize: 4, insertSpaces: false };
						const edits = await editor.ask<TextEdit[]>("textDocument/formatting", "money/money.go", { options });
						expect(edits.length).toBeGreaterThan(0);
					},
					withServers(ws.env),
				),
		),
);

const card = (props: string) =>
	`<script setup lang="ts">\ndefineProps<${props}>();\n</script>\n<template>{{ title }}</template>\n`;

test.skipIf(!isThere("vue-language-server"))(
	"Vue's server, which needs a partner, reports errors in a template, and a hover",
	{
		timeout: 180_000,
	},
	() =>
		withWorkspace(
			{
				...TYPESCRIPT_PROJECT,
				"package.json": JSON.stringify({ name: "shop", type: "module", dependencies: { vue: "*" } }),
				"tsconfig.json": JSON.stringify({
					compilerOptions: {
						strict: true,
						noEmit: true,
						module: "esnext",
						moduleResolution: "bundler",
						target: "esnext",
					},
					include: ["src"],
				}),
				"src/Card.vue": card("{ title: string }"),
				"src/Page.vue": `<script setup lang="ts">\nimport Card from "./Card.vue";\n</script>\n<template><Card title="a" /></template>\n`,
			},
			(ws) => {
				mkdirSync(ws.path("node_modules"), { recursive: true });
				for (const name of ["vue", "@vue"])
					symlinkSync(join(folder, "node_modules", name), ws.path("node_modules", name));
				return withEditors(
					ws,
					[{}],
					async (editor) => {
						await editor.open("src/Page.vue");
						expect(await editor.pushed("src/Page.vue", 1)).toEqual([]);
						const broken = await editor.edit("src/Page.vue", `title="a"`, `:title="1"`);
						expect(await editor.pushed("src/Page.vue", broken)).toEqual(["2322"]);
						const position = editor.at("src/Page.vue", "Card :");
						const hover = await editor.ask<Hover | null>("textDocument/hover", "src/Page.vue", { position });
						expect(JSON.stringify(hover)).toContain("Card");
						const mended = await editor.edit("src/Page.vue", `:title="1"`, `title="a"`);
						expect(await editor.pushed("src/Page.vue", mended)).toEqual([]);
					},
					{ ...withServers(ws.env), PI_LSP_TRUST: "1" },
				);
			},
		),
);

test("a server that is not installed is named once, to the person", { timeout: 60_000 }, () =>
	withWorkspace({ "go.mod": "module example.com/shop\n", "main.go": "package main\n" }, (ws) =>
		withEditors(
			ws,
			[{}],
			async (editor) => {
				await editor.open("main.go");
				const position = { line: 0, character: 9 };
				for (let round = 0; round < 2; round++)
					expect(await editor.ask("textDocument/hover", "main.go", { position })).toBeNull();
				await expect(editor.ask("textDocument/diagnostic", "main.go")).rejects.toMatchObject({ code: -32802 });
				expect(editor.messages).toHaveLength(1);
				expect(editor.messages[0]).toMatch(/^pi-lsp: .*gopls/);
				expect(editor.pushes).toEqual([]);
			},
			{ ...ws.env, PATH: "" },
		),
	),
);
