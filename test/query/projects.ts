import { withServers } from "../live/languages.ts";
import type { Files, Workspace } from "../support/workspace.ts";

/** One small project for each language: a ledger that is used, tested, and has names that are hard for servers. */
export const projects: Readonly<Record<"typescript" | "python" | "go", Files>> = {
	typescript: {
		"src/ledger.ts": [
			"/** Keeps accounts. */",
			"export class Ledger {",
			"\t#sum = 0;",
			"\t/** Says whether it is right. */",
			"\tjudge(entry: string): boolean;",
			"\tjudge(entry: number): boolean;",
			"\tjudge(entry: unknown): boolean {",
			"\t\treturn this.#sum === entry;",
			"\t}",
			"}",
			"export default function (x: number) { return x; }",
			"export namespace Outer { export class Inner { judge() { return 1; } other() {} } }",
			"export const { left, right } = { left: 1, right: 2 };",
			"",
		].join("\n"),
		"src/app.ts": [
			"import whole, {",
			"\tLedger,",
			'} from "./ledger.ts";',
			"",
			"export function main(): boolean {",
			"\tconst ledger = new Ledger();",
			'\treturn ledger.judge(whole(1)) && ledger.judge("x");',
			"}",
			"",
		].join("\n"),
		"test/ledger.test.ts": [
			'import { Ledger } from "../src/ledger.ts";',
			"",
			"export function checks(): boolean {",
			'\treturn new Ledger().judge("a");',
			"}",
			"",
		].join("\n"),
	},
	python: {
		"pyproject.toml": "[project]\nname = 'x'\n",
		"ledger.py": [
			"# Accounts.",
			"class Ledger:",
			'    """Keeps accounts."""',
			"",
			"    class Inner:",
			"        def judge(self) -> int:",
			"            return 1",
			"",
			"    # Says whether it is right.",
			"    def judge(self, entry: int) -> bool:",
			"        return entry == 1",
			"",
		].join("\n"),
		"app.py": "from ledger import Ledger\n\n\ndef main() -> bool:\n    return Ledger().judge(1)\n",
		"tests/test_ledger.py": "from ledger import Ledger\n\n\ndef test_judge() -> None:\n    assert Ledger().judge(1)\n",
	},
	go: {
		"go.mod": "module ex\n\ngo 1.22\n",
		"ledger.go": [
			"package ex",
			"",
			"// Ledger keeps accounts.",
			"type Ledger struct {",
			"\tsum int",
			"}",
			"",
			"// Judge says whether it is right.",
			"func (l *Ledger) Judge(entry int) bool {",
			"\treturn l.sum == entry",
			"}",
			"",
		].join("\n"),
		"app.go": 'package ex\n\nimport "fmt"\n\nfunc Main() {\n\tfmt.Println((&Ledger{}).Judge(1))\n}\n',
		"ledger_test.go":
			'package ex\n\nimport "testing"\n\nfunc TestJudge(t *testing.T) {\n\tif (&Ledger{}).Judge(1) {\n\t\tt.Fail()\n\t}\n}\n',
	},
};

/** Runs a query on the command line, with the servers of the live tests on PATH, and reads the output of `--json`. */
export async function asked<Result>(ws: Workspace, ...words: string[]): Promise<Result> {
	const { stdout } = await ws.cli([...words, "--json"], { env: withServers(ws.env) });
	return JSON.parse(stdout) as Result;
}

/** Runs the same query and returns the output for people. */
export async function outputOf(ws: Workspace, ...words: string[]): Promise<string> {
	const { stdout, stderr } = await ws.cli(words, { env: withServers(ws.env) });
	return `${stdout}${stderr}`.trimEnd();
}
