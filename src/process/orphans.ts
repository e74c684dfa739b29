import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { hashOf } from "../util/hash.ts";
import { identityOf, isAlive } from "./process-identity.ts";

/**
 * A server that ignores the end of its input outlives a daemon that was killed, and no parent is left to end it. So
 * every server carries the name of its daemon in its environment, which its children inherit, and the next daemon ends
 * what names a daemon that is gone (docs/facts.md, 14): one of the same runtime directory, and of the same process
 * namespace, since a container's processes have other ids there.
 */
const ownerVariable = "PI_LSP_OWNER";

/** What a server's environment gets: who started it, and where that name is valid. */
export function ownerMark(owner = identityOf(process.pid)): Readonly<Record<string, string>> {
	return { [ownerVariable]: `${owner} ${scope()}` };
}

/**
 * Kills every process of this user whose daemon is gone, or is `ending`. Returns how many; none where there is no /proc.
 */
export function sweepOrphans(ending?: string): number {
	if (process.platform !== "linux") return 0;
	const ours = scope();
	const pids = readdirSync("/proc")
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && pid !== process.pid);
	let ended = 0;
	for (const pid of pids) {
		const [id, start, ...where] = ownerOf(pid)?.split(" ") ?? [];
		const owner = `${id} ${start}`;
		if (where.join(" ") !== ours || (owner !== ending && isAlive(owner))) continue;
		try {
			process.kill(pid, "SIGKILL");
			ended++;
		} catch {
			// It has just ended by itself.
		}
	}
	return ended;
}

function ownerOf(pid: number): string | undefined {
	try {
		const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
		return variables.find((variable) => variable.startsWith(`${ownerVariable}=`))?.slice(ownerVariable.length + 1);
	} catch {
		// Another user's, or gone.
		return undefined;
	}
}

function scope(): string {
	try {
		return `${readlinkSync("/proc/self/ns/pid")} ${hashOf(process.env.XDG_RUNTIME_DIR ?? "", 8)}`;
	} catch {
		return "-";
	}
}
