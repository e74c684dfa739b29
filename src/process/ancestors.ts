import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

export interface Ancestor {
	readonly pid: number;
	/** The command's name, which a process may have changed. */
	readonly name: string;
}

const maxAncestors = 50;

/** The parent first; empty if the process is gone. */
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
	try {
		const text = readFileSync(`/proc/${pid}/stat`, "utf8");
		const end = text.lastIndexOf(")");
		return { parent: Number(text.slice(end + 2).split(" ")[1]), name: text.slice(text.indexOf("(") + 1, end) };
	} catch {
		return undefined;
	}
};

async function parentsByPs(): Promise<ParentOf> {
	const { stdout } = await promisify(execFile)("/bin/ps", ["-A", "-o", "pid=,ppid=,ucomm="]);
	const lines = stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm);
	const known = new Map(
		[...lines].map(([, pid, parent, name = ""]) => [Number(pid), { parent: Number(parent), name }]),
	);
	return (pid) => known.get(pid);
}
