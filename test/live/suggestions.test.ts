import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

interface Case {
	readonly server: string;
	readonly program?: string;
	readonly files: Files;
	readonly file: string;
	readonly text: string;
	/** The same without any error. */
	readonly right?: string;
	/** What is suggested, by line; nothing on any other. */
	readonly told: Readonly<Record<number, string>>;
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
		told: { 2: 'add import from "./area.ts"' },
	},
	{
		server: "typescript-language-server",
		files: { ...script, "package.json": '{ "type": "module", "devDependencies": { "typescript": "^5.4.0" } }' },
		file: "src/a.ts",
		text: scriptText,
		told: { 2: 'add import from "./area.ts"' },
	},
	{
		server: "basedpyright",
		program: "basedpyright-langserver",
		files: { ...python, ".pi-lsp.json": '{ "disable": ["pyright"] }' },
		file: "a.py",
		text: pythonText,
		told: { 2: "add `import pathlib`" },
	},
	{
		server: "gopls",
		program: "gopls",
		files: { "go.mod": "module ex\n\ngo 1.22\n" },
		file: "a.go",
		right: "package ex\n",
		text: "package ex\n\nfunc F() {\n\tfmt.Println(1)\n\thelper(1)\n}\n",
		told: { 4: 'add import "fmt"' },
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
		told: { 3: "write 'length'", 4: "add import `std::collections::HashMap`" },
	},
];

/** A server that has yet to list what can be imported is late at first, and then the answer does not wait for it. */
const maxRounds = 6;

describe("real servers: what is suggested for something unknown", () => {
	for (const example of cases) {
		const { server, program } = example;
		if (program === undefined || isThere(program)) test(server, () => suggested(example));
		else test.skip(`${server}: ${program} is not installed`);
	}

	const pyright = "pyright-langserver";
	test.skipIf(!isThere(pyright))("pyright has nothing to suggest, and nothing waits for it", () =>
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

function suggested({ files, file, text, told, trust, server, right = "" }: Case): Promise<void> {
	return withWorkspace({ ...TYPESCRIPT_PROJECT, ...files, [file]: text }, async (ws) => {
		const RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
		const trusting = trust ? { PI_LSP_TRUST: "1", CARGO_NET_OFFLINE: "true", RUSTUP_HOME } : {};
		const env = { ...withServers(ws.env), ...trusting };
		let found: Record<number, string> = {};
		for (let round = 0; round < maxRounds && Object.keys(found).length < Object.keys(told).length; round++) {
			const check = () => ws.cli(["check", file, "--json", "--timeout", "40000"], { env });
			// Only a new error is asked about: in between there is none.
			if (round > 0) {
				ws.write(file, right);
				await check();
				ws.write(file, text);
			}
			const { stdout } = await check();
			const report = JSON.parse(stdout) as CheckReport;
			expect(report.servers).toMatchObject([{ id: server, state: "fresh" }]);
			const diagnostics = report.files[0]?.diagnostics ?? [];
			expect(diagnostics.length).toBeGreaterThanOrEqual(Object.keys(told).length);
			found = Object.fromEntries(
				diagnostics.flatMap(({ line, suggestion }) => (suggestion ? [[line, suggestion]] : [])),
			);
		}
		expect(found).toEqual(told);
		ws.write(file, right);
		await ws.cli(["check", file, "--timeout", "40000"], { env });
		ws.write(file, text);
		const shown = await ws.cli(["check", file, "--timeout", "40000"], { env });
		for (const suggestion of Object.values(told)) expect(shown.stdout).toContain(`\n  try: ${suggestion}\n`);
	});
}
