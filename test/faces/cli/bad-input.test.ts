import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { CheckReport, State } from "../../../src/contract/check-report.ts";
import { serversOf } from "../../daemon/daemon.ts";
import { processesOf } from "../../support/processes.ts";
import type { CommandResult } from "../../support/run-command.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";

const project: Files = {
	...TYPESCRIPT_PROJECT,
	"src/a.ts": `export const greet = (name: string): string => name;\n`,
	"src/two.ts": "export class A {\n\trun() {}\n}\nexport class B {\n\trun() {}\n}\n",
	"src/binary.ts": "abc\0def",
	"notes.xyz": "x",
	"node_modules/x/index.ts": "export {};\n",
	"old/package.json": `{ "devDependencies": { "typescript": "^3.9.0" } }\n`,
	"old/tsconfig.json": "{}",
	"old/a.ts": "export {};\n",
};

function prepare(ws: Workspace): void {
	mkdirSync(ws.path(".git"));
	writeFileSync(ws.path("src/big.ts"), "");
	truncateSync(ws.path("src/big.ts"), 3 * 1024 * 1024);
	writeFileSync(join(ws.base, "outside.ts"), "export {};\n");
	symlinkSync(join(ws.base, "outside.ts"), ws.path("src/link.ts"));
}

interface Failure {
	readonly args: readonly string[];
	readonly code: string;
	readonly exit: 2 | 3;
}

const failures: Readonly<Record<string, Failure>> = {
	"an unknown command": { args: ["frobnicate"], code: "LSP_UNKNOWN_OPERATION", exit: 2 },
	"an unknown command that JavaScript knows": { args: ["toString"], code: "LSP_UNKNOWN_OPERATION", exit: 2 },
	"an unknown option": { args: ["check", "src/a.ts", "--frob"], code: "LSP_INVALID_INPUT", exit: 2 },
	"an option without its value": { args: ["check", "src/a.ts", "--scope"], code: "LSP_INVALID_INPUT", exit: 2 },
	"a value that is none of the list": {
		args: ["check", "src/a.ts", "--severity", "bad"],
		code: "LSP_INVALID_INPUT",
		exit: 2,
	},
	"a number that is none": { args: ["check", "src/a.ts", "--timeout", "soon"], code: "LSP_INVALID_INPUT", exit: 2 },
	"a number that is too small": { args: ["check", "src/a.ts", "--timeout", "0"], code: "LSP_INVALID_INPUT", exit: 2 },
	"no file at all": { args: ["check"], code: "LSP_INVALID_INPUT", exit: 2 },
	"no symbol": { args: ["hover", "src/a.ts"], code: "LSP_INVALID_INPUT", exit: 2 },
	"a word too many": { args: ["symbols", "src/a.ts", "greet"], code: "LSP_INVALID_INPUT", exit: 2 },
	"a line past the end": { args: ["hover", "src/a.ts", "greet", "--line", "99"], code: "LSP_INVALID_INPUT", exit: 2 },
	"a symbol that is not there": { args: ["hover", "src/a.ts", "nothing"], code: "LSP_SYMBOL_NOT_FOUND", exit: 2 },
	"a symbol that is there twice": { args: ["hover", "src/two.ts", "run"], code: "LSP_SYMBOL_AMBIGUOUS", exit: 2 },
	"a revision without a repository": {
		args: ["check", "src/a.ts", "--base", "--x"],
		code: "LSP_INVALID_INPUT",
		exit: 2,
	},
	"the seed's form without words": { args: ["lsp"], code: "LSP_INVALID_INPUT", exit: 2 },
	"the seed's form with bad JSON": { args: ["lsp", "src/a.ts", "hover", "{"], code: "LSP_INVALID_INPUT", exit: 2 },
	"the seed's form with a list": { args: ["lsp", "src/a.ts", "hover", "[]"], code: "LSP_INVALID_INPUT", exit: 2 },
	"the seed's form with an unknown command": {
		args: ["lsp", "src/a.ts", "frob"],
		code: "LSP_UNKNOWN_OPERATION",
		exit: 2,
	},
	"a missing file": { args: ["check", "src/none.ts"], code: "LSP_FILE_NOT_FOUND", exit: 2 },
	"two missing files": { args: ["check", "src/no.ts", "src/none.ts"], code: "LSP_FILE_NOT_FOUND", exit: 2 },
	"a missing file in a question": { args: ["hover", "src/none.ts", "x"], code: "LSP_FILE_NOT_FOUND", exit: 2 },
	"a directory in a question": { args: ["symbols", "src"], code: "LSP_NOT_A_FILE", exit: 2 },
	"a format that is none of the list": {
		args: ["check", "src/a.ts", "--format", "x"],
		code: "LSP_INVALID_INPUT",
		exit: 2,
	},
	"a file outside the workspace": { args: ["check", "../outside.ts"], code: "LSP_OUTSIDE_WORKSPACE", exit: 2 },
	"a link that leads outside": { args: ["check", "src/link.ts"], code: "LSP_OUTSIDE_WORKSPACE", exit: 2 },
	"a file of an installed package": { args: ["check", "node_modules/x/index.ts"], code: "LSP_IGNORED_FILE", exit: 2 },
	"a binary file in a question": { args: ["hover", "src/binary.ts", "x"], code: "LSP_BINARY_FILE", exit: 3 },
	"a file of 3 MB in a question": { args: ["symbols", "src/big.ts"], code: "LSP_FILE_TOO_LARGE", exit: 3 },
	"an unknown kind in a query": { args: ["symbols", "notes.xyz"], code: "LSP_UNSUPPORTED_FILE", exit: 3 },
	"a project of TypeScript 3 in a question": {
		args: ["hover", "old/a.ts", "x"],
		code: "LSP_SERVER_UNAVAILABLE",
		exit: 3,
	},
};

/** The result of `check` for a file that cannot be judged: an answer with a state, not an error. */
const states: Readonly<Record<string, State>> = {
	"src/binary.ts": "binary",
	"src/big.ts": "too_large",
	"notes.xyz": "unsupported",
};

function errorOf({ stdout }: CommandResult): unknown {
	return (JSON.parse(stdout) as { error?: unknown }).error;
}

describe.each([
	["through the daemon", [] as readonly string[]],
	["in this process", ["--no-daemon"]],
])("%s", (_, mode) => {
	test("every mistake has its exit code, a code, a message and a hint", () =>
		withWorkspace(project, async (ws) => {
			prepare(ws);
			for (const [name, { args, code, exit }] of Object.entries(failures)) {
				const text = await ws.cli([...args, ...mode]);
				expect.soft({ exit: text.code, stdout: text.stdout }, name).toEqual({ exit, stdout: "" });
				const [first = "", hint = "", ...rest] = text.stderr.trimEnd().split("\n");
				expect.soft(first, name).toMatch(new RegExp(`^${code}: .*\\S`));
				expect.soft(hint, name).toMatch(/\w/);
				expect.soft(rest, name).toEqual([]);
			}
		}));

	test("--json gives the same in JSON", () =>
		withWorkspace(project, async (ws) => {
			prepare(ws);
			for (const [name, { args, code, exit }] of Object.entries(failures)) {
				const json = await ws.cli([...args, "--json", ...mode]);
				expect.soft({ exit: json.code, stderr: json.stderr }, name).toEqual({ exit, stderr: "" });
				expect.soft(errorOf(json), name).toEqual({
					code,
					message: expect.stringMatching(/\S/),
					details: expect.objectContaining({ suggestion: expect.stringMatching(/\w/) }),
				});
			}
		}));

	test("check prints the state of a file that cannot be judged, and exits with 3", () =>
		withWorkspace(project, async (ws) => {
			prepare(ws);
			for (const [file, state] of Object.entries(states)) {
				const json = await ws.cli(["check", file, "--json", ...mode]);
				const { files } = JSON.parse(json.stdout) as CheckReport;
				expect.soft({ exit: json.code, files }).toEqual({
					exit: 3,
					files: [
						{
							path: file,
							role: "edited",
							state,
							reason: expect.stringMatching(/\w/),
							error: {
								code: expect.stringMatching(/^LSP_/),
								message: expect.stringMatching(/\w/),
								details: expect.anything(),
							},
							diagnostics: [],
						},
					],
				});
				const text = await ws.cli(["check", file, ...mode]);
				expect.soft(text.code).toBe(3);
				expect.soft(text.stdout).toMatch(new RegExp(`^${file}: not checked`));
				expect.soft(text.stdout).not.toContain("clean");
			}
		}));

	test("a project of TypeScript 3, for which there is no server, is unavailable and never judged by another", () =>
		withWorkspace(project, async (ws) => {
			const json = await ws.cli(["check", "old/a.ts", "--json", ...mode]);
			expect(json.code).toBe(3);
			const { files } = JSON.parse(json.stdout) as CheckReport;
			expect(files[0]).toMatchObject({ state: "unavailable", reason: expect.stringContaining("TypeScript 3") });
		}));
});

test("a file that is refused starts no server", () =>
	withWorkspace(project, async (ws) => {
		prepare(ws);
		for (const file of ["node_modules/x/index.ts", "../outside.ts", "src/binary.ts", "src/big.ts", "src/none.ts"])
			await ws.cli(["check", file]);
		expect(serversOf(ws)).toEqual([]);
	}));

test("a mistake on the command line is found before anything is started", () =>
	withWorkspace(project, async (ws) => {
		for (const args of [["frob"], ["check", "--frob"], ["symbols", "a", "b"], ["daemon", "frob"], ["lsp"]])
			expect((await ws.cli(args)).code, args.join(" ")).toBe(2);
		expect(processesOf(ws.runId)).toEqual([]);
	}));

test("a server that hangs is reported as late, in time, and the next answer is right again", () =>
	withWorkspace(project, async (ws) => {
		expect((await ws.cli(["check", "src/a.ts"])).code).toBe(0);
		const [server] = serversOf(ws);
		process.kill(server?.pid ?? -1, "SIGSTOP");
		try {
			const { code, stdout } = await ws.cli(["check", "src/a.ts", "--timeout", "500", "--json"]);
			const { files } = JSON.parse(stdout) as CheckReport;
			expect({ code, state: files[0]?.state }).toEqual({ code: 3, state: "timed_out" });
			const text = await ws.cli(["check", "src/a.ts", "--timeout", "500"]);
			expect(text.stdout).toMatch(/^src\/a\.ts: not checked in time/);
		} finally {
			process.kill(server?.pid ?? -1, "SIGCONT");
		}
		expect((await ws.cli(["check", "src/a.ts", "--timeout", "30000"])).code).toBe(0);
		expect(serversOf(ws).map(({ pid }) => pid)).toEqual([server?.pid]);
	}));

test("PI_LSP=0 is named in the error", () =>
	withWorkspace(project, async (ws) => {
		const { code, stderr } = await ws.cli(["hover", "src/a.ts", "greet", "--no-daemon"], {
			env: { ...ws.env, PI_LSP: "0" },
		});
		expect(code).toBe(3);
		const [what, mend, ...rest] = stderr.trimEnd().split("\n");
		expect(what).toMatch(/^LSP_DISABLED: .*PI_LSP=0/);
		expect(mend).toBe('Unset PI_LSP, or take "lsp": false out of the configuration.');
		expect(rest).toEqual([]);
	}));

test("a configuration that switches pi-lsp off is named in the error", () =>
	withWorkspace({ ...project, ".pi-lsp.json": '{ "lsp": false }' }, async (ws) => {
		const { code, stderr } = await ws.cli(["check", "src/a.ts"]);
		expect(code).toBe(3);
		expect(stderr.split("\n")[0]).toBe(
			`LSP_DISABLED: pi-lsp is switched off by ${ws.path(".pi-lsp.json")} ("lsp": false).`,
		);
	}));

test("PI_LSP=0 of one caller applies to that caller alone, through the daemon too", () =>
	withWorkspace(project, async (ws) => {
		const off = { ...ws.env, PI_LSP: "0" };
		expect((await ws.cli(["hover", "src/a.ts", "greet"], { env: off })).code).toBe(3);
		expect((await ws.cli(["hover", "src/a.ts", "greet"])).code).toBe(0);
		expect((await ws.cli(["hover", "src/a.ts", "greet"], { env: off })).code).toBe(3);
	}));
