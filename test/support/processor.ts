import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds that a process, all its threads together, has spent on a processor; none once it has ended. */
export function processorMs(pid: number): number {
	try {
		return readdirSync(`/proc/${pid}/task`).reduce((sum, id) => sum + threadMs(pid, id), 0);
	} catch {
		return 0;
	}
}

/** The same for the thread of the event loop alone, without those that compile and collect garbage. */
export function loopMs(pid: number): number {
	try {
		return threadMs(pid, `${pid}`);
	} catch {
		return 0;
	}
}

function threadMs(pid: number, id: string): number {
	return Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}
