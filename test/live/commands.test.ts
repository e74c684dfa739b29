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
