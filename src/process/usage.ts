import { readFileSync } from "node:fs";

const pageBytes = 4096;
/** The kernel's clock ticks a second, the same on every Linux that Node runs on. */
const ticksPerSecond = 100;
const maxProcesses = 100;

/** What a process and its children use. */
export interface Usage {
	readonly memoryBytes: number;
	/** Milliseconds of processor time since they began. */
	readonly cpuMs: number;
}

/** What a process and its children use; undefined where /proc does not tell. */
export function treeUsage(pid: number): Usage | undefined {
	let memoryBytes: number | undefined;
	let ticks = 0;
	for (const each of processTree(pid)) {
		const pages = Number(read(`/proc/${each}/statm`)?.split(" ")[1]);
		if (Number.isInteger(pages)) memoryBytes = (memoryBytes ?? 0) + pages * pageBytes;
		ticks += ticksOf(read(`/proc/${each}/stat`));
	}
	return memoryBytes === undefined ? undefined : { memoryBytes, cpuMs: (ticks * 1000) / ticksPerSecond };
}

/** A process and its children, each after its parent; it alone where /proc does not tell. */
export function processTree(pid: number): number[] {
	const tree = [pid];
	for (let index = 0; index < tree.length && index < maxProcesses; index++) {
		const children = read(`/proc/${tree[index]}/task/${tree[index]}/children`)?.trim();
		if (children) tree.push(...children.split(" ").map(Number));
	}
	return tree;
}

/** User and system time; the command's name before them may hold spaces and brackets. */
function ticksOf(stat: string | undefined): number {
	const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
	return (Number(fields[11]) || 0) + (Number(fields[12]) || 0);
}

function read(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch {
		// It has ended, or this system has no /proc.
		return undefined;
	}
}
