import { expect, test } from "vitest";
import { type Files, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

interface Action {
	readonly title: string;
	readonly kind?: string;
	readonly fixes?: readonly string[];
	readonly server: string;
}

interface Subject {
	readonly linter: string;
	/** The programs without which the test is skipped. */
	readonly programs: readonly string[];
	readonly files: Files;
	readonly file: string;
	readonly line: number;
	/** The fix, and the diagnostic that it removes. */
	readonly action: string;
	readonly fixes: string;
}

const subjects: readonly Subject[] = [
	{
		linter: "ruff",
		programs: ["ruff", "pyright-langserver"],
		files: {
			"ruff.toml": "",
			"pyrightconfig.json": "{}",
			"a.py": "import os\n\n\ndef f(a: int) -> int:\n    return a\n",
		},
		file: "a.py",
		line: 1,
		action: "Remove unused import: `os`",
		fixes: "imported but unused",
	},
	{
		linter: "biome",
		programs: ["biome"],
		files: {
			"biome.json": '{ "linter": { "enabled": true } }',
			"package.json": '{ "type": "module" }',
			"tsconfig.json": "{}",
			"a.ts": "export function f(a: number) {\n\tlet b = a;\n\treturn b;\n}\n",
		},
		file: "a.ts",
		line: 2,
		action: "safe fix for useConst",
		fixes: "only assigned once",
	},
];

for (const { linter, programs, files, file, line, action, fixes } of subjects) {
	const missing = programs.find((name) => !isThere(name));
	const title = `the actions of ${linter} for its diagnostic are shown`;
	test.skipIf(missing !== undefined)(missing === undefined ? title : `${title}: ${missing} is not installed`, () =>
		withWorkspace(files, async (ws) => {
			const env = withServers(ws.env);
			const { stdout, stderr } = await ws.cli(["code_actions", file, "--line", String(line), "--json"], { env });
			expect(stderr).toBe("");
			const { actions } = JSON.parse(stdout) as { actions: readonly Action[] };
			const own = actions.filter(({ server }) => server === linter);
			expect(own).toContainEqual(expect.objectContaining({ title: expect.stringContaining(action) }));
			const fixing = own.find(({ title: name }) => name.includes(action));
			expect(fixing?.fixes?.join() ?? "").toContain(fixes);
			const { stdout: shown } = await ws.cli(["code_actions", file, "--line", String(line)], { env });
			expect(shown).toContain(fixing?.title);
		}),
	);
}
