import { chmodSync, chownSync, existsSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DetectedChanges } from "../../src/operations/detect-changes.ts";
import { withProject } from "../diagnostics/project.ts";
import { withServers } from "../live/languages.ts";
import { asked, projects } from "../query/projects.ts";
import { withWorkspace } from "../support/workspace.ts";
import { commitAll, git } from "./repository.ts";

const greet = [
	"/** Says hello. */",
	"export function greet(name: string): string {",
	"\treturn name;",
	"}",
	"export function twice(n: number) {",
	"\treturn n * 2;",
	"}",
	"export function thrice(n: number) {",
	"\treturn n * 3;",
	"}",
	"export function gone() {}",
	'export function mover(a: string) { return a + "!"; }',
	"export interface Shape {",
	"\tarea(): number;",
	"}",
	"export class Box {",
	"\tsize = 1;",
	"\tgrow(by: number): void { this.size += by; }",
	"\tshrink(): void { this.size -= 1; }",
	"}",
	"",
].join("\n");
const greetAfter = [
	"/** Says hello, politely. */",
	"export function greet(name: string): string {",
	'\treturn name + ".";',
	"}",
	"export function twice(n: number) {",
	"\treturn String(n * 2);",
	"}",
	"export function thrice(n: number) {",
	"\treturn 3 * n;",
	"}",
	"export interface Shape {",
	"\tarea(): number;",
	"\tcolor: string;",
	"}",
	"export class Box {",
	"\tsize = 1;",
	"\t// It grows.",
	"\tgrow(by: number): void { this.size += by; }",
	"\tshrink(by = 1): void { this.size -= by; }",
	"}",
	"function fresh() {}",
	"",
].join("\n");

/** `change symbol` for each changed symbol. */
function summary({ files }: DetectedChanges): string[] {
	return files.flatMap(({ symbols }) => symbols.map(({ change, symbol }) => `${change} ${symbol}`));
}

describe("detect_changes", () => {
	test("distinguishes body, signature, added, removed and moved, and takes no comment for a change", () =>
		withProject(
			{ "src/greet.ts": greet, "src/app.ts": 'import { gone } from "./greet.ts";\ngone();\n' },
			async (project) => {
				commitAll(project.ws);
				project.ws.write("src/greet.ts", greetAfter);
				project.ws.write("src/other.ts", 'export function mover(a: string) { return a + "!"; }\n');
				const found = await project.call<DetectedChanges>("detect_changes", {});
				expect(summary(found).sort()).toEqual([
					"added Shape.color",
					"added fresh",
					"body greet",
					"body thrice",
					"moved mover",
					"removed gone",
					"signature Box.shrink",
					"signature Shape",
					"signature twice",
				]);
				const [file] = found.files;
				expect(file?.symbols.find(({ symbol }) => symbol === "fresh")).toMatchObject({ exported: false, line: 21 });
				expect(found.files.find(({ path }) => path === "src/other.ts")).toMatchObject({
					state: "added",
					symbols: [{ symbol: "mover", change: "moved", from: "src/greet.ts" }],
				});
				// The server has the text on disk again.
				const { files } = await project.check(["src/app.ts"]);
				expect(files[0]?.diagnostics).toMatchObject([{ code: "2305" }]);
			},
		));

	test("compares the index, another revision, two revisions, and only some files", () =>
		withProject({ "src/greet.ts": greet, "src/b.ts": "export const b = 1;\n" }, async (project) => {
			const { ws, call } = project;
			commitAll(ws);
			ws.write("src/greet.ts", greet.replace("return name", 'return "x" + name'));
			git(ws, "add", "-A");
			ws.write("src/greet.ts", greet.replace("return name", 'return "y" + name').replace("n * 2", "n * 4"));
			ws.write("src/b.ts", "export const b = 2;\n");
			const detect = async (input: object) => summary(await call<DetectedChanges>("detect_changes", input));
			expect(await detect({ staged: true })).toEqual(["body greet"]);
			expect(await detect({ paths: ["src/greet.ts"] })).toEqual(["body greet", "body twice"]);
			git(ws, "commit", "-q", "-m", "second");
			expect(await detect({ paths: ["src/greet.ts"] })).toEqual(["body greet", "body twice"]);
			expect(await detect({ base: "HEAD~1", until: "HEAD" })).toEqual(["body greet"]);
			rmSync(ws.path("src/b.ts"));
			expect(await detect({ paths: ["src/b.ts"] })).toEqual(["removed b"]);
		}));

	test("reads the old texts unchanged, although one of them is longer than the limit of all together", () =>
		withProject({ "src/greet.ts": greet, "src/a-same.ts": "export const größe = 'ä€𝄞';\n" }, async ({ call, ws }) => {
			ws.write("src/b-long.ts", `//${" ".repeat(65 * 1024 ** 2)}\n`);
			commitAll(ws);
			ws.write("src/b-long.ts", "export const short = 1;\n");
			ws.write("src/greet.ts", greet.replace("n * 2", "n * 4"));
			// git names a file with another time, whose text is the same.
			ws.write("src/a-same.ts", ws.read("src/a-same.ts"));
			const found = await call<DetectedChanges>("detect_changes", {});
			expect(summary(found)).toEqual(["body twice"]);
			expect(found.skipped).toEqual([{ path: "src/b-long.ts", reason: expect.stringContaining("too long a one") }]);
		}));

	test.each(["go", "python"] as const)("reads both texts of %s", (language) =>
		withWorkspace(projects[language], async (ws) => {
			commitAll(ws);
			const file = language === "go" ? "ledger.go" : "ledger.py";
			const text = ws.read(file);
			ws.write(
				file,
				text.replace("entry int)", "entry int64)").replace("judge(self, entry: int)", "judge(self, entry: str)"),
			);
			const found = await asked<DetectedChanges>(ws, "detect_changes");
			expect(summary(found)).toEqual([language === "go" ? "signature Ledger.Judge" : "signature Ledger.judge"]);
		}),
	);
});

describe("the report of detect_changes", () => {
	const refused = async (files: Readonly<Record<string, string>>, args: readonly string[], isRepository = true) =>
		withWorkspace(files, async (ws) => {
			if (isRepository) commitAll(ws);
			const { code, stderr } = await ws.cli(["detect_changes", ...args], { env: withServers(ws.env) });
			expect(code).toBe(2);
			return stderr;
		});

	test("names a missing repository or revision", async () => {
		expect(await refused({ "a.txt": "" }, [], false)).toContain("There is no git repository at");
		expect(await refused({ "a.txt": "" }, ["--base", "nope"])).toContain('git knows no revision "nope" here.');
		expect(await refused({ "a.txt": "" }, ["--base=--upload-pack=x"])).toContain("git knows no revision");
	});

	test("names a repository of another user", () =>
		withWorkspace({ "a.txt": "" }, async (ws) => {
			commitAll(ws);
			// Only root can give files to another owner.
			if (process.getuid?.() !== 0) return;
			chownSync(ws.path(".git"), 12345, 12345);
			chownSync(ws.root, 12345, 12345);
			const { stderr } = await ws.cli(["detect_changes"]);
			expect(stderr).toContain("belongs to another user");
			expect(stderr).toContain("safe.directory");
		}));

	test("names files that it did not compare, or whose symbols are unknown", () =>
		withWorkspace({ "a.bin": "x\0y", "b.txt": "one\n" }, async (ws) => {
			symlinkSync("b.txt", ws.path("link"));
			commitAll(ws);
			ws.write("a.bin", "y\0x");
			ws.write("b.txt", "two\n");
			rmSync(ws.path("link"));
			symlinkSync("a.bin", ws.path("link"));
			const { stdout } = await ws.cli(["detect_changes"]);
			expect(stdout).toContain("a.bin: not a text file");
			expect(stdout).toContain("link: a link or a submodule");
			expect(stdout).toMatch(/^b\.txt\n {2}its symbols are not known: No language server/m);
		}));
});

test("detect_changes runs no filter that the repository's configuration names", () =>
	withWorkspace({ "a.txt": "one\n", ".gitattributes": "*.txt filter=evil\n" }, async (ws) => {
		commitAll(ws);
		const marker = join(ws.base, "was-run");
		const script = join(ws.base, "evil.sh");
		writeFileSync(script, `#!/bin/sh\necho run >> '${marker}'\ncat\n`);
		chmodSync(script, 0o755);
		git(ws, "config", "filter.evil.clean", script);
		// An index that is older than the file, so that git has to compare the contents.
		utimesSync(ws.path(".git/index"), 1000, 1000);
		git(ws, "diff-index", "--raw", "HEAD");
		expect(existsSync(marker), "git by itself runs the filter").toBe(true);
		rmSync(marker);
		git(ws, "config", "filter.evil.process", script);
		git(ws, "config", "filter.evil.required", "true");
		utimesSync(ws.path(".git/index"), 1000, 1000);
		const { stdout } = await ws.cli(["detect_changes"]);
		expect(stdout).toContain("Nothing differs from HEAD.");
		expect(existsSync(marker)).toBe(false);
	}));
