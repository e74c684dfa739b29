import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { edit } from "../faces/pi/calls.ts";
import { conversationText } from "../faces/pi/model-request.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const schema = (type: string) =>
	`${JSON.stringify({ type: "object", properties: { port: { $ref: "./port.json" }, name: { type } } }, null, 2)}\n`;
const port = (type: string) => `${JSON.stringify({ type }, null, 2)}\n`;

const json: Files = {
	"schemas/app.json": schema("string"),
	"schemas/port.json": port("integer"),
	"a.json": '{ "$schema": "./schemas/app.json", "port": 1, "name": "a" }\n',
	"old.json": '{ "$schema": "./schemas/app.json", "name": 1 }\n',
	"conf/set.json": '{ "port": 1, "name": "a" }\n',
	"apart.json": '{ "port": 1 }\n',
};
const yaml: Files = {
	"schemas/app.json": schema("string"),
	"schemas/port.json": port("integer"),
	"named.yaml": "# yaml-language-server: $schema=./schemas/app.json\nport: 1\nname: a\n",
	"key.yaml": "$schema: ./schemas/app.json\nport: 1\nname: a\n",
	"conf/set.yaml": "port: 1\nname: a\n",
	"apart.yaml": "port: 1\n",
	"old.yaml": "# yaml-language-server: $schema=./schemas/app.json\nname: 1\n",
};

const DONE = { text: "Done." };

const settings = {
	coldMs: 40_000,
	warmMs: 40_000,
	graceMs: 40_000,
	lateMs: 60_000,
	servers: {
		"json-language-server": {
			settings: {
				json: { validate: { enable: true }, schemas: [{ url: "schemas/app.json", fileMatch: ["conf/*.json"] }] },
			},
		},
		"yaml-language-server": {
			settings: {
				yaml: { validate: true, schemaStore: { enable: false }, schemas: { "schemas/app.json": "conf/*.yaml" } },
			},
		},
	},
};

const kinds = [
	{
		kind: "JSON",
		program: "vscode-json-language-server",
		files: json,
		users: ["conf/set.json", "a.json"],
		old: "old.json",
	},
	{
		kind: "YAML",
		program: "yaml-language-server",
		files: yaml,
		users: ["conf/set.yaml", "key.yaml", "named.yaml"],
		old: "old.yaml",
	},
] as const;

describe.each(kinds)("a schema that files of $kind name", ({ kind, program, files, users, old }) => {
	const isReady = isThere(program) && isThere("vscode-json-language-server");
	const configured = { ...files, ".pi-lsp.json": JSON.stringify(settings) };

	test.skipIf(!isReady)(
		"is changed: its new errors are reported as new in each of them, its old ones are not, and nothing stays once it is fixed",
		{ timeout: 150_000 },
		() =>
			withWorkspace(configured, async (ws) => {
				const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
				// Another server's diagnostics come after the answer.
				const late = kind === "YAML" ? [DONE] : [];
				const steps = [
					{ calls: [edit("schemas/port.json", ["integer", "string"])] },
					...late,
					{ calls: [edit("schemas/port.json", ["string", "integer"])] },
					{ calls: [{ name: "bash", arguments: { command: "sed -i s/integer/boolean/ schemas/port.json" } }] },
					...late,
					DONE,
				];
				const run = await runPi(ws, steps, { env, timeoutMs: 140_000 });
				const last = run.requests.at(-1);
				const conversation = last === undefined ? "" : conversationText(last);
				const [, byEdit = "", byMend = "", bySed = ""] = conversation.split("[call ");
				for (const name of users) {
					expect(byEdit).toContain(`${name} (1 error)`);
					expect(bySed).toContain(name);
				}
				expect(bySed).not.toContain('Expected "string"');
				expect(byMend).not.toContain("ERROR");
				expect(conversation).not.toContain(old);
			}),
	);

	test.skipIf(!isReady).each(["0", "1"] as const)(
		"may change without a check: a later check judges by the current schema (trusted: %s)",
		{ timeout: 90_000 },
		(trust) =>
			withWorkspace(configured, async (ws) => {
				const [user] = trust === "1" ? users : users.toReversed();
				const errors = async () => (await checked(ws, user ?? "", trust)).flatMap(({ line }) => line);
				const before = await errors();
				expect(before).toEqual([]);
				ws.write("schemas/port.json", port("string"));
				expect(await errors()).toHaveLength(1);
				ws.write("schemas/port.json", port("integer"));
				expect(await errors()).toEqual([]);
				expect(await checked(ws, old, trust)).toHaveLength(1);
				ws.write("schemas/app.json", schema("integer"));
				expect(await checked(ws, old, trust)).toEqual([]);
			}),
	);

	test.skipIf(!isReady)(
		"is previewed: its errors are reported for each of them, and do not stay afterwards",
		{ timeout: 90_000 },
		() =>
			withWorkspace(configured, async (ws) => {
				const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
				const edited = ["preview", "schemas/port.json", "--old_text", "integer", "--new_text", "string", "--json"];
				const { stdout } = await ws.cli(edited, { env });
				const { files: judged } = JSON.parse(stdout) as CheckReport;
				const broken = judged.flatMap(({ path, diagnostics }) => (diagnostics.some((item) => item.new) ? path : []));
				expect(broken.sort()).toEqual(users.toSorted());
				for (const user of users) expect(await checked(ws, user, "1")).toEqual([]);
			}),
	);
});

async function checked(ws: Workspace, file: string, trust: "0" | "1") {
	const env = { ...withServers(ws.env), PI_LSP_TRUST: trust };
	const { stdout } = await ws.cli(["check", file, "--json", "--timeout", "40000"], { env });
	const { files } = JSON.parse(stdout) as CheckReport;
	expect(files).toMatchObject([{ path: file, state: "fresh" }]);
	return files[0]?.diagnostics ?? [];
}
