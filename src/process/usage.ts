import { readFileSync } from "node:fs";
import { attempt } from "../util/attempt.ts";
import { procStat } from "./process-identity.ts";

const pageBytes = 4096;
const ticksPerSecond = 100;
const maxProcesses = 100;

export interface Usage {
	readonly memoryBytes: number;
	readonly cpuMs: number;
}

/** Undefined without /proc. */
export function treeUsage(pid: number): Usage | undefined {
	let memoryBytes: number | undefined;
	let ticks = 0;
	for (const each of processTree(pid)) {
		const pages = Number(read(`/proc/${each}/statm`)?.split(" ")[1]);
		if (Number.isInteger(pages)) memoryBytes = (memoryBytes ?? 0) + pages * pageBytes;
		const fields = procStat(each)?.fields ?? [];
		ticks += (Number(fields[11]) || 0) + (Number(fields[12]) || 0);
	}
	return memoryBytes === undefined ? undefined : { memoryBytes, cpuMs: (ticks * 1000) / ticksPerSecond };
}

export function processTree(pid: number): number[] {
	const tree = [pid];
	for (let index = 0; index < tree.length && index < maxProcesses; index++) {
		const children = read(`/proc/${tree[index]}/task/${tree[index]}/children`)?.trim();
		if (children) tree.push(...children.split(" ").map(Number));
	}
	return tree;
}

function read(path: string): string | undefined {
	return attempt(() => readFileSync(path, "utf8"));
}
