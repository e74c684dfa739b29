import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../../src/contract/check-report.ts";
import { commitAll, git } from "../../changes/repository.ts";
import { CLI } from "../../support/repository.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";

const wrong = `export const n: number = "x";\n`;
const right = `export const n: number = 1;\n`;

const project: Files = {
	...TYPESCRIPT_PROJECT,
	".gitignore": "generated.ts\nout/\n",
	"src/wrong.ts": wrong,
	"src/deep/right.ts": right,
	"src/generated.ts": wrong,
	"src/logo.png": "a\0b",
	"out/built.ts": wrong,
	"node_modules/x/index.ts": wrong,
	"clean/a.ts": right,
	"clean/b.ts": right,
	"words/LICENSE": "Do what you like.\n",
	"README.md": "# Sample\n",
};

interface Checked {
	readonly code: number | string;
	readonly report: CheckReport;
	readonly paths: readonly string[];
	readonly passed: Readonly<Record<string, number>>;
}

async function check(ws: Workspace, args: readonly string[], input = ""): Promise<Checked> {
	const { code, stdout } = await ws.cli(["check", ...args, "--format", "json"], { input });
	const report = JSON.parse(stdout) as CheckReport;
	const passed = Object.fromEntries((report.passedOver ?? []).map(({ reason, files }) => [reason, files]));
	return { code, report, paths: report.files.map(({ path }) => path).sort(), passed };
}

describe("check of many files", () => {
	test("takes directories, `.` and globs, without what git ignores", () =>
		withWorkspace(project, async (ws) => {
			mkdirSync(ws.path(".git"));
			symlinkSync(ws.path("src"), ws.path("linked"));
			const all = await check(ws, ["."]);
			expect(all.paths.filter((path) => path.endsWith(".ts"))).toEqual([
				"clean/a.ts",
				"clean/b.ts",
				"src/deep/right.ts",
				"src/wrong.ts",
			]);
			expect(all.code).toBe(1);
			expect(all.passed["no server answers for it"]).toBeGreaterThanOrEqual(2);
			const below = await check(ws, ["clean"]);
			expect([below.code, below.paths]).toEqual([0, ["clean/a.ts", "clean/b.ts"]]);
			const globbed = await check(ws, ["src/**/r*.ts"]);
			expect([globbed.code, globbed.paths]).toEqual([0, ["src/deep/right.ts"]]);
			const both = await check(ws, ["clean", "clean/a.ts", "./clean/b.ts"]);
			expect(both.paths).toEqual(["clean/a.ts", "clean/b.ts"]);
		}));

	test("leaves out files that the configuration or the caller excludes, unless they are named", () =>
		withWorkspace({ ...project, ".pi-lsp.json": `{ "exclude": ["/src/wrong.ts"] }` }, async (ws) => {
			mkdirSync(ws.path(".git"));
			const configured = await check(ws, ["src/deep", "src/*.ts", "clean"]);
			expect([configured.code, configured.paths]).toEqual([0, ["clean/a.ts", "clean/b.ts", "src/deep/right.ts"]]);
			expect(configured.passed.excluded).toBe(1);
			expect((await check(ws, ["clean", "--exclude", "b.ts"])).paths).toEqual(["clean/a.ts"]);
			expect((await check(ws, ["src/wrong.ts"])).code).toBe(1);
		}));

	test("skips files that no server answers for, and fails only if there are no other files", () =>
		withWorkspace(project, async (ws) => {
			const some = await check(ws, ["clean/a.ts", "words/LICENSE", "README.md", "src/logo.png"]);
			expect([some.code, some.paths]).toEqual([0, ["clean/a.ts"]]);
			expect(Object.values(some.passed).reduce((sum, count) => sum + count, 0)).toBe(3);
			expect((await check(ws, ["words/LICENSE"])).code).toBe(3);
			const nothing = await ws.cli(["check", "words"]);
			expect(nothing.code).toBe(3);
			expect(nothing.stderr).toContain(
				"LSP_UNSUPPORTED_FILE: No file was checked. Passed over: 1 file (no server answers",
			);
		}));

	test("reports that an empty directory has no files, and fails since it has checked nothing", () =>
		withWorkspace(project, async (ws) => {
			mkdirSync(ws.path("empty"));
			const { code, stderr } = await ws.cli(["check", "empty"]);
			expect(code).toBe(3);
			expect(stderr).toContain("LSP_UNSUPPORTED_FILE: There are no files to check here.\nName a directory or files;");
		}));

	test("reports a missing file and checks the others", () =>
		withWorkspace(project, async (ws) => {
			const { code, paths, passed } = await check(ws, ["clean/a.ts", "clean/none.ts"]);
			expect([code, paths]).toEqual([0, ["clean/a.ts"]]);
			expect(passed).toEqual({ "does not exist": 1 });
			const text = await ws.cli(["check", "clean/a.ts", "clean/none.ts"]);
			expect(text.stdout).toBe("clean/a.ts: clean\nPassed over (does not exist): clean/none.ts\n");
			const none = await ws.cli(["check", "clean/none.ts", "no/*.ts"]);
			expect(none.code).toBe(2);
			expect(none.stderr).toContain("clean/none.ts does not exist");
		}));

	test("reports that no file matches a glob without matches", () =>
		withWorkspace(project, async (ws) => {
			const { code, stderr } = await ws.cli(["check", "clean/**/*.tsx"]);
			expect([code, stderr.split("\n")[0]]).toEqual([2, "LSP_FILE_NOT_FOUND: clean/**/*.tsx matches no file."]);
			expect((await check(ws, ["clean/a.ts", "clean/*.tsx"])).passed).toEqual({ "matches no file": 1 });
			expect((await check(ws, ["clean", "clean/a*.ts"])).passed).toEqual({});
		}));

	test("takes paths on standard input", () =>
		withWorkspace(project, async (ws) => {
			expect((await check(ws, ["--stdin-paths"], "clean/a.ts\nsrc/wrong.ts\n")).code).toBe(1);
			const zeros = await check(ws, ["--stdin-paths"], "clean/a.ts\0clean/b.ts\0");
			expect([zeros.code, zeros.paths]).toEqual([0, ["clean/a.ts", "clean/b.ts"]]);
			const none = await check(ws, ["--stdin-paths"], "");
			expect([none.code, none.paths]).toEqual([0, []]);
		}));
});

test("a check of many files takes account of changed settings and a changed dependency since the last one", () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			...Object.fromEntries(
				Array.from({ length: 20 }, (_, index) => [
					`src/part-${index}.ts`,
					`import { size } from "measures";\nexport function f(text: string | null): number {\n\treturn text.length + size;\n}\n`,
				]),
			),
		},
		async (ws) => {
			const codes = async () => {
				const { report, paths } = await check(ws, ["src"]);
				expect(paths).toHaveLength(20);
				return [...new Set(report.files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)))].sort();
			};
			const install = (declaration: string) => {
				rmSync(ws.path("node_modules/measures"), { recursive: true, force: true });
				ws.write("node_modules/measures/package.json", `{ "name": "measures", "types": "index.d.ts" }`);
				ws.write("node_modules/measures/index.d.ts", declaration);
			};
			const strict = ws.read("tsconfig.json");
			expect(await codes()).toEqual(["18047", "2307"]);
			expect(await codes()).toEqual(["18047", "2307"]);
			install("export const size: number;\n");
			expect(await codes()).toEqual(["18047"]);
			ws.write("tsconfig.json", strict.replace(`"strict":true`, `"strict":false`));
			expect(await codes()).toEqual([]);
			install("export const size: symbol;\n");
			expect(await codes()).toEqual(["2365"]);
			ws.write("tsconfig.json", strict);
			rmSync(ws.path("node_modules"), { recursive: true });
			expect(await codes()).toEqual(["18047", "2307"]);
		},
	));

describe("check of changed files", () => {
	test("takes the files that differ from HEAD, are staged, or differ from a revision", () =>
		withWorkspace(project, async (ws) => {
			commitAll(ws);
			expect(await check(ws, ["--changed"])).toMatchObject({ code: 0, paths: [] });
			ws.write("clean/a.ts", `${right}// more\n`);
			ws.write("clean/new.ts", right);
			ws.write("README.md", "# Other\n");
			rmSync(ws.path("clean/b.ts"));
			expect((await check(ws, ["--changed"])).paths.filter((path) => path.endsWith(".ts"))).toEqual([
				"clean/a.ts",
				"clean/new.ts",
			]);
			expect(await check(ws, ["--staged"])).toMatchObject({ code: 0, paths: [] });
			git(ws, "add", "clean/new.ts", "README.md");
			expect((await check(ws, ["--staged", "--changed"])).paths).toContain("clean/a.ts");
			const staged = await check(ws, ["--staged"]);
			expect([staged.code, staged.paths.filter((path) => path.endsWith(".ts"))]).toEqual([0, ["clean/new.ts"]]);
			git(ws, "add", "-A");
			git(ws, "commit", "-q", "-m", "second");
			ws.write("clean/new.ts", wrong);
			const since = await check(ws, ["--base", "HEAD~1"]);
			expect(since.code).toBe(1);
			expect(since.paths.filter((path) => path.endsWith(".ts"))).toEqual(["clean/a.ts", "clean/new.ts"]);
			expect((await ws.cli(["check", "--base", "nowhere"])).code).toBe(2);
		}));

	test("skips links that lead outside", () =>
		withWorkspace(project, async (ws) => {
			commitAll(ws);
			ws.write("clean/a.ts", `${right}// more\n`);
			writeFileSync(join(ws.base, "outside.ts"), wrong);
			symlinkSync(join(ws.base, "outside.ts"), ws.path("clean/linked.ts"));
			const { code, paths, passed } = await check(ws, ["--changed"]);
			expect([code, paths.filter((path) => path.endsWith(".ts"))]).toEqual([0, ["clean/a.ts"]]);
			expect(passed["a link that leads outside"]).toBe(1);
		}));

	test("does not fail a commit in which nothing can be checked", () =>
		withWorkspace(project, async (ws) => {
			commitAll(ws);
			ws.write("words/LICENSE", "Do what you must.\n");
			git(ws, "add", "-A");
			expect(await check(ws, ["--staged"])).toMatchObject({
				code: 0,
				paths: [],
				passed: { "no server answers for it": 1 },
			});
		}));

	test("takes all staged files before a first commit", () =>
		withWorkspace(project, async (ws) => {
			git(ws, "init", "-q", "-b", "main", ".");
			git(ws, "add", "clean");
			expect((await check(ws, ["--staged"])).paths).toEqual(["clean/a.ts", "clean/b.ts"]);
		}));

	test("refuses a commit in git's own hook, also one whose index is not the repository's", () =>
		withWorkspace(project, async (ws) => {
			commitAll(ws);
			const hook = ws.path(".git/hooks/pre-commit");
			mkdirSync(ws.path(".git/hooks"), { recursive: true });
			const command = `"${process.execPath}" "${CLI}" check --staged --format concise`;
			writeFileSync(hook, `#!/bin/sh\nexec ${command}\n`, { mode: 0o755 });
			const commit = (...args: string[]) => {
				try {
					return git(ws, "commit", "-q", "-m", "next", ...args);
				} catch (error) {
					return String((error as { readonly stdout: unknown }).stdout) + String((error as Error).message);
				}
			};
			ws.write("clean/a.ts", wrong);
			expect(commit("-a")).toContain("clean/a.ts:1:14: error:");
			expect(commit("clean/a.ts")).toContain("clean/a.ts:1:14: error:");
			ws.write("clean/a.ts", `${right}// mended\n`);
			expect(commit("-a")).toBe("");
			expect(git(ws, "status", "--porcelain")).toBe("");
		}));

	test("requires a repository", () =>
		withWorkspace(project, async (ws) => {
			const { code, stderr } = await ws.cli(["check", "--changed"]);
			expect(code).toBe(2);
			expect(stderr).toMatch(/no git repository at .*\.\nName the files instead\.\n/);
		}));
});

test("What `tsc` fails on by a project's own settings, such as an unused name, is an error", () => {
	const settings = { strict: true, types: [], noEmit: true, noUnusedLocals: true, noImplicitReturns: true };
	const files = {
		...TYPESCRIPT_PROJECT,
		"tsconfig.json": JSON.stringify({ compilerOptions: settings }),
		"a.ts": "const unused = 1;\nexport function f(b: boolean) {\n\tif (b) return 1;\n}\n",
	};
	return withWorkspace(files, async (ws) => {
		const { code, report } = await check(ws, ["a.ts"]);
		const found = report.files[0]?.diagnostics.map(({ severity, code: name }) => `${severity} ${name}`);
		expect([code, found]).toEqual([1, ["error 6133", "error 7030"]]);
	});
});
