import { describe, expect, test } from "vitest";
import type { CheckReport, FileReport } from "../../src/contract/check-report.ts";
import { type Files, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const nodeFile = `import { debounce } from "lodash";
import { z } from "zod/v4";
import { own } from "./own.js";

export const x = process.env.HOME ?? Buffer.from(__dirname);
export const y: number = own;
export { debounce, z };
`;

for (const [server, typescript] of [
	["typescript", "^7.0.0"],
	["typescript-language-server", "^5.4.0"],
] as const)
	describe(`${server}: the cause of errors outside of a file`, () => {
		const dependencies = { lodash: "4", zod: "4" };
		const manifest = { type: "module", dependencies, devDependencies: { typescript, "@types/node": "20" } };
		const compilerOptions = { strict: true, module: "nodenext", noEmit: true };
		const files: Files = {
			"package.json": JSON.stringify(manifest),
			"tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
			"src/a.ts": nodeFile,
			"src/own.ts": "export const own = 'text';\n",
		};

		test("is reported in one sentence if no package is installed", async () => {
			const report = await checked({ ...files, "pnpm-lock.yaml": "" }, "src/a.ts");
			expect(report.environment).toBe(
				"node_modules is missing: package.json names 4 dependencies; run `pnpm install`.",
			);
			expect(marked(report)).toEqual(["1", "2", "5", "5", "5"]);
			expect(unmarked(report)).toEqual(["6 2322"]);
		});

		test("is reported in one sentence if some packages are not installed", async () => {
			const report = await checked(
				{
					...files,
					"node_modules/@types/node/package.json": '{ "name": "@types/node", "types": "index.d.ts" }',
					"node_modules/@types/node/index.d.ts": nodeTypes,
					"tsconfig.json": JSON.stringify({ compilerOptions: { ...compilerOptions, types: ["node"] } }),
				},
				"src/a.ts",
			);
			expect(report.environment).toBe(
				"`lodash` and `zod` are in package.json and not in node_modules; run `npm install`.",
			);
			expect(marked(report)).toEqual(["1", "2"]);
			expect(unmarked(report)).toEqual(["6 2322"]);
		});

		test("is reported in one sentence if an installed package of types is excluded", async () => {
			const report = await checked(
				{
					"package.json": JSON.stringify(manifest),
					"tsconfig.json": JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] } }),
					"node_modules/@types/node/package.json": '{ "name": "@types/node", "types": "index.d.ts" }',
					"node_modules/@types/node/index.d.ts": nodeTypes,
					"a.ts": "export const x = process.env.HOME ?? Buffer.from(__dirname);\n",
				},
				"a.ts",
			);
			expect(report.environment).toBe(
				'`@types/node` is installed and `types` of the tsconfig does not name it; add "node" there.',
			);
			expect(marked(report)).toEqual(["1", "1", "1"]);
		});

		test("is reported in one sentence if the file is in no project", async () => {
			const options = { ...compilerOptions, paths: { "@/*": ["./src/*"] } };
			const report = await checked(
				{
					"package.json": JSON.stringify({ type: "module", devDependencies: { typescript } }),
					"tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["src"] }),
					"src/own.ts": "export const own = 1;\n",
					"tools/a.ts": 'import { own } from "@/own";\nimport { b } from "@/b";\n\nexport { b, own };\n',
				},
				"tools/a.ts",
			);
			expect(report.environment).toBe(
				"The file is in no project: tsconfig.json does not include it, so it is judged without those options; add it to `include`.",
			);
			expect(marked(report)).toEqual(["1", "2"]);
		});

		test("is not reported for errors of the text itself, even if they are more than half", async () => {
			const text = `import { a } from "./gone.js";
import { debounce } from "lodash";
import { z } from "zod";

export const b: number = "";
export const c: number = "";
export { a, debounce, z };
`;
			const report = await checked({ ...files, "src/a.ts": text }, "src/a.ts");
			expect(report.environment).toBeUndefined();
			expect(unmarked(report)).toEqual(["1 2307", "2 2307", "3 2307", "5 2322", "6 2322"]);
		});
	});

const nodeTypes =
	"declare var process: { env: Record<string, string> };\ndeclare var Buffer: { from(x: string): string };\ndeclare var __dirname: string;\n";

describe.skipIf(!isThere("pyright-langserver"))("pyright: the cause of errors outside of a file", () => {
	const files: Files = {
		"pyproject.toml": '[project]\nname = "x"\ndependencies = ["thing[fast]>=2", "PyOther"]\n',
		"own.py": "n = 1\n",
		"a.py": "import thing\nimport other.deep\nimport own\n\nn: str = own.n\nprint(thing.x, other.deep.y)\n",
	};
	const environment = {
		".venv/pyvenv.cfg": "home = /usr/bin\n",
		".venv/lib/python3.12/site-packages/six.py": "",
	};

	test("is reported in one sentence if there is no environment", async () => {
		const report = await checked({ ...files, "uv.lock": "" }, "a.py");
		expect(report.environment).toBe(
			"No virtual environment was found (.venv, venv, VIRTUAL_ENV): pyproject.toml names 2 dependencies; run `uv sync`.",
		);
		expect(marked(report)).toEqual(["1", "2"]);
		expect(unmarked(report)).toEqual(["5 reportAssignmentType"]);
	});

	test("is reported in one sentence if the environment lacks declared packages", async () => {
		const report = await checked({ ...files, ...environment }, "a.py");
		expect(report.environment).toBe(
			"`thing` and `pyother` are in pyproject.toml and not in .venv; run `.venv/bin/pip install -e .`.",
		);
		expect(marked(report)).toEqual(["1", "2"]);
	});

	test("is reported in one sentence if the interpreter of the environment may not be run, unless the project has its own paths", async () => {
		const report = await checked(
			{
				...files,
				...environment,
				"pyrightconfig.json": '{ "extraPaths": ["lib"] }',
				".venv/lib/python3.12/site-packages/thing.py": "x = 1\n",
				".venv/lib/python3.12/site-packages/other/deep.py": "y = 1\n",
			},
			"a.py",
		);
		expect(report.environment).toBe(
			"The packages are in .venv, whose interpreter is not run in a repository that is not trusted. Only a person may allow it: ask them to run `pi-lsp trust add`.",
		);
		expect(marked(report)).toEqual(["1", "2"]);
	});
});

describe.skipIf(!isThere("gopls") || !isThere("go"))("gopls: the cause of errors outside of a file", () => {
	test("is reported in one sentence if modules are not downloaded, as they are never without trust", async () => {
		const report = await checked(
			{
				"go.mod": "module ex\n\ngo 1.21\n\nrequire (\n\tfirst.invalid/One v1.0.0\n\tsecond.invalid/two v1.2.3\n)\n",
				"a.go":
					'package ex\n\nimport (\n\t"first.invalid/One/sub"\n\t"second.invalid/two"\n)\n\nvar A = sub.X\nvar B int = two.Y\n',
			},
			"a.go",
		);
		expect(report.environment).toBe(
			"`first.invalid/One` and `second.invalid/two` are in go.mod and not downloaded; run `go mod download`.",
		);
		expect(marked(report)).toEqual(["4", "5"]);
	});
});

function checked(files: Files, file: string): Promise<FileReport> {
	return withWorkspace(files, async (ws) => {
		const env = withServers(ws.env);
		const { stdout } = await ws.cli(["check", file, "--json", "--timeout", "40000"], { env });
		const [report] = (JSON.parse(stdout) as CheckReport).files;
		expect(report).toMatchObject({ path: file, state: "fresh" });
		return report as FileReport;
	});
}

/** The lines of the errors that follow from the environment. */
function marked({ diagnostics }: FileReport): string[] {
	return diagnostics.filter(({ environmental }) => environmental).map(({ line }) => `${line}`);
}

function unmarked({ diagnostics }: FileReport): string[] {
	return diagnostics.filter(({ environmental }) => !environmental).map(({ line, code }) => `${line} ${code}`);
}
