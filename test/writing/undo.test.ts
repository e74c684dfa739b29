import { describe, expect, test } from "vitest";
import { mergeTexts } from "../../src/planning/merge.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet("you");\n\n\nexport const last = 1;\n`,
};

test("undo takes a rename back in all files, keeps later changes, and refuses if these conflict", () =>
	withWorkspace(PROJECT, async (ws) => {
		expect((await ws.cli(["undo"])).code).toBe(2);
		expect((await ws.cli(["rename", "src/greet.ts", "greet", "salute"])).code).toBe(0);
		const renamed = ws.read("src/app.ts");
		// 1. A line that the rename has changed was changed again.
		ws.write("src/app.ts", renamed.replace('salute("you")', 'salute("me")'));
		const blocked = await ws.cli(["undo", "u1"]);
		expect(blocked.stderr).toContain(
			"LSP_UNDO_BLOCKED: u1 cannot be taken back: src/app.ts has changed since at line 3.",
		);
		expect(blocked.code).toBe(2);
		expect(ws.read("src/greet.ts")).toContain("salute");
		// 2. Another line was changed.
		ws.write("src/app.ts", renamed.replace("last = 1", "last = 2"));
		const undone = await ws.cli(["undo"]);
		expect(undone.stdout).toContain("taken back: rename greet → salute");
		expect(undone.stdout).toContain("src/app.ts has changed since; that is kept.");
		expect(undone.code).toBe(0);
		expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
		expect(ws.read("src/app.ts")).toBe(PROJECT["src/app.ts"]?.replace("last = 1", "last = 2"));
		// 3. What was taken back can be done again, and both are listed.
		expect((await ws.cli(["undo", "--list"])).stdout).toContain("u1  rename greet → salute · 2 files (taken back)");
		for (const id of ["u9", "list"])
			expect((await ws.cli(["undo", id])).stderr).toContain("\n`pi-lsp undo --list` shows what can be taken back.");
		expect((await ws.cli(["undo", "u2"])).code).toBe(0);
		expect(ws.read("src/greet.ts")).toContain("salute");
	}));

describe("two changes of one text", () => {
	const base = "a\nb\nc\nd\ne\n";

	test("are merged if they change different lines, or the same in the same way", () => {
		expect(mergeTexts(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n")).toEqual({ text: "A\nb\nc\nd\nE\n" });
		expect(mergeTexts(base, "a\nB\nc\nd\ne\n", "a\nB\nc\nd\ne\nf\n")).toEqual({ text: "a\nB\nc\nd\ne\nf\n" });
		expect(mergeTexts(base, base, "")).toEqual({ text: "" });
	});

	test("have the lines named that both change, or that are adjacent", () => {
		expect(mergeTexts(base, "new\na\nb\nC\nd\ne\n", "a\nb\nsee\nd\ne\n")).toEqual({ conflicts: [4] });
		expect(mergeTexts(base, "a\nb\nC\nd\ne\n", "a\nb\nc\nD\ne\n")).toEqual({ conflicts: [3] });
	});
});
