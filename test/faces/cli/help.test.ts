import { expect, test } from "vitest";
import { commands } from "../../../src/faces/cli/commands.ts";
import { ask, daemonOf, WRONG_PROJECT } from "../../daemon/daemon.ts";
import { withWorkspace } from "../../support/workspace.ts";

test("`pi-lsp COMMAND --help` says what the command takes, and does nothing else", () =>
	withWorkspace(WRONG_PROJECT, async (ws) => {
		await ask(ws);
		const { pid } = daemonOf(ws);
		for (const [name, { summary, options = {} }] of Object.entries(commands)) {
			const { code, stdout } = await ws.cli([name, "--help"]);
			expect(code, name).toBe(0);
			expect(stdout, name).toMatch(new RegExp(`^Usage: pi-lsp ${name}`));
			expect(stdout, name).toContain(summary);
			for (const option of Object.keys(options)) expect(stdout, name).toContain(`--${option}`);
		}
		expect(daemonOf(ws).pid).toBe(pid);
	}));
