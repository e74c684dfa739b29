import { renameSync, writeFileSync } from "node:fs";
import { LspError } from "../../contract/errors.ts";
import { attempt } from "../../util/attempt.ts";
import { readOwnFile } from "./own-file.ts";

export interface End {
	readonly identity: string;
	readonly ms: number;
}

export function writeEnd(path: string, end: End): void {
	const draft = `${path}~`;
	writeFileSync(draft, JSON.stringify(end), { mode: 0o600 });
	renameSync(draft, path);
}

export function blockedError(path: string, pid: number, log: string): LspError | undefined {
	const { identity, ms = 0 } = readEnd(path);
	if (Number(identity?.split(" ")[0]) !== pid) return undefined;
	return new LspError(
		"LSP_DAEMON_BLOCKED",
		`The daemon (pid ${pid}) was blocked for ${Math.round(ms / 1000)} s by something that it worked on, and was ended.`,
		{ pid, log },
	);
}

function readEnd(path: string): Partial<End> {
	return attempt(() => JSON.parse(readOwnFile(path) ?? "{}") as Partial<End>, {});
}
