import { expect, test } from "vitest";
import type { FileReport, State } from "../../src/contract/check-report.ts";
import { UnprovenLines } from "../../src/edit-hook/unproven-lines.ts";

function unproven(path: string, state: State, reason: string): FileReport {
	return { path, role: "edited", state, reason, diagnostics: [] };
}

function proven(path: string): FileReport {
	return { path, role: "edited", state: "fresh", diagnostics: [] };
}

const missing = (path: string) => unproven(path, "unavailable", "gopls not found.");
const loading = (path: string, percent: number, server = "gopls") =>
	unproven(path, "timed_out", `${server} is still loading the project: Loading packages ${percent}%`);

test("a file and a cause are reported once, another file and another cause are also reported", () => {
	const lines = new UnprovenLines();
	expect(lines.of([missing("a.go")], false)).toEqual(["a.go was not checked: gopls not found."]);
	expect(lines.of([missing("a.go")], false)).toEqual([]);
	expect(lines.of([missing("b.go")], false)).toEqual(["b.go was not checked: gopls not found."]);
	expect(lines.of([unproven("a.go", "unavailable", "gopls is broken: it crashed.")], false)).toHaveLength(1);
});

test("a file that was proven in between is reported again", () => {
	const lines = new UnprovenLines();
	lines.of([missing("a.go")], false);
	expect(lines.of([proven("a.go")], false)).toEqual([]);
	expect(lines.of([missing("a.go")], false)).toHaveLength(1);
});

test("a file of a loading server is reported once, whatever the server does meanwhile, until the file is proven", () => {
	const lines = new UnprovenLines();
	expect(lines.of([loading("a.go", 3)], true)).toEqual([
		"Not checked yet: a.go (gopls is still loading the project: Loading packages 3%); errors come with a later result.",
	]);
	expect(lines.of([loading("a.go", 10)], true)).toEqual([]);
	expect(lines.of([unproven("a.go", "timed_out", "gopls did not answer initialize within 60 s.")], true)).toEqual([]);
	expect(lines.of([loading("b.go", 20)], true)).toHaveLength(1);
	lines.proven([proven("b.go")]);
	expect(lines.of([loading("a.go", 50)], true)).toEqual([]);
	expect(lines.of([loading("b.go", 50)], true)).toHaveLength(1);
});

test("several files of one cause are one line", () => {
	const files = [missing("a.go"), missing("b.go"), proven("c.ts"), missing("d.go")];
	expect(new UnprovenLines().of(files, false)).toEqual(["a.go and 2 more files were not checked: gopls not found."]);
});

test("a file without a server gets no line", () => {
	const files = [unproven("a.txt", "unsupported", "No server."), unproven("b.ts", "binary", "No text.")];
	expect(new UnprovenLines().of(files, false)).toEqual([]);
});
