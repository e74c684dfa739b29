import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { met, notYet, until } from "./until.ts";

/** The variable that marks every process of one run, however far it has detached itself. */
export const RUN_MARK = "PI_LSP_RUN";

/** A living process as /proc shows it. */
export interface FoundProcess {
	readonly pid: number;
	readonly argv: readonly string[];
}

/** The arguments of a living process; none when it has ended or is only waiting to be reaped. */
export function commandOf(pid: number): readonly string[] {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
	} catch {
		return [];
	}
}

/** The living processes that carry a run's mark in their environment, except this one. */
export function processesOf(runId: string): FoundProcess[] {
	const mark = `${RUN_MARK}=${runId}`;
	const found: FoundProcess[] = [];
	for (const name of readdirSync("/proc")) {
		const pid = Number(name);
		if (!Number.isInteger(pid) || pid === process.pid) continue;
		const argv = commandOf(pid);
		// A process that has ended keeps its pid until it is reaped, but no command line.
		if (argv.length > 0 && environmentOf(pid).includes(mark)) found.push({ pid, argv });
	}
	return found;
}

/**
 * Waits until no process of a run is left. Those that stay are killed, because they would disturb the next test, and
 * named in the failure.
 */
export async function expectNoProcesses(runId: string, timeoutMs = 10_000): Promise<void> {
	try {
		await until(
			"the processes of this run end",
			() => {
				const left = processesOf(runId);
				return left.length === 0 ? met(undefined) : notYet(`still there:\n${listing(left)}`);
			},
			{ timeoutMs, everyMs: 50 },
		);
	} catch (error) {
		killProcessesOf(runId);
		throw error;
	}
}

/** Kills the processes with the mark of a run, and nothing else. */
export function killProcessesOf(runId: string): void {
	for (const { pid } of processesOf(runId)) {
		try {
			process.kill(pid, "SIGKILL");
		} catch {
			// The process ended between being found and being killed.
		}
	}
}

function environmentOf(pid: number): readonly string[] {
	try {
		return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
	} catch {
		return [];
	}
}

function listing(found: readonly FoundProcess[]): string {
	return found.map(({ pid, argv }) => `\t${pid} ${argv.join(" ")}`).join("\n");
}

/** The resident memory of a process in megabytes, 0 for one that has ended and is not yet reaped (Linux). */
export function residentMegabytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Its memory without the pages of the program's file, which the kernel drops while it rests and reads again. */
export function ownMegabytes(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}
