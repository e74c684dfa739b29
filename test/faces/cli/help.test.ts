import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { commands } from "../../../src/faces/cli/commands.ts";
import { helpFor, helpGroups, overview } from "../../../src/faces/cli/help.ts";
import { operations } from "../../../src/operations/index.ts";
import { ask, daemonOf, WRONG_PROJECT } from "../../daemon/daemon.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { withWorkspace } from "../../support/workspace.ts";

test("`pi-lsp COMMAND --help` prints the arguments of the command, and does nothing else", () =>
	withWorkspace(WRONG_PROJECT, async (ws) => {
		await ask(ws);
		const { pid } = daemonOf(ws);
		for (const [name, { summary, options = {} }] of Object.entries(commands)) {
			const { code, stdout } = await ws.cli([name, "--help"]);
			expect(code, name).toBe(0);
			if (name === "init") expect((await ws.cli(["help", name])).stdout).toBe(stdout);
			expect(stdout, name).toMatch(new RegExp(`^Usage: pi-lsp ${name}`));
			expect(stdout, name).toContain(summary);
			for (const option of Object.keys(options)) expect(stdout, name).toContain(`--${option}`);
		}
		expect(daemonOf(ws).pid).toBe(pid);
	}));

test("--help and --version are printed without loading the operations", () => {
	const directory = mkdtempSync(join(tmpdir(), "pl-help-"));
	try {
		for (const file of ["cli.cjs", "help.txt", "version.txt"])
			copyFileSync(join(REPOSITORY, "dist", file), join(directory, file));
		const run = (...args: string[]) =>
			spawnSync(process.execPath, [join(directory, "cli.cjs"), ...args], { encoding: "utf8" });
		for (const args of [[], ["help"], ["--help"], ["-h"]])
			expect(run(...args), args.join()).toMatchObject({ status: 0, stdout: `${overview(commands)}\n`, stderr: "" });
		for (const word of ["--version", "-v"])
			expect(run(word), word).toMatchObject({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
	} finally {
		rmSync(directory, { recursive: true });
	}
});

test("help names each of several words in the singular, and values and default in one pair of parentheses", () => {
	expect(overview(commands)).toContain("  compare [PATCH…] ");
	expect(overview(commands)).toContain("  check [FILE…] ");
	const helpOf = (name: string) => operations.flatMap((each) => (each.name === name ? helpFor(each) : [])).join();
	expect(helpOf("folders")).toContain("  What to do (list, add, remove; default: list)\n");
	expect(helpOf("log_level")).toContain("  What is logged (events, stderr, frames)\n");
	for (const operation of operations) expect(helpFor(operation)).not.toContain(") (");
});

test("the manual page has every command with all its options", ({ skip }) => {
	const page = join(REPOSITORY, "dist/pi-lsp.1");
	const lines = new Set(readFileSync(page, "utf8").split("\n"));
	for (const { usage, options } of helpGroups(commands).flatMap(({ rows }) => rows))
		for (const word of [usage, ...options.map(([option]) => option)])
			expect(lines, usage).toContain(`\\fB${word.replaceAll("-", "\\-").replaceAll("…", "\\[u2026]")}\\fR`);
	const { stdout, stderr, error } = spawnSync("groff", ["-man", "-Tutf8", "-ww", page], { encoding: "utf8" });
	if (error) return skip("groff is not installed");
	expect(stderr).toBe("");
	expect(stdout.replace(/\s+/g, " ")).toContain("pi-lsp COMMAND --help has an example of each question");
});
