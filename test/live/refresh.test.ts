import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

/** The two TypeScript servers, by the version that the project declares. */
const typescripts = [
	{ server: "typescript", manifest: { name: "sample" } },
	{ server: "typescript-language-server", manifest: { name: "sample", devDependencies: { typescript: "^5.4.0" } } },
];

/** The files that configure how strictly pyright checks: on, and off. */
const modes = {
	"pyproject.toml": ["[project]\nname = 'x'\n", "[project]\nname = 'x'\n[tool.pyright]\ntypeCheckingMode = 'off'\n"],
	"pyrightconfig.json": ["{}", '{ "typeCheckingMode": "off" }'],
} as const;

for (const { server, manifest } of typescripts)
	describe(`${server}: a change next to the file counts in the next check:`, () => {
		const files = (more: Files): Files => ({
			"package.json": JSON.stringify({ type: "module", ...manifest }),
			"tsconfig.json": tsconfig({ strict: true }),
			...more,
		});

		test("tsconfig.json gets strictness off and on again", () =>
			withWorkspace(
				files({ "src/a.ts": "export function f(x: string | null): number {\n\treturn x.length;\n}\n" }),
				async (ws) => {
					expect(await errors(ws, "src/a.ts", server)).toEqual(["2:9 18047"]);
					for (let round = 0; round < 3; round++) {
						ws.write("tsconfig.json", tsconfig({ strict: false }));
						expect(await errors(ws, "src/a.ts", server)).toEqual([]);
						ws.write("tsconfig.json", tsconfig({ strict: true }));
						expect(await errors(ws, "src/a.ts", server)).toEqual(["2:9 18047"]);
					}
				},
			));

		test("a dependency is installed, replaced and removed by another program", () =>
			withWorkspace(files({ "src/a.ts": 'import { x } from "x";\n\nexport const n: number = x;\n' }), async (ws) => {
				expect(await errors(ws, "src/a.ts", server)).toEqual(["1:19 2307"]);
				ws.write("node_modules/x/package.json", '{ "name": "x", "version": "1.0.0", "types": "index.d.ts" }');
				ws.write("node_modules/x/index.d.ts", "export declare const x: number;\n");
				expect(await errors(ws, "src/a.ts", server)).toEqual([]);
				ws.write("node_modules/x/package.json", '{ "name": "x", "version": "2.0.0", "types": "index.d.ts" }');
				ws.write("node_modules/x/index.d.ts", "export declare const x: string;\n");
				ws.write("node_modules/.package-lock.json", "{}");
				expect(await errors(ws, "src/a.ts", server)).toEqual(["3:14 2322"]);
				rmSync(ws.path("node_modules/x"), { recursive: true });
				ws.write("node_modules/.package-lock.json", "{ }");
				expect(await errors(ws, "src/a.ts", server)).toEqual(["1:19 2307"]);
			}));

		test("the configuration that tsconfig.json extends is changed", () =>
			withWorkspace(
				files({
					"base.json": tsconfig({ strict: true }),
					"tsconfig.json": '{ "extends": "./base.json", "include": ["src"] }',
					"src/a.ts": "export function f(x: string | null): number {\n\treturn x.length;\n}\n",
				}),
				async (ws) => {
					expect(await errors(ws, "src/a.ts", server)).toEqual(["2:9 18047"]);
					ws.write("base.json", tsconfig({ strict: false }));
					expect(await errors(ws, "src/a.ts", server)).toEqual([]);
				},
			));

		test("the first tsconfig.json is added and removed", () =>
			withWorkspace(
				{
					"package.json": JSON.stringify({ type: "module", ...manifest }),
					"a.ts": "export function f(x, y: number): number {\n\treturn x + y;\n}\n",
				},
				async (ws) => {
					const loose = await errors(ws, "a.ts", server);
					for (const strict of [loose.length === 0, loose.length > 0]) {
						ws.write("tsconfig.json", tsconfig({ strict }).replace('["src"]', '["."]'));
						expect(await errors(ws, "a.ts", server)).toEqual(strict ? ["1:19 7006"] : []);
					}
					rmSync(ws.path("tsconfig.json"));
					expect(await errors(ws, "a.ts", server)).toEqual(loose);
				},
			));

		test("a tsconfig.json is added in a folder without one", () =>
			withWorkspace(
				files({ "src/a.ts": "export function f(x: string | null): number {\n\treturn x.length;\n}\n" }),
				async (ws) => {
					ws.write("tsconfig.json", tsconfig({ strict: true }));
					expect(await errors(ws, "src/a.ts", server)).toEqual(["2:9 18047"]);
					ws.write("src/tsconfig.json", tsconfig({ strict: false }).replace('["src"]', '["."]'));
					expect(await errors(ws, "src/a.ts", server)).toEqual([]);
					rmSync(ws.path("src/tsconfig.json"));
					expect(await errors(ws, "src/a.ts", server)).toEqual(["2:9 18047"]);
				},
			));
	});

describe.skipIf(!isThere("pyright-langserver"))("pyright: a change next to the file counts in the next check:", () => {
	const wrong = "def f(x):\n    return x + missing\n\n\nn: int = None\n";

	for (const [file, [on, off]] of Object.entries(modes))
		test(`${file} gets another mode of checking`, () =>
			withWorkspace({ "pyproject.toml": "[project]\nname = 'x'\n", [file]: on, "a.py": wrong }, async (ws) => {
				const both = ["2:16 reportUndefinedVariable", "5:10 reportAssignmentType"];
				expect(await pyErrors(ws, "a.py")).toEqual(both);
				for (let round = 0; round < 3; round++) {
					ws.write(file, off);
					expect(await pyErrors(ws, "a.py")).toEqual([]);
					ws.write(file, on);
					expect(await pyErrors(ws, "a.py")).toEqual(both);
				}
			}));

	test("a virtual environment is made, a package is added and removed, the environment is removed", () =>
		withWorkspace(
			{ "pyproject.toml": "[project]\nname = 'x'\n", "a.py": "import thing\n\nn: int = thing.x\n" },
			async (ws) => {
				const none = ["1:8 reportMissingImports"];
				const packages = ".venv/lib/python3.12/site-packages";
				expect(await pyErrors(ws, "a.py")).toEqual(none);
				ws.write(".venv/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n");
				ws.write(`${packages}/other/__init__.py`, "x = 1\n");
				expect(await pyErrors(ws, "a.py")).toEqual(none);
				ws.write(`${packages}/thing/__init__.py`, "x: int = 1\n");
				expect(await pyErrors(ws, "a.py")).toEqual([]);
				rmSync(ws.path(packages, "thing"), { recursive: true });
				expect(await pyErrors(ws, "a.py")).toEqual(none);
				ws.write(`${packages}/thing/__init__.py`, "x: str = ''\n");
				expect(await pyErrors(ws, "a.py")).toEqual(["3:10 reportAssignmentType"]);
				rmSync(ws.path(".venv"), { recursive: true });
				expect(await pyErrors(ws, "a.py")).toEqual(none);
			},
		));
});

function pyErrors(ws: Workspace, file: string): Promise<string[]> {
	return errors(ws, file, "pyright", withServers(ws.env));
}

function tsconfig(options: object): string {
	return JSON.stringify({
		compilerOptions: { module: "nodenext", noEmit: true, types: [], ...options },
		include: ["src"],
	});
}

async function errors(ws: Workspace, file: string, server: string, env = ws.env): Promise<string[]> {
	const { stdout } = await ws.cli(["check", file, "--json", "--timeout", "40000"], { env });
	const { files, servers } = JSON.parse(stdout) as CheckReport;
	expect(servers).toMatchObject([{ id: server, state: "fresh" }]);
	return (files[0]?.diagnostics ?? []).map(({ line, column, code }) => `${line}:${column} ${code}`);
}
