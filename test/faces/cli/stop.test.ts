import { realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { daemonsOf, serversOf, WRONG_PROJECT } from "../../daemon/daemon.ts";
import { withWorkspace } from "../../support/workspace.ts";

/** Two workspaces that one daemon serves. */
const files = Object.fromEntries(
	["mine", "yours"].flatMap((name) => [
		[`${name}/.git/HEAD`, "ref: refs/heads/main\n"],
		...Object.entries(WRONG_PROJECT).map(([path, text]) => [`${name}/${path}`, text]),
	]),
);

test("without a terminal, `stop` leaves the servers of other workspaces alone", () =>
	withWorkspace(files, async (ws) => {
		const [mine, yours] = ["mine", "yours"].map((name) => join(ws.root, name)) as [string, string];
		for (const cwd of [mine, yours])
			expect((await ws.cli(["check", "src/a.ts", "--timeout", "30000"], { cwd })).code).toBe(1);
		const refused = await ws.cli(["stop"], { cwd: mine });
		expect(refused.code).toBe(3);
		expect(refused.stderr).toContain(`The daemon serves other workspaces too: ${realpathSync(yours)}.`);
		expect(refused.stderr).toContain("`pi-lsp restart` stops the servers of this workspace.");
		expect(serversOf(ws)).toHaveLength(2);
		await ws.cli(["restart"], { cwd: yours });
		expect((await ws.cli(["stop"], { cwd: mine })).code).toBe(0);
		expect(daemonsOf(ws)).toEqual([]);
	}));

test("with `--yes`, `stop` ends the servers of all workspaces", () =>
	withWorkspace(files, async (ws) => {
		for (const name of ["mine", "yours"])
			await ws.cli(["check", "src/a.ts", "--timeout", "30000"], { cwd: join(ws.root, name) });
		expect((await ws.cli(["daemon", "stop", "--yes"], { cwd: join(ws.root, "mine") })).code).toBe(0);
		expect(daemonsOf(ws)).toEqual([]);
	}));
