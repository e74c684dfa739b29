import { expect, test } from "vitest";
import { profiles } from "../../../src/config/read-settings.ts";
import { toolsOf } from "../../../src/faces/tools/profiles.ts";
import { everySchema } from "../../operations/every-schema.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { edit } from "./calls.ts";
import { runPi } from "./run-pi.ts";

const DONE = { text: "Done." };
const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "/** Says hello. */\nexport function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts":
		'import { greet } from "./greet.ts";\n\nexport const hello = greet("you");\nexport const again = greet("me");\n',
};

test.each(profiles)("no schema of profile %s has a keyword that Google's API refuses", (profile) => {
	const tools = toolsOf(profile, { withCheck: true });
	expect(tools.length > 0).toBe(profile !== "none");
	for (const { name, input } of tools)
		for (const schema of everySchema(JSON.parse(JSON.stringify(input)))) {
			for (const word of ["anyOf", "oneOf", "allOf", "const", "not", "$ref", "patternProperties"])
				expect(Object.keys(schema), name).not.toContain(word);
			// The schema has no list of types and no `nullable` on an array.
			if ("type" in schema && typeof schema.type !== "object") expect(typeof schema.type, name).toBe("string");
			if (schema.type === "array") expect(schema, name).toMatchObject({ items: { type: expect.any(String) } });
			if ("enum" in schema) expect(schema.type, name).toBe("string");
		}
});

async function offered(ws: Workspace, ...args: string[]): Promise<string[]> {
	const { requests } = await runPi(ws, [DONE], { args });
	return (requests[0]?.tools ?? [])
		.map(({ name }) => name)
		.filter((name) => name.startsWith("lsp") || name.includes("_"));
}

const names = (profile: (typeof profiles)[number]) =>
	toolsOf(profile, { withCheck: false })
		.map(({ name }) => name)
		.sort();

test.each([
	{ args: [], expected: names("core") },
	{ args: ["--lsp-tools=llxprt"], expected: names("llxprt") },
	{ args: ["--lsp-tools=read"], expected: names("read") },
	{ configured: "sah", args: [], expected: ["lsp"] },
	{ configured: "sah", args: ["--lsp-tools=agent-lsp"], expected: names("agent-lsp") },
	{ configured: "none", args: [], expected: [] },
])("a profile is chosen by the flag $args, else by the configuration $configured, and has its tools alone", (row) =>
	withWorkspace(PROJECT, async (ws) => {
		if (row.configured) ws.write(".pi-lsp.json", JSON.stringify({ profile: row.configured }));
		expect((await offered(ws, ...row.args)).sort()).toEqual(row.expected);
	}),
);

test("a tool of another product's profile answers in pi as over MCP", () =>
	withWorkspace(PROJECT, async (ws) => {
		const call = {
			name: "lsp",
			arguments: { operation: "definition", file_path: ws.path("src/app.ts"), line: 3, column: 22 },
		};
		const run = await runPi(ws, [{ calls: [call] }, DONE], { args: ["--lsp-tools=sah"] });
		expect(JSON.parse(run.result())).toEqual({
			definitions: [
				{
					file_path: ws.path("src/greet.ts"),
					line: 2,
					column: 17,
					preview: "export function greet(name: string): string {",
				},
			],
		});
	}));

test("the generic tool runs every operation, and lists the arguments of each", () =>
	withWorkspace(PROJECT, async (ws) => {
		const lsp = (operation: string, input?: object) => ({
			name: "lsp",
			arguments: { operation, ...(input ? { input } : {}) },
		});
		const run = await runPi(ws, [
			{
				calls: [
					lsp("help"),
					lsp("help", { operation: "highlights" }),
					lsp("highlights", { file: "src/app.ts", symbol: "greet" }),
					lsp("nothing"),
					{ name: "lsp", arguments: { operation: "hover", file: "src/app.ts", symbol: "greet" } },
				],
			},
			DONE,
		]);
		const [list, one, asked, unknown, flat] = run.results();
		expect(list).toMatch(/^status: .+$/m);
		expect(list).toMatch(/^highlights: .+$/m);
		expect(one).toContain('"file"');
		expect(one).toContain('example: lsp {"operation":"highlights"');
		expect(asked).toContain("3 uses");
		expect(unknown).toContain("LSP_UNKNOWN_OPERATION");
		// The fields come without the object around them.
		expect(flat).toContain("greet(name: string): string");
	}));

test("undocumented parameters are accepted: a pattern, a limit", () =>
	withWorkspace(PROJECT, async (ws) => {
		const ask = { name: "lsp_definition", arguments: { file: "src/app.ts", pattern: "hello = @@greet" } };
		const cut = { name: "lsp_references", arguments: { file: "src/greet.ts", symbol: "greet", limit: 1 } };
		const run = await runPi(ws, [{ calls: [ask, cut] }, DONE]);
		const tools = run.requests[0]?.tools.find(({ name }) => name === "lsp_definition");
		expect(JSON.stringify(tools?.parameters)).not.toContain('"pattern"');
		const [byPattern, first] = run.results();
		expect(byPattern).toContain("src/greet.ts");
		expect(first).toContain("3 references");
		expect(first).not.toContain("again");
	}));

const WRONG = "Type 'number' is not assignable to type 'string'.";

test("the errors that the block after an edit reported are not repeated in the same turn", () =>
	withWorkspace(
		{ ...PROJECT, "src/b.ts": `export const b: string = "one";\nexport const c: string = "two";\n` },
		async (ws) => {
			const look = { name: "lsp_diagnostics", arguments: { file: "src/b.ts" } };
			const run = await runPi(ws, [
				{ calls: [edit("src/b.ts", ['"one"', "1"])] },
				{ calls: [look] },
				{ calls: [edit("src/b.ts", ['"two"', "2"])] },
				{ calls: [look] },
				{ calls: [edit("src/b.ts", ["= 1", '= "one"'])] },
				{ calls: [look] },
				DONE,
			]);
			expect(run.result(0)).toContain(WRONG);
			expect(run.result(1)).not.toContain(WRONG);
			expect(run.result(1)).toBe("src/b.ts: 1 line, the same as in the block above; nothing has changed.");
			expect(run.result(2)).toContain(WRONG);
			expect(run.result(3)).toMatch(/^src\/b\.ts: 2 lines, /);
			expect(run.result(3)).toContain("the same as in the block above");
			expect(run.result(5)).toMatch(/^src\/b\.ts: 1 line, /);
		},
	));

test("the same answer to the same query is given once a turn, and again when it has changed", () =>
	withWorkspace(PROJECT, async (ws) => {
		const ask = { name: "lsp_references", arguments: { file: "src/greet.ts", symbol: "greet" } };
		const more = edit("src/app.ts", ['greet("me");', 'greet("me") + greet("all");']);
		const run = await runPi(ws, [{ calls: [ask] }, { calls: [ask] }, { calls: [more] }, { calls: [ask] }, DONE]);
		expect(run.result(0)).toContain("again = greet");
		expect(run.result(1)).toBe("The same answer as to the same question above; nothing has changed.");
		expect(run.result(3)).toContain('greet("all")');
	}));
