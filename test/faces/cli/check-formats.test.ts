import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "../../support/repository.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";

const project: Files = {
	...TYPESCRIPT_PROJECT,
	"src/wrong.ts": `export const n: number = "x";\n\nexport const m: number = n.none;\n`,
	"src/a b,é.ts": `import { n } from "./wrong.ts";\nexport const s: string = n;\n`,
	"src/right.ts": "export const r = 1;\n",
	"src/words.xyz": "x\n",
};

const installed = createRequire(import.meta.url);
const schemaFile = "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";

function schemaPath(): string | undefined {
	try {
		return installed.resolve(schemaFile);
	} catch {
		return undefined;
	}
}

describe("check writes its diagnostics", () => {
	test.skipIf(schemaPath() === undefined)("as SARIF that fits the standard's schema", () =>
		withWorkspace(project, async (ws) => {
			const { code, stdout } = await ws.cli(["check", "src", "--format", "sarif"]);
			expect(code).toBe(1);
			const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(schemaPath() ?? "", "utf8"));
			const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
			const log = JSON.parse(stdout);
			expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
			expect(validate({ ...log, runs: [{}] })).toBe(false);
			expect(log.runs[0].results).toHaveLength(3);
			const uris = log.runs[0].results.map(
				(each: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
					each.locations[0]?.physicalLocation.artifactLocation.uri,
			);
			expect(uris).toContain("src/a%20b%2C%C3%A9.ts");
		}),
	);

	test("for people, compilers' readers, GitHub, GitLab and JUnit", () =>
		withWorkspace(project, async (ws) => {
			const written = async (format: string, env: Readonly<Record<string, string>> = {}) => {
				const { code, stdout } = await ws.cli(["check", "src", "--format", format], { env: { ...ws.env, ...env } });
				expect(code, format).toBe(1);
				return stdout;
			};
			const pretty = await written("pretty");
			expect(pretty).toContain(`src/wrong.ts:1:14: error: Type 'string' is not assignable to type 'number'. (ts2322)
 1 | export const n: number = "x";
   |              ^
`);
			expect(pretty).toMatch(/Found 3 errors in 2 files\. Checked 3 files in [\d.]+ s; passed over 1\.\n$/);
			expect(await written("pretty", { FORCE_COLOR: "1" })).toContain("\u001b[1;31merror\u001b[0m");
			expect(await written("pretty", { FORCE_COLOR: "1", NO_COLOR: "1" })).not.toContain("\u001b");
			const { problemMatcher } = JSON.parse(readFileSync(`${REPOSITORY}/problem-matcher.json`, "utf8"));
			const [pattern] = problemMatcher[0].pattern;
			const matched = (await written("concise")).split("\n").flatMap((line) => {
				const found = new RegExp(pattern.regexp).exec(line);
				return found ? [[found[pattern.file], found[pattern.line], found[pattern.severity], found[pattern.code]]] : [];
			});
			expect(matched).toContainEqual(["src/a b,é.ts", "2", "error", "ts2322"]);
			expect(matched).toHaveLength(3);
			expect(await written("github")).toContain(
				"::error file=src/a b%2Cé.ts,line=2,endLine=2,col=14,endColumn=15,title=ts2322::",
			);
			expect(JSON.parse(await written("gitlab"))).toHaveLength(3);
			expect(await written("junit")).toContain('<testsuites name="pi-lsp" tests="4" failures="3" errors="0"');
			expect(await written("agent")).toContain('<diagnostics file="src/wrong.ts">');
		}));
});

describe("a baseline", () => {
	test("leaves out known errors, also those that have moved, and lists those that are fixed", () =>
		withWorkspace(project, async (ws) => {
			const check = (...args: string[]) =>
				ws.cli(["check", "src", "--format", "concise", "--baseline", "old.json", ...args]);
			const missing = await check();
			expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("old.json does not exist")]);
			expect((await check("--write-baseline")).code).toBe(0);
			const known = await check();
			expect([known.code, known.stdout]).toEqual([0, expect.stringContaining("left out 3 findings of the baseline")]);
			const output = await check("--format", "agent");
			expect(output.stdout).toContain("src/wrong.ts: clean (apart from 2 findings of the baseline)");
			ws.write("src/wrong.ts", `// moved\n\nexport const n: number = "x";\nexport const k: number = "x";\n`);
			const moved = await check();
			expect(moved.code).toBe(1);
			expect(moved.stdout).toContain("Found 1 error in 1 file");
			expect(moved.stdout).toContain("src/wrong.ts:4:14");
			expect(moved.stderr).toContain("1 finding of old.json is gone");
			rmSync(ws.path("src/wrong.ts"));
			expect((await check()).stderr).toContain("3 findings of old.json are gone");
			expect((await check("--write-baseline")).stderr).toContain("old.json has 1 finding now");
			ws.write("old.json", "{}");
			expect((await check()).code).toBe(2);
		}));

	test("keeps its errors of files that a sparse checkout leaves out", () =>
		withWorkspace(project, async (ws) => {
			const git = (...args: string[]) => execFileSync("git", args, { cwd: ws.root, env: ws.env });
			git("init", "-q");
			git("add", "-A");
			const check = (...args: string[]) => ws.cli(["check", "src", "--baseline", "old.json", ...args]);
			await check("--write-baseline");
			git("update-index", "--skip-worktree", "src/wrong.ts");
			rmSync(ws.path("src/wrong.ts"));
			// Its importer has another error now.
			expect((await check()).stderr).toContain("1 finding of old.json is gone");
			await check("--write-baseline");
			expect(ws.read("old.json")).toContain("src/wrong.ts");
		}));

	test("of another directory keeps its errors of files that are not below this one", () =>
		withWorkspace({ ...project, "src/deep/bad.ts": `export const n: number = "x";\n` }, async (ws) => {
			const write = (cwd: string, name: string) =>
				ws.cli(["check", ".", "--write-baseline", "--baseline", name], { cwd: ws.path(cwd) });
			expect((await write("src", "../old.json")).stderr).toContain("old.json has 4 findings now");
			const { stderr } = await write("src/deep", "../../old.json");
			expect(stderr).toContain("old.json has 5 findings now");
		}));
});

test("check --fix applies the fixes of the server, and reports what is left", () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			"src/greet.ts": "export const greet = (name: string): string => name;\n",
			"src/app.ts": `greet("a");\n`,
			"src/wrong.ts": `export const n: number = "x";\n`,
		},
		async (ws) => {
			const { code, stdout, stderr } = await ws.cli(["check", "src", "--fix", "--format", "concise"]);
			expect(ws.read("src/app.ts")).toContain(`import { greet } from "./greet.ts";`);
			expect(stderr).toContain("in 1 file");
			expect([code, stdout]).toEqual([1, expect.stringContaining("Found 1 error in 1 file")]);
		},
	));

test("diagnostics has the exit codes and formats of check, and takes a directory", () =>
	withWorkspace(project, async (ws) => {
		expect((await ws.cli(["diagnostics", "src/right.ts"])).code).toBe(0);
		expect((await ws.cli(["diagnostics", "src/wrong.ts"])).code).toBe(1);
		expect((await ws.cli(["diagnostics", "src/words.xyz"])).code).toBe(3);
		const below = await ws.cli(["diagnostics", "src", "--format", "concise"]);
		expect([below.code, below.stdout]).toEqual([1, expect.stringContaining("Found 3 errors in 2 files")]);
	}));
