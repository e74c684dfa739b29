import { closeSync, constants, fstatSync, openSync, readSync, renameSync, writeFileSync } from "node:fs";
import { LspError } from "../../contract/errors.ts";

/** A daemon that was ended because its event loop was blocked: which, and for how many milliseconds. */
export interface End {
	readonly identity: string;
	readonly ms: number;
}

const maxBytes = 1000;

/** Leaves word for the callers of a daemon that is about to be ended: nobody can tell them over their connections. */
export function writeEnd(path: string, end: End): void {
	const draft = `${path}~`;
	writeFileSync(draft, JSON.stringify(end), { mode: 0o600 });
	renameSync(draft, path);
}

/** What a caller is told whose daemon went away, if that is why it did. `pid` is the one that it spoke with. */
export function blockedError(path: string, pid: number, log: string): LspError | undefined {
	const end = readEnd(path);
	if (Number(end?.identity?.split(" ")[0]) !== pid) return undefined;
	return new LspError(
		"LSP_DAEMON_BLOCKED",
		`The daemon (pid ${pid}) was blocked for ${Math.round((end?.ms ?? 0) / 1000)} s by something that it worked on, and was ended.`,
		{ pid, log },
	);
}

function readEnd(path: string): Partial<End> | undefined {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		if (!fstatSync(descriptor).isFile()) return undefined;
		const bytes = Buffer.alloc(maxBytes);
		return JSON.parse(bytes.toString("utf8", 0, readSync(descriptor, bytes))) as Partial<End>;
	} catch {
		return undefined;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}
