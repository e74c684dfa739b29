import { expect, test } from "vitest";
import { summarize } from "../../../src/render/check/summary.ts";

const written = ["renamed greet → welcome · 12 places in 5 files", "5 files: a.ts", "+welcome"];
const broken = ['<diagnostics file="a.ts">', "ERROR [1:1] No. (ts1)", "</diagnostics>"];

test("the line of a change lists the written files, then the errors; without a change the errors come first", () => {
	const line = (...lines: readonly string[]) => summarize("rename", lines.join("\n")).line;
	expect(line(...written, "Checked: nothing new is wrong.", "undo: u7")).toBe(written[0]);
	expect(line(...written, ...broken, "undo: u7")).toBe(`${written[0]} · 1 error in a.ts`);
	expect(line("The edit was applied.", ...broken)).toBe("1 error in a.ts");
});
