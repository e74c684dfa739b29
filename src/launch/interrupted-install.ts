import { existsSync, readFileSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "../process/process-identity.ts";

export function replacedFolder(folder: string): string {
	return join(dirname(folder), `.${basename(folder)}.old`);
}

export function installationOwner(folder: string): string {
	return join(dirname(folder), `.${basename(folder)}.new.owner`);
}

/** Puts back what a killed installation had moved away. Never throws. */
export function putBack(folder: string): void {
	const old = replacedFolder(folder);
	if (existsSync(folder) || !existsSync(old)) return;
	try {
		const owner = installationOwner(folder);
		if (existsSync(owner) && isAlive(readFileSync(owner, "utf8"))) return;
		renameSync(old, folder);
	} catch {
		// Another process was first.
	}
}
