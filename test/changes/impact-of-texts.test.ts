import { existsSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ImpactReport } from "../../src/operations/impact.ts";
import { isThere, withServers } from "../live/languages.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";
import { commitAll, git } from "./repository.ts";

const settings = { ".pi-lsp.json": '{ "warmMs": 50000, "coldMs": 50000, "graceMs": 20000 }' };

interface Case {
	readonly files: Files;
	/** The texts after the change; undefined for a deleted file. */
	readonly after: Readonly<Record<string, string | undefined>>;
	readonly symbols: readonly string[];
}

const typescript: Case = {
	files: {
		...TYPESCRIPT_PROJECT,
		...settings,
		"src/shape.ts": [
			"export interface Shape {",
			"\tarea(): number;",
			"}",
			"export class Square implements Shape {",
			"\tarea(): number {",
			"\t\treturn side() * side();",
			"\t}",
			"}",
			"export function side(): number {",
			"\treturn 2;",
			"}",
			"export function old(): number {",
			"\treturn 1;",
			"}",
			"",
		].join("\n"),
		"src/app.ts": [
			'import { old, Square } from "./shape.ts";',
			"",
			"export function main(): number {",
			"\treturn new Square().area() + old();",
			"}",
			"",
		].join("\n"),
		"src/cli.ts": 'import { old } from "./shape.ts";\n\nexport const result = old();\n',
		"src/gone.ts": 'import { side } from "./shape.ts";\n\nexport function gone(): number {\n\treturn side();\n}\n',
		"test/shape.test.ts":
			'import { side } from "../src/shape.ts";\n\nexport function checks(): boolean {\n\treturn side() === 2;\n}\n',
	},
	after: {
		"src/shape.ts": [
			"// One more line above.",
			"export interface Shape {",
			"\tarea(): string;",
			"}",
			"export class Square implements Shape {",
			"\tarea(): string {",
			"\t\treturn String(side() * side());",
			"\t}",
			"}",
			"export function side(): number {",
			"\treturn 3;",
			"}",
			"",
		].join("\n"),
		"src/app.ts": [
			'import { fresh } from "./fresh.ts";',
			'import { Square } from "./shape.ts";',
			"",
			"export function main(): number {",
			"\treturn new Square().area().length + fresh();",
			"}",
			"",
		].join("\n"),
		"src/fresh.ts": "export function fresh(): number {\n\treturn 1;\n}\n",
		"src/gone.ts": undefined,
		"src/cli.ts": undefined,
		"src/main.ts": 'import { old } from "./shape.ts";\n\nexport const result = old();\nexport const more = 1;\n',
	},
	symbols: [
		"added fresh",
		"added more",
		"body main",
		"body side",
		"moved result",
		"removed gone",
		"removed old",
		"signature Shape",
		"signature Shape.area",
		"signature Square.area",
	],
};

const go: Case = {
	files: {
		...settings,
		"go.mod": "module ex\n\ngo 1.22\n",
		"shape.go": "package ex\n\ntype Shape interface {\n\tArea() int\n}\n",
		"square.go": "package ex\n\ntype Square struct{}\n\nfunc (s *Square) Area() int {\n\treturn 4\n}\n",
		"app.go": "package ex\n\nfunc Total(s Shape) int {\n\treturn s.Area()\n}\n",
		"app_test.go": 'package ex\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tTotal(&Square{})\n}\n',
	},
	after: {
		"shape.go": "package ex\n\ntype Shape interface {\n\tArea(unit string) int\n}\n",
		"app.go": 'package ex\n\nfunc Total(s Shape) int {\n\treturn s.Area("m") + Fresh()\n}\n',
		"fresh.go": "package ex\n\nfunc Fresh() int {\n\treturn 1\n}\n",
	},
	symbols: ["added Fresh", "body Total", "signature Shape", "signature Shape.Area"],
};

const python: Case = {
	files: {
		...settings,
		"pyproject.toml": "[project]\nname = 'x'\n",
		"shape.py": "class Square:\n    def area(self) -> int:\n        return 4\n\n\ndef old() -> int:\n    return 1\n",
		"app.py": "from shape import Square, old\n\n\ndef total() -> int:\n    return Square().area() + old()\n",
		"tests/test_app.py": "from app import total\n\n\ndef test_total() -> None:\n    assert total() == 5\n",
	},
	after: {
		"shape.py": "class Square:\n    def area(self, unit: str) -> int:\n        return 4\n",
		"app.py": 'from shape import Square\n\n\ndef total() -> int:\n    return Square().area("m")\n',
	},
	symbols: ["body total", "removed old", "signature Square.area"],
};

const cases = [
	{ server: "typescript-language-server", there: true, ...typescript },
	{ server: "gopls", there: isThere("gopls"), ...go },
	{ server: "pyright", there: isThere("pyright-langserver"), ...python },
];

function write(ws: Workspace, after: Case["after"]): void {
	for (const [file, text] of Object.entries(after)) {
		if (text === undefined) rmSync(ws.path(file));
		else ws.write(file, text);
	}
}

/** As `--json` prints it, once the server has read the project. */
async function impact(ws: Workspace, words: readonly string[], input?: string): Promise<ImpactReport> {
	const whole = async () => {
		const given = { env: withServers(ws.env), ...(input === undefined ? {} : { input }) };
		const { stdout, stderr } = await ws.cli(["impact", ...words, "--json"], given);
		if (stdout === "") throw new Error(stderr);
		const found = JSON.parse(stdout) as ImpactReport;
		return found.incomplete === undefined ? met(found) : notYet(found.incomplete);
	};
	return until("the project is read", whole, { timeoutMs: 100_000, everyMs: 500 });
}

function named({ changed }: ImpactReport): string[] {
	return changed.map(({ change, symbol }) => `${change} ${symbol}`).sort();
}

describe.each(cases)("$server", ({ there, files, after, symbols }) => {
	test.skipIf(!there)(
		"a patch that is not written has the same impact as once it is written",
		() =>
			withWorkspace(files, async (ws) => {
				commitAll(ws);
				write(ws, after);
				git(ws, "add", "-A");
				const patch = `${git(ws, "diff", "--cached")}\n`;
				git(ws, "reset", "-q", "--hard");
				const before = git(ws, "status", "--porcelain");
				const planned = await impact(ws, ["--patch", "-"], patch);
				expect(git(ws, "status", "--porcelain")).toBe(before);
				expect(named(planned)).toEqual(symbols);
				expect(planned.unread).toEqual([]);
				write(ws, after);
				// Files that git does not know come last.
				git(ws, "add", "-A");
				const written = await impact(ws, ["--changed"]);
				expect(planned).toEqual(written);
			}),
		150_000,
	);
});

test("a patch that only renames a file has the same impact as once it is written", () =>
	withWorkspace(typescript.files, async (ws) => {
		commitAll(ws);
		git(ws, "mv", "src/shape.ts", "src/form.ts");
		const patch = `${git(ws, "diff", "--cached", "-M")}\n`;
		expect(patch).toContain("similarity index 100%");
		const written = await impact(ws, ["--changed"]);
		git(ws, "reset", "-q", "--hard");
		expect(named(written)).toContain("moved Shape");
		expect(await impact(ws, ["--patch", "-"], patch)).toEqual(written);
	}));

test("a list of edits has the same impact as a patch, also with a caller whose text is given", () =>
	withWorkspace(typescript.files, async (ws) => {
		const edits = [
			{ file: "src/shape.ts", old_text: "export function old(): number {\n\treturn 1;\n}\n", new_text: "" },
			{ file: "src/cli.ts", content: "export const result = 1;\n" },
		];
		const { changed } = await impact(ws, ["--edits", JSON.stringify(edits)]);
		const old = changed.find(({ symbol }) => symbol === "old");
		expect(old).toMatchObject({ change: "removed", risk: "high" });
		expect(old?.callers.map(({ file, symbol, text }) => [file, symbol, text])).toEqual([
			["src/app.ts", "", 'import { old, Square } from "./shape.ts";'],
			["src/app.ts", "main", "return new Square().area() + old();"],
		]);
		expect(existsSync(ws.path("src/cli.ts"))).toBe(true);
		expect(ws.read("src/cli.ts")).toBe(typescript.files["src/cli.ts"]);
	}));

test("a patch that does not fit, and a patch together with files, are refused", () =>
	withWorkspace(typescript.files, async (ws) => {
		const patch = "--- a/src/cli.ts\n+++ b/src/cli.ts\n@@ -1,1 +1,1 @@\n-nothing\n+something\n";
		const unfit = await ws.cli(["impact", "--patch", "-"], { input: patch });
		expect([unfit.code, unfit.stderr]).toEqual([2, expect.stringContaining("LSP_EDIT_REFUSED: src/cli.ts")]);
		const both = await ws.cli(["impact", "src/cli.ts", "--patch", "-"], { input: patch });
		expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("without files, symbols and revisions")]);
	}));
