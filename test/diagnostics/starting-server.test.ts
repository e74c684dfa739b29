import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { FAKE_SERVER } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import { withWorkspace } from "../support/workspace.ts";

function server(id: string, match: readonly string[], script: Script): object {
	const args = [FAKE_SERVER, JSON.stringify(script)];
	return { id, match, command: process.execPath, args, rootMarkers: [], looseFiles: true, languageId: "fake" };
}

test("A check by the command line waits for a server that still starts beside one that is ready", () =>
	withWorkspace({ "a.fake": "one\n", "a.other": "one\n" }, async (ws) => {
		const directory = join(ws.base, "config/pi-lsp");
		mkdirSync(directory, { recursive: true });
		const servers = [server("ready", ["fake", "other"], {}), server("slow", ["fake"], { start: [{ delay: 1500 }] })];
		writeFileSync(join(directory, "config.json"), JSON.stringify({ servers }));
		const check = async (file: string) => JSON.parse((await ws.cli(["check", file, "--json"])).stdout) as CheckReport;
		expect((await check("a.other")).files[0]?.state).toBe("fresh");
		const { files, servers: asked } = await check("a.fake");
		expect([files[0]?.state, ...asked.map(({ id, state }) => `${id} ${state}`)]).toEqual([
			"fresh",
			"ready fresh",
			"slow fresh",
		]);
	}));
