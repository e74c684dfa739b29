import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { isThere, withServers } from "../live/languages.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { versions } from "./typescript-versions.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/deep/greet.ts":
		'import { mark } from "../mark.ts";\n\nexport function greet(name: string): string {\n\treturn name + mark;\n}\n',
	"src/deep/again.ts": 'export { greet } from "./greet.ts";\n',
	"src/mark.ts": 'export const mark = "!";\n',
	"src/app.ts": 'import { greet } from "./deep/greet.ts";\n\nexport const loud = greet("you");\n',
	"notes/a.txt": "one\n",
};

test.each(versions)("%s: imports follow a file that moves, and undo takes it back whole", (_, more) =>
	withWorkspace({ ...PROJECT, ...more }, async (ws) => {
		const { code, stdout } = await ws.cli(["move_file", "src/deep/greet.ts", "src/new/hello.ts"]);
		expect(stdout).toContain("moved src/deep/greet.ts → src/new/hello.ts · 2 places follow\n");
		expect(stdout).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(code).toBe(0);
		expect(ws.read("src/app.ts")).toContain('from "./new/hello.ts"');
		expect(ws.read("src/deep/again.ts")).toBe('export { greet } from "../new/hello.ts";\n');
		expect(ws.read("src/new/hello.ts")).toContain('from "../mark.ts"');
		expect(existsSync(ws.path("src/deep/greet.ts"))).toBe(false);
		// The servers have the new file.
		expect((await ws.cli(["references", "src/new/hello.ts", "greet"])).stdout).toContain("src/app.ts");
		expect((await ws.cli(["undo"])).code).toBe(0);
		for (const file of ["src/app.ts", "src/deep/greet.ts", "src/deep/again.ts"])
			expect(ws.read(file)).toBe(PROJECT[file]);
		expect(existsSync(ws.path("src/new"))).toBe(false);
	}),
);

test.each(versions)("%s: imports follow a directory that moves into another one", (_, more) =>
	withWorkspace({ ...PROJECT, ...more, "src/lib/other.ts": "export {};\n" }, async (ws) => {
		const dry = await ws.cli(["rename_file", "src/deep", "src/lib", "--dry-run"]);
		expect(dry.stdout).toContain("would be moved src/deep → src/lib/deep · 2 places follow\n");
		expect(existsSync(ws.path("src/lib/deep"))).toBe(false);
		const { code, stdout } = await ws.cli(["rename_file", "src/deep", "src/lib"]);
		expect(stdout).toContain("Checked: nothing new is wrong.\nundo: u1");
		expect(code).toBe(0);
		expect(ws.read("src/app.ts")).toContain('from "./lib/deep/greet.ts"');
		expect(ws.read("src/lib/deep/greet.ts")).toContain('from "../../mark.ts"');
		expect(ws.read("src/lib/deep/again.ts")).toBe(PROJECT["src/deep/again.ts"]);
	}),
);

test("a directory of more files than are checked reports how many are not, and exits with 3", () => {
	const files = Object.fromEntries(
		Array.from({ length: 43 }, (_, index) => [`src/many/m${index}.ts`, `export const n${index} = ${index};\n`]),
	);
	return withWorkspace({ ...TYPESCRIPT_PROJECT, ...files }, async (ws) => {
		const { code, stdout } = await ws.cli(["move_file", "src/many", "src/other"]);
		expect(stdout).toContain("3 more files were not checked.\nundo: u1");
		expect(stdout).not.toContain("nothing new is wrong");
		expect(code).toBe(3);
	});
});

test("a move that no server follows reports that, and its new errors", () =>
	withWorkspace(
		{ ...PROJECT, "src/data.json": "{}\n", "src/reads.ts": 'export const wrong: number = "a";\n' },
		async (ws) => {
			const text = await ws.cli(["move_file", "notes/a.txt", "notes/b.txt"]);
			expect(text.stdout).toContain("moved notes/a.txt → notes/b.txt\n");
			expect(text.stdout).toContain("No server adapts what names notes/a.txt");
			expect(text.code).toBe(0);
			// An excluded importer is broken by it; an error that moves along is not new.
			const code = await ws.cli(["move_file", "src/deep/greet.ts", "src/hello.ts", "--exclude", "app.ts", "--json"]);
			expect(code.code).toBe(1);
			const { check } = JSON.parse(code.stdout);
			const broken = check.files.find(({ path }: { path: string }) => path === "src/app.ts");
			expect(broken.diagnostics[0]).toMatchObject({ code: "2307", new: true });
			const old = await ws.cli(["move_file", "src/reads.ts", "src/reader.ts"]);
			expect(old.stdout).toContain("from before");
			expect(old.code).toBe(0);
		},
	));

test("a move is refused onto an existing file, out of the workspace, into itself, and of a missing file", () =>
	withWorkspace(PROJECT, async (ws) => {
		symlinkSync("/etc", ws.path("link"));
		for (const [from, to, words] of [
			["src/app.ts", "src/mark.ts", "it exists already"],
			["src/app.ts", "../app.ts", "outside of"],
			["src/app.ts", "link/app.ts", "outside of"],
			["src/deep", "src/deep/er/deep", "cannot move into itself"],
			["src/none.ts", "src/some.ts", "src/none.ts does not exist"],
		] as const) {
			const { code, stderr } = await ws.cli(["move_file", from, to]);
			expect(stderr).toContain(words);
			expect(code).toBe(2);
		}
		expect(ws.read("src/app.ts")).toBe(PROJECT["src/app.ts"]);
	}));

const mayMount = process.platform === "linux" && process.getuid?.() === 0;
const notMounted = mayMount ? "" : ": mounting is not allowed here";

test.skipIf(!mayMount)(`a move to another file system is refused, with every file as it was${notMounted}`, () =>
	withWorkspace(PROJECT, async (ws) => {
		mkdirSync(ws.path("other"));
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", ws.path("other")]);
		try {
			for (const [from, to] of [
				["src/deep/greet.ts", "other/new/greet.ts"],
				["src/deep", "other"],
			] as const) {
				const { code, stdout, stderr } = await ws.cli(["move_file", from, to]);
				expect(stderr).toMatch(/^LSP_WRITE_FAILED: .*\/other(?:\/new)?: it would go to another file system\./);
				expect([code, stdout]).toEqual([2, ""]);
				for (const file of ["src/app.ts", "src/deep/greet.ts", "src/deep/again.ts"])
					expect(ws.read(file)).toBe(PROJECT[file]);
				expect(readdirSync(ws.path("other"))).toEqual([]);
				expect(readdirSync(ws.path("src/deep")).sort()).toEqual(["again.ts", "greet.ts"]);
			}
			expect((await ws.cli(["undo", "--list"])).stdout).not.toContain("u1");
			// Remains of the refused moves do not prevent another change.
			expect((await ws.cli(["move_file", "src/mark.ts", "src/sign.ts"])).code).toBe(0);
		} finally {
			execFileSync("umount", ["-l", ws.path("other")]);
		}
	}),
);

const missing = isThere("basedpyright-langserver") ? "" : ": basedpyright is not installed";
test.skipIf(missing !== "")(`Python: imports follow with basedpyright${missing}`, () =>
	withWorkspace(
		{
			"pyproject.toml": "[project]\nname = 'x'\n[tool.basedpyright]\n",
			"pkg/__init__.py": "",
			"pkg/greet.py": "def greet() -> str:\n    return 'a'\n",
			"app.py": "from pkg.greet import greet\n\nprint(greet())\n",
		},
		async (ws) => {
			const { stdout } = await ws.cli(["move_file", "pkg/greet.py", "pkg/hello.py"], { env: withServers(ws.env) });
			const follows = ws.read("app.py").includes("pkg.hello");
			expect(follows || stdout.includes("No server adapts what names pkg/greet.py"), stdout).toBe(true);
		},
	),
);
