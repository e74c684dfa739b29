import { readFileSync } from "node:fs";
import { attempt } from "../util/attempt.ts";

export function identityOf(pid: number): string {
	return `${pid} ${startTimeOf(pid)}`;
}

/** False for a zombie. */
export function isAlive(identity: string): boolean {
	const [pid, start] = identity.split(" ");
	if (!pid || !start) return false;
	const now = startTimeOf(Number(pid));
	if (now !== unknownStart) return now === start;
	// Without /proc (macOS) a signal is tried.
	try {
		process.kill(Number(pid), 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

export function pidOf(identity: string): number {
	return Number(identity.split(" ")[0]);
}

/** False without /proc, or if the process is gone: another may have its id. */
export function signalProcess(identity: string, signal: NodeJS.Signals): boolean {
	if (identity.endsWith(` ${unknownStart}`) || !isAlive(identity)) return false;
	return attempt(() => process.kill(pidOf(identity), signal), false);
}

const unknownStart = "-";

/** In ticks since boot; "" if gone, "-" without /proc. */
function startTimeOf(pid: number): string {
	const fields = procStat(pid)?.fields;
	if (!fields) return process.platform === "linux" ? "" : unknownStart;
	return fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? "");
}

export interface ProcStat {
	readonly name: string;
	/** From field 3, the state, on: field 4 is the parent, field 22 the start in ticks since boot. */
	readonly fields: readonly string[];
}

/** Undefined without the process or /proc. */
export function procStat(pid: number): ProcStat | undefined {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, "utf8");
		// The name may have spaces and brackets.
		const end = text.lastIndexOf(")");
		return { name: text.slice(text.indexOf("(") + 1, end), fields: text.slice(end + 2).split(" ") };
	} catch {
		return undefined;
	}
}
