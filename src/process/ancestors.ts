import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { procStat } from "./process-identity.ts";

export interface Ancestor {
	readonly pid: number;
	readonly name: string;
}

const maxAncestors = 50;

/** Parent first; empty if the process is gone. */
export async function ancestorsOf(pid: number): Promise<readonly Ancestor[]> {
	const parentOf = process.platform === "linux" ? parentInProc : await parentsByPs();
	const ancestors: Ancestor[] = [];
	for (let at = parentOf(pid)?.parent; at && ancestors.length < maxAncestors; ) {
		const found = parentOf(at);
		if (!found) break;
		ancestors.push({ pid: at, name: found.name });
		at = found.parent;
	}
	return ancestors;
}

type ParentOf = (pid: number) => { readonly parent: number; readonly name: string } | undefined;

const parentInProc: ParentOf = (pid) => {
	const stat = procStat(pid);
	return stat && { parent: Number(stat.fields[1]), name: stat.name };
};

async function parentsByPs(): Promise<ParentOf> {
	const { stdout } = await promisify(execFile)("/bin/ps", ["-A", "-o", "pid=,ppid=,ucomm="]);
	const lines = stdout.matchAll(/^ *(\d+) +(\d+) +(.*)$/gm);
	const known = new Map(
		[...lines].map(([, pid, parent, name = ""]) => [Number(pid), { parent: Number(parent), name }]),
	);
	return (pid) => known.get(pid);
}
