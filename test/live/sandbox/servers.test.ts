import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../../src/contract/check-report.ts";
import { noSandbox } from "../../sandbox/sandbox-program.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { isThere, withServers } from "../languages.ts";

/** A project with an error, in most of them one that takes the language's library to find. */
interface Case {
	readonly server: string;
	readonly program?: string;
	readonly files: Files;
	readonly file: string;
	readonly line: number;
	/** The server's state in the report, if it finds less without trust. */
	readonly state?: string;
}

const typescript = 'export const a: Map<string, number> = new Map();\na.set("x", "y");\n';
const cases: readonly Case[] = [
	{ server: "typescript", files: { ...TYPESCRIPT_PROJECT, "src/a.ts": typescript }, file: "src/a.ts", line: 2 },
	{
		server: "typescript-language-server",
		files: {
			...TYPESCRIPT_PROJECT,
			"package.json": '{ "name": "sample", "devDependencies": { "typescript": "^5.9.0" } }',
			"src/a.ts": typescript,
		},
		file: "src/a.ts",
		line: 2,
	},
	{
		server: "pyright",
		program: "pyright-langserver",
		files: { "pyrightconfig.json": "{}", "a.py": "import json\nx: int = json.dumps({})\n" },
		file: "a.py",
		line: 2,
	},
	{
		server: "ty",
		program: "ty",
		files: { "ty.toml": "", "a.py": "import json\nx: int = json.dumps({})\n" },
		file: "a.py",
		line: 2,
	},
	{
		server: "ruff",
		program: "ruff",
		files: { "ruff.toml": '[lint]\nselect = ["F"]\n', "a.py": "import json\n" },
		file: "a.py",
		line: 1,
	},
	{
		server: "gopls",
		program: "gopls",
		files: {
			"go.mod": "module example.com/a\n\ngo 1.22\n",
			"b/b.go": "package b\n\nfunc B() int { return 1 }\n",
			"a.go":
				'package a\n\nimport (\n\t"example.com/a/b"\n\t"strings"\n)\n\nvar C string = strings.ToUpper("c")\nvar D string = b.B()\n',
		},
		file: "a.go",
		line: 9,
	},
	{
		server: "clangd",
		program: "clangd",
		files: { "a.c": "#include <stdio.h>\nint main(void) { return printf(); }\n" },
		file: "a.c",
		line: 2,
	},
	{
		server: "rust-analyzer",
		program: "rust-analyzer",
		files: {
			"Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
			"src/lib.rs": "mod gone;\npub fn f() {\n    g(1, 2);\n}\nfn g(_a: u8) {}\n",
		},
		file: "src/lib.rs",
		line: 3,
		state: "untrusted",
	},
];

/** The diagnostics of a server of an untrusted tree for the file. */
async function diagnosticsOf(
	ws: Workspace,
	{ server, file, state = "fresh" }: Case,
	sandbox: string,
): Promise<unknown[]> {
	const env = {
		...withServers(ws.env),
		PI_LSP_SANDBOX: sandbox,
		RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup"),
		CARGO_NET_OFFLINE: "true",
	};
	const args = ["check", file, "--json", "--severity", "warning", "--timeout", "60000"];
	const { stdout } = await ws.cli(args, { env, timeoutMs: 80_000 });
	const report = JSON.parse(stdout) as CheckReport;
	expect(report.servers.find(({ id }) => id === server)).toMatchObject({ state });
	expect(report.files[0]?.diagnostics.length).toBeGreaterThan(0);
	return (report.files[0]?.diagnostics ?? []).map(({ line, code, source, message }) => [line, code, source, message]);
}

describe("a server in the sandbox has the same diagnostics:", () => {
	for (const each of cases) {
		const { server, program, files, line } = each;
		const missing = noSandbox ?? (program && !isThere(program) ? `${program} is not installed` : undefined);
		const title = missing === undefined ? server : `${server}: ${missing}`;
		test.skipIf(missing)(title, { timeout: 180_000 }, () =>
			withWorkspace(files, async (ws) => {
				const inside = await diagnosticsOf(ws, each, "require");
				expect(inside.map((finding) => (finding as [number])[0])).toContain(line);
				expect(inside).toEqual(await diagnosticsOf(ws, each, "off"));
			}),
		);
	}
});
