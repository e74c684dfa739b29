import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { attempt } from "../util/attempt.ts";
import { hashOf } from "../util/hash.ts";
import { identityOf, isAlive } from "./process-identity.ts";

/**
 * Marks servers, whose daemon may be killed (docs/facts.md, 14), by runtime directory and process namespace: a
 * container has other process ids.
 */
const ownerVariable = "PI_LSP_OWNER";

export function ownerMark(owner = identityOf(process.pid)): Readonly<Record<string, string>> {
	return { [ownerVariable]: `${owner} ${scope()}` };
}

/** Of a daemon that is gone or `ending`. Returns their number; needs /proc. */
export function sweepOrphans(ending?: string): number {
	if (process.platform !== "linux") return 0;
	const ours = scope();
	let ended = 0;
	for (const pid of otherPids()) {
		const [id, start, ...where] = valueIn(pid, ownerVariable)?.split(" ") ?? [];
		const owner = `${id} ${start}`;
		if (where.join(" ") !== ours || (owner !== ending && isAlive(owner))) continue;
		if (kill(pid)) ended++;
	}
	return ended;
}

/** Returns their number; needs /proc. */
export function killMarked(variable: string, value: string): number {
	if (process.platform !== "linux") return 0;
	return otherPids().filter((pid) => valueIn(pid, variable) === value && kill(pid)).length;
}

function otherPids(): number[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && pid !== process.pid);
}

function kill(pid: number): boolean {
	return attempt(() => process.kill(pid, "SIGKILL"), false);
}

function valueIn(pid: number, variable: string): string | undefined {
	try {
		const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
		return variables.find((each) => each.startsWith(`${variable}=`))?.slice(variable.length + 1);
	} catch {
		return undefined;
	}
}

function scope(): string {
	return attempt(() => `${readlinkSync("/proc/self/ns/pid")} ${hashOf(process.env.XDG_RUNTIME_DIR ?? "", 8)}`, "-");
}
