import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faceOptions } from "../../../src/faces/cli/check-options.ts";
import { commands } from "../../../src/faces/cli/commands.ts";
import { helpFor, overview } from "../../../src/faces/cli/help.ts";
import { parseWords, valuesOf } from "../../../src/faces/tools/command-line.ts";
import { operations } from "../../../src/operations/index.ts";
import { CLI } from "../../support/repository.ts";
import { runCommand } from "../../support/run-command.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";

const project = { ...TYPESCRIPT_PROJECT, "src/a.ts": "export const a = 1;\n" };

describe("a wrong word is answered with the nearest right ones", () => {
	test.each([
		[["chekc"], 'There is no command "chekc". Did you mean "check"?'],
		[["diag"], 'There is no command "diag". Did you mean "diagnostics"?'],
		[["frobnicate"], 'There is no command "frobnicate".\n'],
		[["check", "src/a.ts", "--scop", "file"], 'check: there is no option --scop. Did you mean "--scope"?'],
		[["check", "src/a.ts", "--scope"], "check: --scope takes one of file, affected."],
		[["check", "src/a.ts", "--json=1"], "check: --json takes no value."],
		[
			["check", "src/a.ts", "--base", "--x"],
			"check: --base takes a value; one that begins with a dash is written --base=VALUE.",
		],
		[["check", "src/a.ts", "--severity", "eror"], 'Expected one of error, warning, info, hint. Did you mean "error"?'],
		[["check", "src/a.ts", "--format", "jsn"], 'check: format: "jsn" is none of '],
		[["hover"], "hover: file is missing."],
		[["daemon", "stats"], '"stats" is none of start, status, stop, logs. Did you mean "status"?'],
		[["trust", "ad"], '"ad" is none of show, add, remove. Did you mean "add"?'],
		[["skills", "lst"], '"lst" is none of list, show, install. Did you mean "list"?'],
		[["install", "--remov", "x"], 'install: there is no option --remov. Did you mean "--remove"?'],
		[["audit", "--limt", "3"], 'audit: there is no option --limt. Did you mean "--limit"?'],
		[["init", "--hook-only"], 'init: there is no option --hook-only. Did you mean "--hooks-only"?'],
		[["uninstall", "--purg"], 'uninstall: there is no option --purg. Did you mean "--purge"?'],
		[["update", "--chek"], 'update: there is no option --chek. Did you mean "--check"?'],
		[["lsp-server", "--severty", "error"], 'lsp-server: there is no option --severty. Did you mean "--severity"?'],
		[["mcp", "--profil", "x"], 'mcp: there is no option --profil. Did you mean "--profile"?'],
		[["mcp", "--profile", "cor"], '--profile "cor" is none of core'],
		[["lsp", "src/a.ts", "hovr"], 'Did you mean "hover"?'],
	] as const)("%j", (args, expected) =>
		withWorkspace(project, async (ws) => {
			const { code, stderr } = await ws.cli(args);
			expect(stderr).toContain(expected);
			expect(code).toBe(2);
		}),
	);

	test("the id of a server that does not run is answered with those that run", () =>
		withWorkspace(project, async (ws) => {
			expect((await ws.cli(["check", "src/a.ts"])).code).toBe(0);
			const { stdout } = await ws.cli(["restart", "typescrpt"]);
			expect(stdout).toBe('No server typescrpt is running; these are: typescript. Did you mean "typescript"?\n');
		}));
});

describe("options are written in the usual form", () => {
	const fields = operations.flatMap((operation) =>
		Object.keys(operation.input.properties)
			.filter((field) => field.includes("_"))
			.map((field) => [operation, field] as const),
	);

	test("in the help, with dashes only", () => {
		expect(fields.length).toBeGreaterThan(5);
		for (const operation of operations) expect(helpFor(operation)).not.toMatch(/--[a-z]+_[a-z]/);
	});

	test("on the command line, with dashes or underscores", () => {
		for (const [operation, field] of fields) {
			if (operation.positional?.includes(field)) continue;
			const isFlag = operation.input.properties[field]?.type === "boolean";
			for (const name of [field, field.replaceAll("_", "-")]) {
				const { values } = parseWords(operation, isFlag ? [`--${name}`] : [`--${name}`, "1"], faceOptions(operation));
				expect(values[field], name).toBeDefined();
			}
		}
	});
});

describe("the help", () => {
	test("names the values of each option that takes only certain values", () => {
		for (const operation of operations)
			for (const schema of Object.values(operation.input.properties))
				for (const value of valuesOf(schema)) expect(helpFor(operation)).toContain(value);
	});

	test("has each command once, in groups", () => {
		const lines = overview(commands).split("\n");
		for (const name of [...operations.map((operation) => operation.name), ...Object.keys(commands)])
			expect(
				lines.filter((line) => line.startsWith(`  ${name} `) || line === `  ${name}`),
				name,
			).toHaveLength(1);
		expect(lines.filter((line) => /^\S.*:$/.test(line))).toEqual([
			"Questions:",
			"Changes, written whole or not at all:",
			"Servers and the daemon:",
			"pi-lsp itself:",
		]);
	});
});

test("a reader that closes its end early does not make a command fail", () =>
	withWorkspace({}, async (ws) => {
		const directory = join(ws.base, "state/pi-lsp");
		mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, "daemon.log"), "x".repeat(99).concat("\n").repeat(30_000));
		const line = `'${process.execPath}' '${CLI}' daemon logs; echo "code $?" >&2`;
		const { stdout, stderr } = await runCommand("sh", ["-c", `{ ${line}; } | head -n 1`], {
			cwd: ws.root,
			env: ws.env,
		});
		expect(stdout.length).toBeGreaterThan(10);
		expect(stderr).toBe("code 0\n");
	}));
