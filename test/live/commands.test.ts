import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { runPi } from "../faces/pi/run-pi.ts";
import { withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const DONE = { text: "Done." };
const script = "#!/usr/bin/env bash\nif true; then\n\techo yes\nfi\n";

test.skipIf(!isThere("bash-language-server"))(
	"a script without an extension that a command changes is checked, even before any server runs",
	() =>
		withWorkspace({ "tools/build": script }, async (ws) => {
			chmodSync(ws.path("tools/build"), 0o755);
			const command = "sed -i 's/^fi$//' tools/build";
			const run = await runPi(ws, [{ calls: [{ name: "bash", arguments: { command } }] }, DONE], {
				env: { PATH: withServers(ws.env).PATH ?? "" },
			});
			expect(run.result()).toContain("The command changed 1 file. LSP errors detected in this file, please fix:");
			expect(run.result()).toContain('<diagnostics file="tools/build">');
		}),
);

test.skipIf(!isThere("clangd"))(
	"files that a command does not name are checked where the server registers for no changes, as clangd",
	() =>
		withWorkspace(
			{
				"compile_flags.txt": "-std=gnu11\n",
				"src/api.h": "#pragma once\nint first(int);\n",
				"src/a.c": '#include "api.h"\nint a(void) { return first(1); }\n',
				"src/b.c": '#include "api.h"\nint b(void) { return first(1); }\n',
			},
			async (ws) => {
				const change = (oldText: string, newText: string) => ({
					name: "edit",
					arguments: { path: "src/a.c", edits: [{ oldText, newText }] },
				});
				const command = "sed -i 's/first(1)/second(1)/' src/*.c";
				const run = await runPi(
					ws,
					[
						{ calls: [change("int a(void)", "int aa(void)")] },
						{ calls: [{ name: "bash", arguments: { command } }] },
						DONE,
					],
					{ env: { PATH: withServers(ws.env).PATH ?? "" } },
				);
				expect(run.result(1)).toContain("The command changed 2 files.");
				for (const file of ["src/a.c", "src/b.c"]) expect(run.result(1)).toContain(`<diagnostics file="${file}">`);
			},
		),
);
