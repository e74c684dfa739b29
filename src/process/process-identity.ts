import { readFileSync } from "node:fs";

/** A process as a name that is never given twice: its id and its start time. */
export function identityOf(pid: number): string {
	return `${pid} ${startTimeOf(pid)}`;
}

/** True while the process of an identity runs; one that only waits to be reaped does not. */
export function isAlive(identity: string): boolean {
	const [pid, start] = identity.split(" ");
	if (!pid || !start) return false;
	const now = startTimeOf(Number(pid));
	if (now !== unknownStart) return now === start;
	// No /proc here (macOS): the process id alone has to do.
	try {
		process.kill(Number(pid), 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

/** The process id of an identity. */
export function pidOf(identity: string): number {
	return Number(identity.split(" ")[0]);
}

/**
 * Sends a signal to the process of an identity, if it runs still. False if it does not, or if the system does not say when
 * processes start: its id may by then be another one's.
 */
export function signalProcess(identity: string, signal: NodeJS.Signals): boolean {
	if (identity.endsWith(` ${unknownStart}`) || !isAlive(identity)) return false;
	try {
		return process.kill(pidOf(identity), signal);
	} catch {
		// It has just ended by itself, or is another user's.
		return false;
	}
}

const unknownStart = "-";

/** When a process started, in the kernel's ticks since boot; "" if there is none, "-" where the system does not say. */
function startTimeOf(pid: number): string {
	let text: string;
	try {
		text = readFileSync(`/proc/${pid}/stat`, "utf8");
	} catch {
		return process.platform === "linux" ? "" : unknownStart;
	}
	// The command's name may hold spaces and brackets: count fields after the last bracket. 3 is the state, 22 the start.
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	return fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? "");
}
