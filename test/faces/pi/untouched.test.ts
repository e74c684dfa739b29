import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processesOf } from "../../support/processes.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { edit, write, wrote } from "./calls.ts";
import { runPi } from "./run-pi.ts";

const WRONG = `const a: number = "one";\n`;
const DONE = { text: "Done." };

test("an edit that pi refuses has pi's own result", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": WRONG }, async (ws) => {
		const run = await runPi(ws, [{ calls: [edit("src/a.ts", ["absent", "present"])] }, DONE], { mode: "json" });
		expect(run.result()).toMatch(/^Could not find the exact text in src\/a\.ts\.[^\n]*$/);
		expect(run.events.find((event) => event.type === "tool_execution_end")?.isError).toBe(true);
		expect(ws.read("src/a.ts")).toBe(WRONG);
	}));

test.each([
	["holds a zero byte", "src/a.ts", "const a: number = \0;\n"],
	["lies under node_modules", "node_modules/dep/index.ts", WRONG],
	["is in no language that a server knows", "notes.txt", WRONG],
])("a file that %s has pi's own result", (_, path, content) =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [{ calls: [write(path, content)] }, DONE]);
		expect(run.result()).toBe(wrote(path, content));
		expect(languageServers(ws)).toEqual([]);
	}),
);

test("a file outside the workspace has pi's own result", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const path = join(ws.base, "elsewhere/a.ts");
		const run = await runPi(ws, [{ calls: [write(path, WRONG)] }, DONE]);
		expect(run.result()).toBe(wrote(path, WRONG));
		expect(existsSync(path)).toBe(true);
		expect(languageServers(ws)).toEqual([]);
	}));

test("PI_LSP=0 switches off all checks, tools and the daemon", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [{ calls: [write("src/a.ts", WRONG)] }, DONE], { env: { PI_LSP: "0" } });
		expect(run.result()).toBe(wrote("src/a.ts", WRONG));
		expect(run.requests[0]?.tools.map((tool) => tool.name).filter((name) => name.startsWith("lsp"))).toEqual([]);
		expect(processesOf(ws.runId)).toEqual([]);
	}));

test("the result of any other tool is left alone", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": WRONG }, async (ws) => {
		const run = await runPi(ws, [{ calls: [{ name: "read", arguments: { path: "src/a.ts" } }] }, DONE]);
		expect(run.result().trim()).toBe(WRONG.trim());
	}));

/** The language servers that run for a workspace. */
function languageServers(ws: Workspace): string[] {
	const commands = processesOf(ws.runId).map(({ argv }) => argv.join(" "));
	return commands.filter((command) => command.includes("--stdio"));
}
