import { rmSync } from "node:fs";
import { describe, test } from "vitest";
import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { isThere, withServers } from "../../live/languages.ts";
import { met, notYet, until } from "../../support/until.ts";
import { type Files, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { codesOf, type Editor, withEditors } from "./editor.ts";

const header = (name: string) => `#pragma once\nint ${name}(int);\n`;
const source = (name: string, included = "api.h") =>
	`#include "${included}"\n\nint use_${name}(void) {\n\treturn ${name}(1);\n}\n`;

const files: Files = {
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"api.h": header("first"),
	"a.c": source("first"),
	"b.c": source("first"),
	"sub/deep.h": header("deep"),
	"compile_flags.txt": "-std=gnu11\n",
};

const unknown = ["-Wimplicit-function-declaration"];
const missing = ["pp_file_not_found"];

/** With a watching client, each change on disk is reported by both. */
const clients: readonly (readonly [string, ClientCapabilities])[] = [
	["no watchers", {}],
	["watchers of its own", { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } }],
];

describe.skipIf(!isThere("clangd")).each(clients)(
	"clangd behind a client with %s",
	{ timeout: 120_000 },
	(_, capabilities) => {
		function withClangd(body: (editor: Editor, disk: Disk) => Promise<void>): Promise<void> {
			return withWorkspace(files, (ws) =>
				withEditors(
					ws,
					[capabilities],
					(editor) => body(editor, diskOf(ws, editor, capabilities)),
					withServers(ws.env),
				),
			);
		}

		test("shows that a header is removed and restored", () =>
			withClangd(async (editor, disk) => {
				await editor.open("a.c");
				await editor.pushed("a.c", 1);
				for (let round = 0; round < 2; round++) {
					await disk.remove("api.h");
					await shows(editor, "a.c", [...unknown, ...missing]);
					await disk.write("api.h", header("first"));
					await shows(editor, "a.c", []);
				}
			}));

		test("shows that a header which never existed has been created", () =>
			withClangd(async (editor, disk) => {
				await disk.write("c.c", source("late", "late.h"));
				await editor.open("c.c");
				await shows(editor, "c.c", [...unknown, ...missing]);
				await disk.write("late.h", header("late"));
				await shows(editor, "c.c", []);
				await disk.remove("late.h");
				await shows(editor, "c.c", [...unknown, ...missing]);
			}));

		test("shows the errors of an unopened source while the header is open", () =>
			withClangd(async (editor, disk) => {
				await editor.open("api.h");
				await editor.pushed("api.h", 1);
				const broken = await editor.edit("api.h", "first", "other");
				await editor.pushed("api.h", broken);
				await shows(editor, "a.c", unknown);
				await shows(editor, "b.c", unknown);
				await disk.remove("b.c");
				await shows(editor, "b.c", []);
				await disk.write("b.c", source("first"));
				await shows(editor, "b.c", unknown);
				await editor.edit("api.h", "other", "first");
				await shows(editor, "a.c", []);
				await shows(editor, "b.c", []);
			}));

		test("shows in an unsaved text the change of a header that another header includes", () =>
			withClangd(async (editor, disk) => {
				await editor.open("a.c");
				await editor.pushed("a.c", 1);
				await disk.write("api.h", '#pragma once\n#include "sub/deep.h"\nint first(int);\n');
				await editor.edit("a.c", "first(1)", "deep(1)");
				await shows(editor, "a.c", []);
				await disk.write("sub/deep.h", header("peed"));
				await shows(editor, "a.c", unknown);
				await disk.remove("sub/deep.h");
				await shows(editor, "a.c", [...unknown, ...missing]);
				await disk.write("sub/deep.h", header("deep"));
				await shows(editor, "a.c", []);
			}));

		test("shows the effect of other compile flags on a source", () =>
			withClangd(async (editor, disk) => {
				await disk.write("d.c", "#ifdef BAD\nint x = y;\n#endif\n");
				await editor.open("d.c");
				await editor.pushed("d.c", 1);
				await disk.write("compile_flags.txt", "-std=gnu11\n-DBAD\n");
				await shows(editor, "d.c", ["undeclared_var_use"]);
				await disk.write("compile_flags.txt", "-std=gnu11\n");
				await shows(editor, "d.c", []);
			}));
	},
);

/** The errors without warnings, such as that of an unused header. */
function shows(editor: Editor, file: string, codes: readonly string[]): Promise<unknown> {
	return until(
		`${file} shows the errors [${codes}]`,
		() => {
			const seen = codesOf(editor.shown(file).filter(({ severity }) => severity === 1));
			return seen.join() === codes.join() ? met(seen) : notYet(`[${seen}]`);
		},
		{ timeoutMs: 15_000 },
	);
}

interface Disk {
	write(file: string, text: string): Promise<void>;
	remove(file: string): Promise<void>;
}

/** Another program's changes, which a client that watches reports. */
function diskOf(ws: Workspace, editor: Editor, capabilities: ClientCapabilities): Disk {
	const watches = capabilities.workspace?.didChangeWatchedFiles !== undefined;
	const changed = async (file: string, type: number) => {
		if (!watches) return;
		await editor.connection.sendNotification("workspace/didChangeWatchedFiles", {
			changes: [{ uri: editor.uri(file), type }],
		});
	};
	return {
		write: async (file, text) => {
			ws.write(file, text);
			await changed(file, 2);
		},
		remove: async (file) => {
			rmSync(ws.path(file));
			await changed(file, 3);
		},
	};
}
