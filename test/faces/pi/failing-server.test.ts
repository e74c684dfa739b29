import { expect, test } from "vitest";
import { withWorkspace } from "../../support/workspace.ts";
import { edit, edited, write, wrote } from "./calls.ts";
import { GO, withGopls } from "./go-programs.ts";
import { runPi } from "./run-pi.ts";

test("of a server that fails at every start one edit of many is told, and none waits for the pause between starts", () =>
	withWorkspace(GO, async (ws) => {
		const text = "package a0\n";
		const edits = Array.from({ length: 12 }, (_, n) => ({ calls: [edit("a.go", [`a${n}`, `a${n + 1}`])] }));
		const starts = "echo start >> ../starts; exit 1";
		const run = await runPi(ws, [{ calls: [write("a.go", text)] }, ...edits, { text: "Done." }], {
			env: withGopls(ws, starts),
		});
		const [own, told] = run.result(0).split("\n\n");
		expect(own).toBe(wrote("a.go", text));
		expect(told).toMatch(/^a\.go was not checked: gopls [^\n]*exited with code 1\.$/);
		for (const n of edits.keys()) expect(run.result(n + 1)).toBe(edited("a.go"));
		expect(ws.read("../starts").trim().split("\n").length).toBeLessThan(6);
	}));
