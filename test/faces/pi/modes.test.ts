import { expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { edit, edited, write, wrote } from "./calls.ts";
import type { ModelRequest } from "./model-request.ts";
import { withRpcPi } from "./rpc-pi.ts";
import { runPi } from "./run-pi.ts";

const PATH = "src/a.ts";
const WRONG = `const a: number = "one";\n`;
const RIGHT = "const a: number = 1;\n";
const ERROR = "ERROR [1:7] Type 'string' is not assignable to type 'number'. (ts2322)";
const TURN = "pi-lsp checked what this turn has changed. The edit was applied. LSP errors detected in this file";
const DONE = { text: "Done." };
const TURN_PROJECT: Files = { ...TYPESCRIPT_PROJECT, ".pi-lsp.json": `{ "mode": "turn" }` };

/** The user's message at the end of a request; fails if the last message is another one. */
function asked(request: ModelRequest | undefined): string {
	const last = request?.messages.at(-1);
	expect(last?.role).toBe("user");
	return last?.text ?? "";
}

test.each(["print", "json"] as const)(
	"in mode turn and %s mode, edits are silent, and the end of the turn reports the remaining errors",
	(mode) =>
		withWorkspace(TURN_PROJECT, async (ws) => {
			const repair = { calls: [edit(PATH, [`"one"`, "1"])] };
			const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE, repair, { text: "Repaired." }], { mode });
			expect(run.result(0)).toBe(wrote(PATH, WRONG));
			const message = asked(run.requests[2]);
			expect(message).toContain(TURN);
			expect(message).toContain(
				`<diagnostics file="${PATH}">\n${ERROR}\n</diagnostics>\n1 error is new with this edit.`,
			);
			expect(run.result(2)).toBe(edited(PATH));
			if (mode === "print") expect(run.stdout).toBe("Repaired.\n");
		}),
);

test("in mode turn and rpc mode, the end of the turn reports the remaining errors, and the agent continues", () =>
	withWorkspace(TURN_PROJECT, (ws) =>
		withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE, DONE], async (pi) => {
			await pi.ask("Go on.");
			await pi.until("the model is asked again", () =>
				pi.requests.length === 3 ? { state: "met", value: undefined } : { state: "not yet", seen: "" },
			);
			expect(asked(pi.requests[2])).toContain(ERROR);
		}),
	));

test("in mode turn, a turn that leaves no error sends nothing", () =>
	withWorkspace({ ...TURN_PROJECT, "src/old.ts": WRONG }, async (ws) => {
		// An error in between is not reported, and an earlier one is not this turn's.
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			{ calls: [write(PATH, RIGHT), edit("src/old.ts", ["const a", "// Old.\nexport const a"])] },
			DONE,
		]);
		expect(run.results(1)).toEqual([wrote(PATH, RIGHT), edited("src/old.ts")]);
	}));

test("in mode turn, an error that stays is reported once", () =>
	withWorkspace(TURN_PROJECT, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			DONE,
			{ calls: [edit(PATH, ["const a", "// As it is meant.\nconst a"])] },
			DONE,
		]);
		expect(asked(run.requests[2])).toContain(ERROR);
	}));

test("in mode turn, several files are reported in one message, and new errors are reported after old ones", () =>
	withWorkspace(TURN_PROJECT, async (ws) => {
		const other = "export const b: boolean = 2;\n";
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			{ calls: [write("src/b.ts", other)] },
			DONE,
			{ calls: [edit("src/b.ts", ["= 2", `= "two"`])] },
			DONE,
			DONE,
		]);
		const first = asked(run.requests[3]);
		expect(first).toContain(ERROR);
		expect(first).toContain("ERROR [1:14] Type 'number' is not assignable to type 'boolean'. (ts2322)");
		expect(asked(run.requests[5])).toContain("Type 'string' is not assignable to type 'boolean'.");
	}));

test.each([
	["the configuration", [], { ".pi-lsp.json": `{ "mode": "off" }` }],
	["--lsp-mode=off", ["--lsp-mode=off"], {}],
	["--lsp-auto-check=false", ["--lsp-auto-check=false"], {}],
	["--lsp-auto-check=0", ["--lsp-auto-check=0"], {}],
])("with checks switched off by %s, an edit has pi's own result and the tools stay", (_, args, files) =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, ...files }, async (ws) => {
		const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE], { args });
		expect(run.result()).toBe(wrote(PATH, WRONG));
		expect(toolsOf(run.requests[0])).toContain("lsp_hover");
	}),
);

test("a flag overrides the configuration, and a verb the flag", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, ".pi-lsp.json": `{ "mode": "off" }` }, (ws) =>
		withRpcPi(
			ws,
			[{ calls: [write(PATH, WRONG)] }, DONE, { calls: [write("src/b.ts", WRONG)] }, DONE],
			async (pi) => {
				await pi.ask("Go on.");
				expect(pi.answerTo(0).messages.at(-1)?.text).toContain(ERROR);
				await pi.prompt("/lsp mode off");
				await pi.ask("Go on.");
				expect(pi.answerTo(2).messages.at(-1)?.text).toBe(wrote("src/b.ts", WRONG));
			},
			{ args: ["--lsp-mode=edit"] },
		),
	));

test("a wrong value is reported once, and the default applies", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const steps = [{ calls: [write(PATH, WRONG)] }, DONE];
		const run = await runPi(ws, steps, { args: ["--lsp-mode=sometimes", "--lsp-auto-check=yes please"] });
		expect(run.stderr.match(/--lsp-mode=sometimes is unknown\. Try: edit, turn, off/g)).toHaveLength(1);
		expect(run.stderr.match(/--lsp-auto-check=yes please is unknown/g)).toHaveLength(1);
		expect(run.result()).toContain(ERROR);
	}));

test("--lsp-tools=none offers no tool and still checks", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE], { args: ["--lsp-tools=none"] });
		expect(toolsOf(run.requests[0])).toEqual([]);
		expect(run.result()).toContain(ERROR);
	}));

test("--lsp-tools=all offers tools that read, and none that control", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [DONE], { args: ["--lsp-tools=all"] });
		const tools = toolsOf(run.requests[0]);
		expect(tools).toEqual(expect.arrayContaining(["lsp_hover", "lsp_check"]));
		expect(tools).not.toContain("lsp_restart");
		expect(new Set(tools).size).toBe(tools.length);
	}));

test("/lsp off removes checks and tools, /lsp on restores both", () =>
	withWorkspace(TYPESCRIPT_PROJECT, (ws) =>
		withRpcPi(
			ws,
			[{ calls: [write(PATH, WRONG)] }, DONE, { calls: [edit(PATH, [": number", ": boolean"])] }, DONE],
			async (pi) => {
				await pi.prompt("/lsp off");
				await pi.ask("Go on.");
				expect(toolsOf(pi.requests[0])).toEqual([]);
				expect(pi.answerTo(0).messages.at(-1)?.text).toBe(wrote(PATH, WRONG));
				await pi.prompt("/lsp on");
				await pi.ask("Go on.");
				expect(toolsOf(pi.requests[2])).toContain("lsp_hover");
				expect(pi.answerTo(2).messages.at(-1)?.text).toContain("is not assignable to type 'boolean'");
			},
		),
	));

function toolsOf(request: ModelRequest | undefined): string[] {
	return (request?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith("lsp"));
}
