import { spawn } from "node:child_process";
import process from "node:process";
import { expect, test } from "vitest";
import type { Build } from "../../src/operations/build.ts";
import { processesOf } from "../support/processes.ts";
import { CLI } from "../support/repository.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";

const trusted = (ws: Workspace) => ({ env: { ...ws.env, PI_LSP_TRUST: "1" }, timeoutMs: 120_000 });

function project(script: string, program = "") {
	return {
		"package.json": JSON.stringify({ name: "sample", scripts: { build: script, test: script } }),
		"program.cjs": program,
	};
}

/** The processes of a run whose command line has a word. */
function running(ws: Workspace, word: string): number {
	return processesOf(ws.runId).filter(({ argv }) => argv.some((arg) => arg.includes(word))).length;
}

/** Starts a child in a session of its own that outlives it and never ends. */
const forks = [
	'const { spawn } = require("node:child_process");',
	'spawn(process.execPath, ["-e", "setInterval(() => {}, 1000) // escaped"], { detached: true, stdio: "inherit" }).unref();',
	'spawn(process.execPath, ["-e", "setInterval(() => {}, 1000) // in the group"], { stdio: "inherit" });',
].join("\n");

test("no tool is run in a repository that is not trusted, and the error names the command that gives trust", () =>
	withWorkspace(project("node program.cjs", 'require("node:fs").writeFileSync("ran", "")'), async (ws) => {
		for (const command of ["build", "test"]) {
			const { code, stderr } = await ws.cli([command]);
			expect(code).toBe(3);
			expect(stderr).toMatch(/^LSP_SERVER_UNTRUSTED: `npm (?:run build|test)` runs what the repository brings/);
			expect(stderr).toContain("`pi-lsp trust add`");
		}
		expect(() => ws.read("ran")).toThrow("ENOENT");
		await ws.cli(["trust", "add", "--yes"]);
		expect((await ws.cli(["build"])).code).toBe(0);
		expect(ws.read("ran")).toBe("");
	}));

test("a tool that is missing is named in the error, and so is a directory without a manifest", () =>
	withWorkspace({ "build.zig": "", "README.md": "" }, async (ws) => {
		const options = trusted(ws);
		const missing = await ws.cli(["build"], { ...options, env: { ...options.env, PATH: "/nowhere" } });
		expect(missing).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(/^LSP_PREREQUISITE_MISSING: zig not found/),
		});
		const other = await ws.cli(["test", "--tool", "cargo"], options);
		expect(other).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(/^LSP_NO_PROJECT_ROOT: No manifest .*\(cargo\)/),
		});
		const wrong = await ws.cli(["test", "nowhere.py"], options);
		expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("nowhere.py does not exist") });
	}));

test("a tool that hangs is ended after its time, with all that it has started", () =>
	withWorkspace(project("node program.cjs", `${forks}\nconsole.log("begun");`), async (ws) => {
		const { code, stdout } = await ws.cli(["build", "--timeout", "2000", "--json"], trusted(ws));
		expect(code).toBe(3);
		expect(JSON.parse(stdout) as Build).toMatchObject({
			outcome: "timed_out",
			failures: [],
		});
		expect(running(ws, "setInterval")).toBe(0);
	}));

test("processes that a tool leaves behind are ended with it, and the answer does not wait for them", () =>
	withWorkspace(project("node program.cjs", `${forks}\nprocess.exit(0);`), async (ws) => {
		const { code, stdout } = await ws.cli(["build", "--json"], trusted(ws));
		expect(code).toBe(0);
		expect((JSON.parse(stdout) as Build).ms).toBeLessThan(20_000);
		expect(running(ws, "setInterval")).toBe(0);
	}));

test("a caller that goes away ends the tool and all that it has started", () =>
	withWorkspace(project("node program.cjs", forks), async (ws) => {
		const child = spawn(process.execPath, [CLI, "build"], { cwd: ws.root, env: trusted(ws).env, stdio: "ignore" });
		const three = () =>
			running(ws, "setInterval") === 2 ? met(undefined) : notYet(`${running(ws, "setInterval")} run`);
		await until("the tool and its children run", three);
		child.kill("SIGINT");
		const none = () =>
			running(ws, "setInterval") + running(ws, "program.cjs") === 0 ? met(undefined) : notYet("they run");
		await until("they have ended", none);
	}));

test("a tool that prints 100 MB is read to its end, and its last lines are kept", () => {
	const program = [
		'const line = "x".repeat(999) + "\\n";',
		"let left = 100_000;",
		"function write() {",
		"\twhile (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once('drain', write);",
		'\tprocess.stdout.write("src/a.c:7:1: error: the last\\n", () => process.exit(1));',
		"}",
		"write();",
	].join("\n");
	return withWorkspace(project("node program.cjs", program), async (ws) => {
		const { code, stdout } = await ws.cli(["build", "--json"], trusted(ws));
		const build = JSON.parse(stdout) as Build;
		expect(code).toBe(1);
		expect(build.failures).toMatchObject([{ file: "src/a.c", line: 7, column: 1, message: "the last" }]);
		expect(build.omittedBytes).toBeGreaterThan(99_000_000);
		expect(build.output.length).toBeLessThan(40_000);
		expect(build.output).toContain("the last");
	});
});
