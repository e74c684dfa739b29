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

test("A check by the command line waits for a server that is still starting, also if another one is ready", () =>
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

test("A check has the time of a cold server while the server still reads its project", () =>
	withWorkspace({ "a.fake": "one\n", ".pi-lsp.json": '{ "warmMs": 500, "coldMs": 40000 }' }, async (ws) => {
		const directory = join(ws.base, "config/pi-lsp");
		mkdirSync(directory, { recursive: true });
		const begin = { token: 1, value: { kind: "begin", title: "Reading" } };
		const slow = server("slow", ["fake"], {
			on: [
				{ method: "initialized", do: [{ notify: "$/progress", params: begin }] },
				{ method: "textDocument/diagnostic", do: [{ delay: 2000 }, { default: true }] },
			],
		});
		writeFileSync(join(directory, "config.json"), JSON.stringify({ servers: [slow] }));
		await ws.cli(["open", "a.fake"]);
		const { stdout } = await ws.cli(["check", "a.fake", "--json"]);
		expect((JSON.parse(stdout) as CheckReport).files).toMatchObject([{ state: "fresh" }]);
		const status = JSON.parse((await ws.cli(["status", "--json"])).stdout) as { readonly servers: readonly object[] };
		expect(status.servers).toMatchObject([{ id: "slow", ready: false }]);
	}));
