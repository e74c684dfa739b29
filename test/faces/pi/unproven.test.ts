import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { edit, edited, write, wrote } from "./calls.ts";
import { GO, withGopls } from "./go-programs.ts";
import { runPi } from "./run-pi.ts";

const TEXT = "package main\n";
const missing = "gopls not found. Install it: go install golang.org/x/tools/gopls@v0.21.1";
const DONE = { text: "Done." };

test("a file whose server is not installed is reported as unchecked, once for each file", () =>
	withWorkspace(GO, async (ws) => {
		const steps = [
			{ calls: [write("a.go", TEXT)] },
			{ calls: [edit("a.go", ["main", "other"])] },
			{ calls: [write("b.go", TEXT)] },
			DONE,
		];
		const run = await runPi(ws, steps, { env: withGopls(ws) });
		expect(run.result(0)).toBe(`${wrote("a.go", TEXT)}\n\na.go was not checked: ${missing}.`);
		expect(run.result(1)).toBe(edited("a.go"));
		expect(run.result(2)).toBe(`${wrote("b.go", TEXT)}\n\nb.go was not checked: ${missing}.`);
	}));

test("a file whose server would run code of an untrusted repository is reported as not proven, with the remedy", () =>
	withWorkspace({ "build.zig": "" }, async (ws) => {
		const text = "const a = 1;\n";
		const run = await runPi(ws, [{ calls: [write("a.zig", text)] }, DONE]);
		const [own, line] = run.result().split("\n\n");
		expect(own).toBe(wrote("a.zig", text));
		expect(line).toBe(
			"a.zig was not proven: zls runs what the repository brings, and that is not trusted. " +
				"A person can allow it: /lsp trust add.",
		);
	}));

test("a file whose server does not start is reported as unchecked, with the reason", () =>
	withWorkspace(GO, async (ws) => {
		const run = await runPi(ws, [{ calls: [write("a.go", TEXT)] }, DONE], { env: withGopls(ws, "exit 1") });
		const [own, line] = run.result().split("\n\n");
		expect(own).toBe(wrote("a.go", TEXT));
		expect(line).toMatch(/^a\.go was not checked: gopls [^\n]*exited with code 1\.$/);
	}));

test("each file of a server that is not ready is reported as unchecked, once", () =>
	withWorkspace({ ...GO, ".pi-lsp.json": `{ "coldMs": 500, "lateMs": 1 }` }, async (ws) => {
		const env = withGopls(ws, "while read -r line; do :; done");
		const steps = [
			{ calls: [write("a.go", TEXT)] },
			{ calls: [write("b.go", TEXT)] },
			{ calls: [edit("a.go", ["main", "other"])] },
			DONE,
		];
		const run = await runPi(ws, steps, { env });
		const line = (path: string) =>
			`Not checked yet: ${path} (gopls is still starting); errors come with a later result.`;
		expect(run.result(0)).toBe(`${wrote("a.go", TEXT)}\n\n${line("a.go")}`);
		expect(run.result(1)).toBe(`${wrote("b.go", TEXT)}\n\n${line("b.go")}`);
		expect(run.result(2)).toBe(edited("a.go"));
	}));

test('a file whose server does not work has pi\'s own result with "unproven": "silent"', () =>
	withWorkspace({ ...GO, ".pi-lsp.json": `{ "unproven": "silent" }` }, async (ws) => {
		const run = await runPi(ws, [{ calls: [write("a.go", TEXT)] }, DONE], { env: withGopls(ws, "exit 1") });
		expect(run.result()).toBe(wrote("a.go", TEXT));
	}));

test("a file that is too large to be checked is reported as such", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, ".pi-lsp.json": `{ "maxFileBytes": 20 }` }, async (ws) => {
		const text = `const a: number = "one";\n`;
		const run = await runPi(ws, [{ calls: [write("src/a.ts", text)] }, DONE]);
		expect(run.result()).toBe(`${wrote("src/a.ts", text)}\n\nsrc/a.ts was not checked: it has 25 bytes, more than 20.`);
	}));
