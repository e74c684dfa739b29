import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

async function checked(ws: Workspace, file: string, trust: "0" | "1" = "0"): Promise<CheckReport> {
	const env = { ...withServers(ws.env), PI_LSP_TRUST: trust };
	const { stdout } = await ws.cli(["check", file, "--json", "--severity", "warning", "--timeout", "40000"], { env });
	return JSON.parse(stdout) as CheckReport;
}

describe.skipIf(!isThere("tombi"))("A TOML file's schema", () => {
	const own = '{ "type": "object", "properties": { "a": { "type": "string" } } }';
	const entry = (path: string) => `[[schemas]]\npath = "${path}"\ninclude = ["*.toml"]\n`;

	test("a schema that is named by a URL is not fetched, with trust neither, and the file is not called clean", () =>
		withWorkspace({ "tombi.toml": "", "own.json": own }, async (ws) => {
			const url = "https://schemas.example/a.json";
			const unproven = [{ state: "unavailable", reason: expect.stringContaining(url), diagnostics: [] }];
			ws.write("a.toml", `# Its own.\n#:schema ${url}\na = 1\n`);
			for (const trust of ["0", "1"] as const)
				expect((await checked(ws, "a.toml", trust)).files).toMatchObject(unproven);
			ws.write("a.toml", `#:schema ${url}\na = \n`);
			expect((await checked(ws, "a.toml")).files[0]?.diagnostics).toMatchObject([{ line: 2 }]);
			ws.write("a.toml", "a = 1\n");
			expect((await checked(ws, "a.toml")).files).toMatchObject([{ state: "fresh", diagnostics: [] }]);
			ws.write("tombi.toml", entry(url));
			expect((await checked(ws, "a.toml")).files).toMatchObject(unproven);
		}));

	test("is read inside of the workspace, and not outside", () =>
		withWorkspace({ "tombi.toml": "", "own.json": own }, async (ws) => {
			const outside = join(ws.base, "outside.json");
			writeFileSync(outside, own);
			ws.write("a.toml", "#:schema ./own.json\na = 1\n");
			expect((await checked(ws, "a.toml")).files).toMatchObject([{ state: "fresh", diagnostics: [{ line: 2 }] }]);
			for (const name of [outside, `file://${outside}`, "../outside.json", "/dev/zero"]) {
				ws.write("a.toml", `#:schema ${name}\na = 1\n`);
				expect((await checked(ws, "a.toml")).files).toMatchObject([{ state: "untrusted", diagnostics: [] }]);
			}
			ws.write("a.toml", "a = 1\n");
			ws.write("tombi.toml", entry("../outside.json"));
			expect((await checked(ws, "a.toml")).files).toMatchObject([{ state: "untrusted", diagnostics: [] }]);
		}));
});
