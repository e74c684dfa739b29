import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

interface Case {
	readonly server: string;
	readonly program?: string;
	readonly files: Files;
	readonly file: string;
	readonly text: string;
	/** The same text without any error. */
	readonly right?: string;
	/** The suggestions, by line; none on any other. */
	readonly suggestions: Readonly<Record<number, string>>;
	readonly trust?: boolean;
}

const area = "export function area(w: number): number {\n\treturn w;\n}\n";
const script = {
	"src/area.ts": area,
	"src/huge.ts": "export const hugeThing = 1;\n",
};
const scriptText = [
	'import { hugeThing } from "./huge.ts";',
	"export const a = area(hugeThing);",
	'export const b = "x".lenght;',
	"export const c = hugThing;",
	"export const d = fooBarBaz;",
	'import { nothing } from "./nowhere.ts";',
	"",
].join("\n");
const python = { "area.py": "def area(w: int) -> int:\n    return w\n", "pyproject.toml": "[project]\nname = 'x'\n" };
const pythonText = "import os\nx = pathlib.Path()\ny = os.getcdw()\nz = fooBarBaz\n";

const cases: readonly Case[] = [
	{
		server: "typescript",
		files: script,
		file: "src/a.ts",
		text: scriptText,
		suggestions: { 2: 'add import from "./area.ts"' },
	},
	{
		server: "typescript-language-server",
		files: { ...script, "package.json": '{ "type": "module", "devDependencies": { "typescript": "^5.4.0" } }' },
		file: "src/a.ts",
		text: scriptText,
		suggestions: { 2: 'add import from "./area.ts"' },
	},
	{
		server: "basedpyright",
		program: "basedpyright-langserver",
		files: { ...python, ".pi-lsp.json": '{ "disable": ["pyright"] }' },
		file: "a.py",
		text: pythonText,
		suggestions: { 2: "add `import pathlib`" },
	},
	{
		server: "gopls",
		program: "gopls",
		files: { "go.mod": "module ex\n\ngo 1.22\n" },
		file: "a.go",
		right: "package ex\n",
		text: "package ex\n\nfunc F() {\n\tfmt.Println(1)\n\thelper(1)\n}\n",
		suggestions: { 4: 'add import "fmt"' },
	},
	{
		server: "rust-analyzer",
		program: "rust-analyzer",
		trust: true,
		files: { "Cargo.toml": '[package]\nname = "live"\nversion = "0.1.0"\nedition = "2021"\n' },
		file: "src/lib.rs",
		text: [
			"pub struct Shape { pub length: i32 }",
			"pub fn f(s: Shape) {",
			"    let _ = s.lenght;",
			"    let _m: HashMap<i32, i32>;",
			"    nothere();",
			"}",
			"",
		].join("\n"),
		suggestions: { 3: "write 'length'", 4: "add import `std::collections::HashMap`" },
	},
];

/** The time that a busy machine may take to list the possible imports. */
const patienceMs = 120_000;

describe("the suggestion of a real server for an unknown name:", () => {
	for (const example of cases) {
		const { server, program } = example;
		if (program === undefined || isThere(program)) test(server, { timeout: 3 * patienceMs }, () => suggested(example));
		else test.skip(`${server}: ${program} is not installed`);
	}

	const pyright = "pyright-langserver";
	test.skipIf(!isThere(pyright))("pyright suggests nothing, and no check waits for it", () =>
		withWorkspace(python, async (ws) => {
			ws.write("a.py", pythonText);
			const env = withServers(ws.env);
			const { stdout } = await ws.cli(["check", "a.py", "--json", "--timeout", "40000"], { env });
			const [file] = (JSON.parse(stdout) as CheckReport).files;
			expect(file?.diagnostics.map(({ line, suggestion }) => [line, suggestion])).toEqual([
				[2, undefined],
				[3, undefined],
				[4, undefined],
			]);
		}),
	);
});

function suggested({ files, file, text, suggestions, trust, server, right = "" }: Case): Promise<void> {
	return withWorkspace({ ...TYPESCRIPT_PROJECT, ...files, [file]: text }, async (ws) => {
		const RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
		const trusting = trust ? { PI_LSP_TRUST: "1", CARGO_NET_OFFLINE: "true", RUSTUP_HOME } : {};
		const env = { ...withServers(ws.env), ...trusting };
		const check = (...options: string[]) => ws.cli(["check", file, "--timeout", "40000", ...options], { env });
		// Suggestions are requested for new errors only: before each look there is none.
		const checkNew = async (...options: string[]) => {
			ws.write(file, right);
			await check();
			ws.write(file, text);
			return (await check(...options)).stdout;
		};
		// A server that has yet to list the possible imports is late, and the answer does not wait for it.
		const found = await until(
			"each line has its suggestion",
			async () => {
				const report = JSON.parse(await checkNew("--json")) as CheckReport;
				expect(report.servers).toMatchObject([{ id: server, state: "fresh" }]);
				const diagnostics = report.files[0]?.diagnostics ?? [];
				expect(diagnostics.length).toBeGreaterThanOrEqual(Object.keys(suggestions).length);
				const entries = diagnostics.flatMap(({ line, suggestion }) => (suggestion ? [[line, suggestion]] : []));
				return entries.length < Object.keys(suggestions).length
					? notYet(JSON.stringify(entries))
					: met(Object.fromEntries(entries));
			},
			{ timeoutMs: patienceMs },
		);
		expect(found).toEqual(suggestions);
		const lines = Object.values(suggestions).map((suggestion) => `\n  try: ${suggestion}\n`);
		await until(
			"the text of the answer has the suggestions",
			async () => {
				const shown = await checkNew();
				return lines.every((line) => shown.includes(line)) ? met(undefined) : notYet(shown);
			},
			{ timeoutMs: patienceMs },
		);
	});
}
