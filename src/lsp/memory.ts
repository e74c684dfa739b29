import { readFileSync } from "node:fs";

const pageBytes = 4096;
const maxProcesses = 100;

/** What a process and its children hold in memory, in bytes; undefined where /proc does not tell. */
export function treeMemory(pid: number): number | undefined {
	let total: number | undefined;
	const queue = [pid];
	for (let index = 0; index < queue.length && index < maxProcesses; index++) {
		const each = queue[index];
		const pages = Number(read(`/proc/${each}/statm`)?.split(" ")[1]);
		if (Number.isInteger(pages)) total = (total ?? 0) + pages * pageBytes;
		const children = read(`/proc/${each}/task/${each}/children`)?.trim();
		if (children) queue.push(...children.split(" ").map(Number));
	}
	return total;
}

function read(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// It has ended, or this system has no /proc.
		return undefined;
	}
}
