import { execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { CLI } from "../support/repository.ts";
import { must, shown } from "./row.ts";
import type { World } from "./world.ts";

/**
 * Starts `count` command lines behind one barrier, released at once with `loose`; each checks `a.go`. Returns the
 * slowest's ms.
 */
export async function together(world: World, count: number, loose: () => void = () => {}): Promise<number> {
	const barrier = join(world.base, "barrier");
	rmSync(barrier, { force: true });
	execFileSync("mkfifo", [barrier]);
	let began = 0;
	const answers = Array.from({ length: count }, () => waiting(world, barrier));
	// Opening it for writing waits for the first reader, and lets go of all of them when it is closed: give them time to stand there.
	await new Promise((resolve) => setTimeout(resolve, 300));
	const gate = openSync(barrier, "r+");
	began = performance.now();
	loose();
	setTimeout(() => closeSync(gate), 100);
	const wrong = (await Promise.all(answers)).filter(({ stdout }) => !isRight(stdout));
	must(wrong.length === 0, `${wrong.length} of ${count} were not answered rightly: ${shown(wrong[0])}`);
	return performance.now() - began;
}

function waiting(world: World, barrier: string): Promise<{ stdout: string; stderr: string }> {
	const script = `read _ < "${barrier}"; exec "${process.execPath}" "${CLI}" check a.go --json --timeout 30000`;
	const child = spawn("/bin/sh", ["-c", script], {
		cwd: world.root,
		env: world.env,
		stdio: ["ignore", "pipe", "pipe"],
	});
	let stdout = "";
	let stderr = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		stdout += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
	return new Promise((resolve) => {
		child.once("close", () => {
			clearTimeout(timer);
			resolve({ stdout, stderr });
		});
	});
}

function isRight(stdout: string): boolean {
	try {
		const [file] = (JSON.parse(stdout) as CheckReport).files;
		return file?.state === "fresh" && file.diagnostics.length === 1;
	} catch {
		return false;
	}
}
