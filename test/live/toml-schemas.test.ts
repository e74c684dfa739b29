import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { edit } from "../faces/pi/calls.ts";
import { conversationText } from "../faces/pi/model-request.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

async function checked(ws: Workspace, file: string, trust: "0" | "1" = "0"): Promise<CheckReport> {
	const env = { ...withServers(ws.env), PI_LSP_TRUST: trust };
	const { stdout } = await ws.cli(["check", file, "--json", "--severity", "warning", "--timeout", "40000"], { env });
	return JSON.parse(stdout) as CheckReport;
}

const typed = (type: string) => `{ "type": "${type}" }\n`;
const project: Files = {
	"tombi.toml": '[[schemas]]\npath = "schemas/app.json"\ninclude = ["conf/*.toml"]\n',
	"schemas/app.json": '{ "type": "object", "properties": { "port": { "$ref": "./port.json" } } }\n',
	"schemas/port.json": typed("integer"),
	"a.toml": "#:schema ./schemas/app.json\nport = 1\n",
	"conf/b.toml": "port = 1\n",
};

describe.skipIf(!isThere("tombi"))("A TOML file's schema", () => {
	const own = '{ "type": "object", "properties": { "a": { "type": "string" } } }';
	const entry = (path: string) => `[[schemas]]\npath = "${path}"\ninclude = ["*.toml"]\n`;

	test("is not fetched if it is named by a URL, even with trust, and the file is not called clean", () =>
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

	test.each(["a.toml", "conf/b.toml"])(
		"may change without a check: a later check of %s is by the current schema",
		(file) =>
			withWorkspace(project, async (ws) => {
				const errors = async () => (await checked(ws, file)).files.flatMap(({ diagnostics }) => diagnostics);
				expect(await errors()).toEqual([]);
				// tombi answered some queries by the earlier schema.
				for (let round = 0; round < 5; round++) {
					ws.write("schemas/port.json", typed("string"));
					expect(await errors()).toHaveLength(1);
					ws.write("schemas/port.json", typed("integer"));
					expect(await errors()).toEqual([]);
				}
				ws.write("schemas/app.json", '{ "type": "object", "properties": { "port": { "type": "boolean" } } }\n');
				expect(await errors()).toHaveLength(1);
			}),
	);

	test.skipIf(!isThere("vscode-json-language-server"))(
		"is edited: the files that name it are reported",
		{ timeout: 90_000 },
		() =>
			withWorkspace(
				{ ...project, ".pi-lsp.json": '{ "coldMs": 40000, "warmMs": 40000, "graceMs": 40000, "lateMs": 60000 }' },
				async (ws) => {
					const steps = [
						{ calls: [edit("schemas/port.json", ["integer", "string"])] },
						// Another server's diagnostics come after the answer.
						{ text: "Done." },
						{ text: "Done." },
					];
					const run = await runPi(ws, steps, { env: withServers(ws.env), timeoutMs: 80_000 });
					const last = run.requests.at(-1);
					const conversation = last === undefined ? "" : conversationText(last);
					expect(conversation).toContain("a.toml (1 error)");
				},
			),
	);

	test.skipIf(!isThere("vscode-json-language-server"))(
		"is previewed: the files that name it are reported as unknown, since tombi reads it from the disk",
		{ timeout: 90_000 },
		() =>
			withWorkspace({ ...project, ".pi-lsp.json": '{ "coldMs": 40000, "warmMs": 40000 }' }, async (ws) => {
				const words = ["preview", "schemas/port.json", "--old-text", "integer", "--new-text", "string", "--json"];
				const { stdout, code } = await ws.cli(words, { env: withServers(ws.env) });
				const { files } = JSON.parse(stdout) as CheckReport;
				expect(files.find(({ path }) => path === "a.toml")).toMatchObject({ role: "affected", state: "unavailable" });
				expect(code).toBe(3);
			}),
	);
});
