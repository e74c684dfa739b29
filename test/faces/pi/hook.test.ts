import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { edit, edited, errorsIn, write, wrote } from "./calls.ts";
import { newToolResults } from "./model-request.ts";
import { withRpcPi } from "./rpc-pi.ts";
import { runPi } from "./run-pi.ts";

const PATH = "src/a.ts";
const WRONG = `const a: number = "one";\n`;
const RIGHT = "const a: number = 1;\n";
const ERROR = "[1:7] Type 'string' is not assignable to type 'number'. (ts2322)";
const DONE = { text: "Done." };

const NEW = "1 error is new with this edit.";
const RESULT = wrote(PATH, WRONG) + errorsIn(PATH, [ERROR], NEW);

test.each(["print", "json"] as const)("in %s mode the model reads the error that its write caused", (mode) =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE], { mode });
		expect(run.result()).toBe(RESULT);
		expect(run.stderr).toBe("");
	}),
);

test("a file whose name begins with @ is not taken for the one that pi means by that name", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "@a.ts": RIGHT, "a.ts": RIGHT }, async (ws) => {
		const run = await runPi(ws, [{ calls: [write("@a.ts", WRONG)] }, DONE]);
		expect([ws.read("@a.ts"), ws.read("a.ts")]).toEqual([RIGHT, WRONG]);
		expect(run.result()).toContain(errorsIn("a.ts", [ERROR], NEW));
	}));

test("in rpc mode the model reads the error that its write caused", () =>
	withWorkspace(TYPESCRIPT_PROJECT, (ws) =>
		withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE], async (pi) => {
			await pi.ask("Go on.");
			expect(newToolResults(pi.answerTo(0)).map((result) => result.text)).toEqual([RESULT]);
		}),
	));

test("the session keeps the text alone, and no separate diagnostics", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE], { mode: "json" });
		const end = run.events.find((event) => event.type === "tool_execution_end");
		const { content, details = {} } = (end?.result ?? {}) as { content: unknown; details?: object };
		expect(JSON.stringify(content)).toContain("assignable");
		expect(JSON.stringify(details)).not.toContain("assignable");
	}));

test("the result of a repair is pi's own words and nothing else", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			{ calls: [edit(PATH, [`"one"`, "1"])] },
			{ calls: [edit(PATH, ["= 1", "= 2"])] },
			DONE,
		]);
		expect(run.result(0)).toBe(RESULT);
		expect(run.result(1)).toBe(edited(PATH));
		expect(run.result(2)).toBe(edited(PATH));
	}));

test("an error that this session caused is reported again until it is repaired", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			{ calls: [edit(PATH, ["const a", "// Not yet.\nconst a"])] },
			DONE,
		]);
		expect(run.result(1)).toContain("ERROR [2:7] Type 'string' is not assignable to type 'number'. (ts2322)");
	}));

test("errors that were there before are counted, and only the new one is listed", () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			[PATH]: `export const one = 1;\nconst b: number = "b";\nconst c: number = "c";\nconst d: number = "d";\n`,
		},
		async (ws) => {
			const change = edit(PATH, ["export const one = 1;", `// First.\nexport const one: boolean = 1;`]);
			const run = await runPi(ws, [{ calls: [change] }, { calls: [edit(PATH, [": boolean", ""])] }, DONE]);
			const error = "[2:14] Type 'number' is not assignable to type 'boolean'. (ts2322)";
			const counts = "1 error is new with this edit; 3 more were there before.";
			expect(run.result(0)).toBe(edited(PATH) + errorsIn(PATH, [error], counts));
			const left =
				"The edit was applied. It fixed 1 error and caused no new ones; 3 were there before (lines 3, 4, 5).";
			expect(run.result(1)).toBe(`${edited(PATH)}\n\n${left}`);
		},
	));

test("one error that was there before is counted in the singular", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, [PATH]: `const b: number = "b";\n` }, async (ws) => {
		const both = `const a: number = "one";\nconst b: number = "b";\nconst c: boolean = 1;\n`;
		const run = await runPi(ws, [{ calls: [write(PATH, both)] }, DONE]);
		const errors = [ERROR, "[3:7] Type 'number' is not assignable to type 'boolean'. (ts2322)"];
		const counts = "2 errors are new with this edit; 1 more was there before.";
		expect(run.result()).toBe(wrote(PATH, both) + errorsIn(PATH, errors, counts));
	}));

test("three writes in one message each read their own errors", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const paths = ["src/one.ts", "src/two.ts", "src/three.ts"];
		const texts = paths.map((_, index) => `${"\n".repeat(index)}export const a: number = "one";\n`);
		const calls = paths.map((path, index) => write(path, texts[index] ?? ""));
		const run = await runPi(ws, [{ calls }, DONE]);
		const expected = paths.map((path, index) => {
			const error = `[${index + 1}:14] Type 'string' is not assignable to type 'number'. (ts2322)`;
			return wrote(path, texts[index] ?? "") + errorsIn(path, [error], NEW);
		});
		expect(run.results().map(ownPart)).toEqual(expected);
	}));

test("two edits of one file in one message each read the error that they caused", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, [PATH]: "const a: number = 1;\n\nconst b: boolean = true;\n" }, async (ws) => {
		const calls = [edit(PATH, ["= 1", `= "one"`]), edit(PATH, ["= true", "= 2"])];
		const run = await runPi(ws, [{ calls }, DONE]);
		const [first = "", second = ""] = run.results();
		expect(first).toContain(`${edited(PATH)}\n\nThe edit was applied.`);
		expect(first).toContain(`ERROR ${ERROR}`);
		expect(second).toContain(`${edited(PATH)}\n\nThe edit was applied.`);
		expect(second).toContain("ERROR [3:7] Type 'number' is not assignable to type 'boolean'. (ts2322)");
	}));

test("the types in a message cannot end the block", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const text = "const a: Array<string> = new Set<string>();\n";
		const run = await runPi(ws, [{ calls: [write(PATH, text)] }, DONE]);
		expect(run.result()).toContain("ERROR [1:7] Type 'Set&lt;string&gt;'");
		expect(run.result().match(/<[^>]*>/g)).toEqual([`<diagnostics file="${PATH}">`, "</diagnostics>"]);
	}));

test("errors beyond the limit are cut, and the rest is counted", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		// Each error has a message of its own, since equal errors are one line.
		const text = Array.from({ length: 27 }, (_, index) => `const a${index}: ${index} = "one";\n`).join("");
		const run = await runPi(ws, [{ calls: [write(PATH, text)] }, DONE]);
		expect(run.result().match(/^ERROR /gm)).toHaveLength(20);
		expect(run.result()).toContain("... and 7 more");
	}));

test("the result of a write that leaves a file clean is pi's own words and nothing else", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, [PATH]: RIGHT }, async (ws) => {
		const run = await runPi(ws, [{ calls: [write(PATH, "const b = 2;\n")] }, DONE]);
		expect(run.result()).toBe(wrote(PATH, "const b = 2;\n"));
	}));

/** A sibling's errors may be reported as well, because the sibling is another file of the same project. */
function ownPart(text: string): string {
	return text.replace(/\nLSP errors detected in other files.*/s, "");
}
