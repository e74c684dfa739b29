import { utimesSync } from "node:fs";
import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { commitAll } from "../changes/repository.ts";
import { textOf, withMcp } from "../faces/mcp/client.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const old = 'export const old: number = "1";\n';
const own = 'export const own: number = "2";\n';
const files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": '{ "warmMs": 50000, "coldMs": 50000 }',
	"src/a.ts": old,
	"src/b.ts": 'import { size } from "./size.ts";\nexport const b: number = size;\n',
	"src/size.ts": "export const size = 1;\n",
};
const heading = "LSP errors that were there before, 1 file:";

async function marks(ws: Workspace, ...args: string[]): Promise<[boolean | undefined, boolean | undefined][]> {
	const { stdout } = await ws.cli([...args, "--json"]);
	const { files: found } = JSON.parse(stdout) as CheckReport;
	return found.flatMap(({ unchanged, diagnostics }) =>
		diagnostics.map(({ new: isNew }): [boolean | undefined, boolean | undefined] => [isNew, unchanged]),
	);
}

test("The command line compares with HEAD, lists old errors under a heading of their own, and counts all", () =>
	withWorkspace(files, async (ws) => {
		commitAll(ws);
		const untouched = await ws.cli(["check", "src/a.ts"]);
		expect(untouched.stdout.split("\n").slice(0, 2)).toEqual([heading, '<diagnostics file="src/a.ts">']);
		expect(untouched.code).toBe(1);
		expect(await marks(ws, "check", "src/a.ts")).toEqual([[false, true]]);

		ws.write("src/a.ts", old + own);
		for (let time = 0; time < 2; time++) {
			const { stdout, code } = await ws.cli(["check", "src/a.ts"]);
			const [first, , second, , counts, title, , third] = stdout.split("\n");
			expect([first, counts, title]).toEqual([
				"The edit was applied. LSP errors detected in this file, please fix:",
				"1 error is new with this edit; 1 more was there before.",
				heading,
			]);
			expect([second, third]).toEqual([expect.stringContaining("[2:14]"), expect.stringContaining("[1:14]")]);
			expect(code).toBe(1);
		}
		expect(await marks(ws, "diagnostics", "src/a.ts")).toEqual([
			[false, undefined],
			[true, undefined],
		]);
		expect((await ws.cli(["diagnostics", "src/a.ts"])).stdout).toContain(heading);

		// Another file's edit has broken this one.
		ws.write("src/size.ts", 'export const size = "1";\n');
		expect(await marks(ws, "check", "src/b.ts")).toEqual([[true, true]]);
		const broken = await ws.cli(["check", "src/b.ts"]);
		expect(broken.stdout).toMatch(/^LSP errors detected in this file:\n/);
		// The texts of HEAD have been removed.
		expect((await ws.cli(["check", "src/size.ts"])).stdout).toBe("src/size.ts: clean\n");
	}));

test("Where nothing differs from HEAD, all errors of a large tree are known to be old", () =>
	withWorkspace(files, async (ws) => {
		for (let index = 0; index < 120; index++) ws.write(`src/many/f${index}.ts`, old);
		commitAll(ws);
		const found = await marks(ws, "check", "src/many");
		expect(found).toHaveLength(120);
		expect(found.filter(([isNew]) => isNew !== false)).toEqual([]);
	}));

test("Diagnostics are called neither new nor old without git, and in a file that is not in git", () =>
	withWorkspace(files, async (ws) => {
		const plain = await ws.cli(["check", "src/a.ts"]);
		expect(plain.stdout).toMatch(/^LSP errors detected in this file:\n(.*\n){3}$/);
		expect(await marks(ws, "check", "src/a.ts")).toEqual([[undefined, undefined]]);
		commitAll(ws);
		ws.write("src/c.ts", own);
		expect(await marks(ws, "check", "src/c.ts")).toEqual([[undefined, undefined]]);
	}));

test("Errors that an agent over MCP has caused are reported as its own as long as they stand, and never to another agent", () =>
	withWorkspace(files, async (ws) => {
		commitAll(ws);
		// These are a person's changes from before the agent's session.
		ws.write("src/a.ts", old + own);
		utimesSync(ws.path("src/a.ts"), 1_000_000_000, 1_000_000_000);
		const check = { files: ["src/a.ts"] };
		await withMcp(ws, {}, async ({ call }) => {
			const output = async () => textOf(await call("lsp_check", check));
			expect(await output()).toMatch(/^LSP errors that were there before, 1 file:\n/);
			const more = 'export const more: number = "3";\n';
			ws.write("src/a.ts", old + own + more);
			const broken = /^The edit was applied. LSP errors detected in this file, please fix:\n.*\nERROR \[3:14\]/;
			expect(await output()).toMatch(broken);
			ws.write("src/a.ts", `${old + own + more}// further\n`);
			expect(await output()).toMatch(broken);
			expect(await output()).toContain("1 error is new with this edit; 2 more were there before.");
			commitAll(ws);
			expect(await output()).toMatch(broken);
			await withMcp(ws, {}, async (second) => {
				expect(textOf(await second.call("lsp_check", check))).toMatch(/^LSP errors that were there before/);
			});
			ws.write("src/a.ts", old + own);
			expect(await output()).toMatch(/^LSP errors that were there before, 1 file:\n/);
		});
	}));

test("A hint of TypeScript 5 is reported if the severity includes it, by an option and by the configuration", () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			"package.json": JSON.stringify({ type: "module", devDependencies: { typescript: "^5.9.0" } }),
			"src/a.ts": "export function f(): number {\n\tconst unused = 1;\n\treturn 2;\n}\n",
		},
		async (ws) => {
			const hint = expect.stringMatching(/^HINT \[2:8\] 'unused' is declared.*\(ts6133\)$/m);
			const output = async (...args: string[]) => (await ws.cli([...args, "src/a.ts", "--timeout", "50000"])).stdout;
			for (const command of ["check", "diagnostics"]) {
				expect(await output(command)).toBe("src/a.ts: clean\n");
				expect(await output(command, "--severity", "hint")).toEqual(hint);
			}
			ws.write(".pi-lsp.json", '{ "severity": "hint" }');
			for (const command of ["check", "diagnostics"]) expect(await output(command)).toEqual(hint);
			expect(await output("check")).toMatch(/^LSP hints detected in this file:/);
		},
	));
