import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runCommand } from "../support/run-command.ts";
import { must, type NotRun, type TestProof } from "./row.ts";

/** The result of the tests that a proof names. */
export interface Proven {
	readonly passed: number;
	/** The names of failed tests, each with the first line of its error. */
	readonly failed: readonly string[];
	/** The number of tests that this machine cannot run: a server, a right or a program is missing. */
	readonly skipped: number;
}

const runMs = 600_000;

interface JsonReport {
	readonly testResults: readonly {
		readonly assertionResults: readonly {
			readonly fullName: string;
			readonly status: string;
			readonly failureMessages?: readonly string[];
		}[];
	}[];
}

/** Runs the tests of a checkout whose names contain the title; rejects if there is no such test, or nothing was run. */
export async function runTests(checkout: string, { file, title }: TestProof): Promise<Proven> {
	const directory = mkdtempSync(join(tmpdir(), "pl-proof-"));
	const report = join(directory, "report.json");
	try {
		const vitest = join(checkout, "node_modules/vitest/vitest.mjs");
		const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
		const args = [vitest, "run", file, "-t", escaped, "--reporter=json", `--outputFile=${report}`];
		const env = process.env as Record<string, string>;
		const { stdout, stderr } = await runCommand(process.execPath, args, { cwd: checkout, env, timeoutMs: runMs });
		const text = existsSync(report) ? readFileSync(report, "utf8") : '{ "testResults": [] }';
		const { testResults } = JSON.parse(text) as JsonReport;
		// A failing build writes a report all the same.
		must(testResults.length > 0, `${file} was not run: ${(stdout + stderr).slice(0, 400)}`);
		const named = testResults.flatMap(({ assertionResults }) =>
			assertionResults.filter((test) => isNamed(test, title)),
		);
		must(named.length > 0, `${file} has no test "${title}"`);
		const failed = named.filter(({ status }) => status === "failed");
		return {
			passed: named.filter(({ status }) => status === "passed").length,
			failed: failed.map(({ fullName, failureMessages = [] }) => `${fullName}: ${failureMessages[0]?.split("\n")[0]}`),
			skipped: named.filter(({ status }) => status === "skipped" || status === "pending").length,
		};
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

function isNamed({ fullName }: { readonly fullName: string }, title: string): boolean {
	return fullName.includes(title);
}

/** Runs the proofs of a row; returns how many tests held, or that none can be run here. Rejects if one failed. */
export async function prove(checkout: string, proofs: readonly TestProof[]): Promise<string | NotRun> {
	let passed = 0;
	let skipped = 0;
	for (const proof of proofs) {
		const found = await runTests(checkout, proof);
		must(found.failed.length === 0, `${proof.file}: ${found.failed.join("; ")}`);
		passed += found.passed;
		skipped += found.skipped;
	}
	if (passed === 0) return `not injectable here: ${skipped} tests are skipped, a server or a right is missing`;
	return `${passed} ${passed === 1 ? "test" : "tests"} passed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
