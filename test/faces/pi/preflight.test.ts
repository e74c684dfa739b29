import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { isThere, withServers } from "../../live/languages.ts";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { edit, edited, errorsIn, write, wrote } from "./calls.ts";
import { runPi } from "./run-pi.ts";

const PATH = "src/a.ts";
const RIGHT = "export const a: number = 1;\n";
const WRONG = `export const a: number = "one";\n`;
const BROKEN = "export const a: number = (1;\n";
const ERROR = "[1:14] Type 'string' is not assignable to type 'number'. (ts2322)";
const REFUSED = `Not applied: this edit would bring the first syntax error into ${PATH}, on line 1 of the new text. ERROR [1:28] ')' expected. (ts1005)`;
const DONE = { text: "Done." };
/** On a busy machine an edit would not be waited for. */
const PATIENT = `{ "preflightMs": 20000 }`;
const FILES: Files = { ...TYPESCRIPT_PROJECT, [PATH]: RIGHT, ".pi-lsp.json": PATIENT };
const BLOCK = { args: ["--lsp-preflight=block"] };
/** The server has to run already: an edit does not wait for its start. */
const WARM_UP = { calls: [edit(PATH, ["= 1", "= 2"])] };

test("an edit that brings the first syntax error into a file is refused, and the file stays as it is", () =>
	withWorkspace(FILES, async (ws) => {
		const steps = [WARM_UP, { calls: [edit(PATH, ["= 2", "= (1"])] }, { calls: [write(PATH, BROKEN)] }, DONE];
		const run = await runPi(ws, steps, BLOCK);
		expect([run.result(1), run.result(2)]).toEqual([REFUSED, REFUSED]);
		expect(ws.read(PATH)).toBe(RIGHT.replace("1", "2"));
	}));

test("an edit that introduces a type error is not refused, and its result has the error", () =>
	withWorkspace(FILES, async (ws) => {
		const steps = [WARM_UP, { calls: [edit(PATH, ["= 2", `= "one"`])] }, { calls: [write(PATH, RIGHT)] }, DONE];
		const run = await runPi(ws, steps, BLOCK);
		expect(run.result(1)).toBe(edited(PATH) + errorsIn(PATH, [ERROR], "1 error is new with this edit."));
		expect(run.result(2)).toBe(wrote(PATH, RIGHT));
		expect(ws.read(PATH)).toBe(RIGHT);
	}));

test("a file that has a syntax error already may be edited until it has none", () =>
	withWorkspace({ ...FILES, "src/b.ts": "export const b = (1;\nexport const c = 1;\n" }, async (ws) => {
		const steps = [
			WARM_UP,
			{ calls: [edit("src/b.ts", ["c = 1", "c = (1"])] },
			{ calls: [edit("src/b.ts", ["b = (1", "b = 1"])] },
			DONE,
		];
		const run = await runPi(ws, steps, BLOCK);
		expect(run.result(1)).toContain(edited("src/b.ts"));
		expect(ws.read("src/b.ts")).toBe("export const b = 1;\nexport const c = (1;\n");
	}));

test("a new file with a syntax error is refused, and there is no such file", () =>
	withWorkspace(FILES, async (ws) => {
		const run = await runPi(ws, [WARM_UP, { calls: [write("src/new.ts", BROKEN)] }, DONE], BLOCK);
		expect(run.result(1)).toBe(REFUSED.replace(PATH, "src/new.ts"));
		expect(existsSync(ws.path("src/new.ts"))).toBe(false);
	}));

test("the second of two edits of one file in one message is not judged without the first", () =>
	withWorkspace({ ...FILES, "src/b.ts": "export const b = 1; 2;\n" }, async (ws) => {
		const calls = [edit("src/b.ts", [" 2", " // 2"]), edit("src/b.ts", ["2;", "(2;"])];
		const run = await runPi(ws, [WARM_UP, { calls }, DONE], BLOCK);
		expect(run.results(1)).toEqual([edited("src/b.ts"), edited("src/b.ts")]);
		expect(ws.read("src/b.ts")).toBe("export const b = 1; // (2;\n");
	}));

test("an edit that is not judged in time is allowed, and its own check reports the error", () =>
	withWorkspace({ ...FILES, ".pi-lsp.json": `{ "preflightMs": 0.001 }` }, async (ws) => {
		const run = await runPi(ws, [WARM_UP, { calls: [write(PATH, BROKEN)] }, DONE], BLOCK);
		expect(run.result(1)).toContain("ERROR [1:28] ')' expected. (ts1005)");
		expect(ws.read(PATH)).toBe(BROKEN);
	}));

test("an edit with a syntax error is carried out with the setting warn, and its result has the error as without it", () =>
	withWorkspace({ ...FILES, ".pi-lsp.json": `{ "preflight": "warn", "preflightMs": 20000 }` }, async (ws) => {
		const run = await runPi(ws, [WARM_UP, { calls: [write(PATH, BROKEN)] }, { calls: [write(PATH, WRONG)] }, DONE]);
		const error = "[1:28] ')' expected. (ts1005)";
		expect(run.result(1)).toBe(wrote(PATH, BROKEN) + errorsIn(PATH, [error], "1 error is new with this edit."));
		expect(run.result(2)).toContain(`ERROR ${ERROR}`);
		expect(ws.read(PATH)).toBe(WRONG);
	}));

test("an edit with a syntax error is refused in mode turn too", () =>
	withWorkspace(
		{ ...FILES, ".pi-lsp.json": `{ "mode": "turn", "preflight": "block", "preflightMs": 20000 }` },
		async (ws) => {
			const run = await runPi(ws, [WARM_UP, { calls: [write(PATH, BROKEN)] }, DONE]);
			expect(run.result(1)).toBe(REFUSED);
		},
	));

interface Words {
	readonly language: string;
	readonly program: string;
	readonly files: Files;
	readonly file: string;
	/** Texts without an error, with an error other than of syntax, and with an error of syntax. */
	readonly right: string;
	readonly mistyped: string;
	readonly broken: string;
	readonly says: string;
}

const languages: readonly Words[] = [
	{
		language: "TypeScript 5.9",
		program: "node",
		files: {
			...TYPESCRIPT_PROJECT,
			"package.json": `{ "type": "module", "devDependencies": { "typescript": "5.9.3" } }`,
		},
		file: "src/b.ts",
		right: "export const b: number = 1;\n",
		mistyped: `export const b: number = "one";\n`,
		broken: "export const b: number = (1;\n",
		says: "ERROR [1:28] ')' expected. (ts1005)",
	},
	{
		language: "pyright",
		program: "pyright-langserver",
		files: {},
		file: "b.py",
		right: "b: int = 1\n",
		mistyped: `b: int = "one"\n`,
		broken: "b: int = (1\n",
		says: `ERROR [1:10] "(" was not closed`,
	},
	{
		language: "gopls",
		program: "gopls",
		files: { "go.mod": "module b\n\ngo 1.21\n" },
		file: "b.go",
		right: "package b\n\nvar B int = 1\n",
		mistyped: `package b\n\nvar B int = "one"\n`,
		broken: "package b\n\nvar B int = (1\n",
		says: "ERROR [3:15] ",
	},
	{
		language: "clangd",
		program: "clangd",
		files: {},
		file: "b.c",
		right: "int b(void) { return 1; }\n",
		mistyped: "int b(void) { return c; }\n",
		broken: "int b(void) { return (1; }\n",
		says: "ERROR [1:24] Expected ')'",
	},
];

for (const { language, program, files, file, right, mistyped, broken, says } of languages) {
	const isMissing = program !== "node" && !isThere(program);
	const title = `${language}: an error of syntax is refused, another one is not`;
	test.skipIf(isMissing)(isMissing ? `${title} (${program} is not installed)` : title, () =>
		withWorkspace({ ...files, [file]: right, ".pi-lsp.json": PATIENT }, async (ws) => {
			const texts = [right, mistyped, right, broken];
			const steps = [...texts.map((text) => ({ calls: [write(file, text)] })), DONE];
			const run = await runPi(ws, steps, { ...BLOCK, env: withServers(ws.env) });
			expect(run.result(1)).toContain(wrote(file, mistyped));
			expect(run.result(2)).toBe(wrote(file, right));
			expect(run.result(3)).toContain(`Not applied: this edit would bring the first syntax error into ${file}`);
			expect(run.result(3)).toContain(says);
			expect(ws.read(file)).toBe(right);
		}),
	);
}
