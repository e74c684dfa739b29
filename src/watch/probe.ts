import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownDirectory } from "../util/xdg.ts";
import { statOf } from "./directory-node.ts";
import type { WatchSource } from "./source.ts";

const maxMs = 1000;
const repeatMs = 50;

/** True if a new file is reported within 1 s, or none can be created. */
export async function sendsEvents(
	source: WatchSource,
	parents: readonly string[],
	signal?: AbortSignal,
): Promise<boolean> {
	const directory = temporaryIn(parents);
	if (directory === undefined) return true;
	const tree = { scanned: () => Promise.resolve(), countFiles: () => 0, wants: () => true };
	let end = () => {};
	try {
		return await new Promise<boolean>((resolve) => {
			// As in `event-barrier.ts`.
			const timer = setTimeout(() => setImmediate(() => setImmediate(resolve, false)), maxMs);
			const files = setInterval(() => touch(join(directory, String(performance.now()))), repeatMs);
			const happened = (name: string | undefined) => {
				if (name !== undefined) resolve(true);
			};
			let unwatch = () => {};
			end = () => {
				clearTimeout(timer);
				clearInterval(files);
				unwatch();
			};
			unwatch = source.watch({ path: directory, tree, happened, failed: () => resolve(false) });
			signal?.addEventListener("abort", () => resolve(false), { once: true });
			touch(join(directory, "probe"));
		});
	} catch {
		return false;
	} finally {
		end();
		rmSync(directory, { recursive: true, force: true });
	}
}

function touch(path: string): void {
	try {
		writeFileSync(path, "", { mode: 0o600 });
	} catch {
		// No event comes.
	}
}

function temporaryIn(parents: readonly string[]): string | undefined {
	for (const parent of parents)
		try {
			return mkdtempSync(join(parent, "pi-lsp-watch-"));
		} catch {
			// The next parent.
		}
	return undefined;
}

export function probeParents(root: string, fallback: string): string[] {
	const device = deviceOf(root);
	const own = (["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] as const).map((kind) => ownDirectory(kind));
	return [...[fallback, ...own].filter((directory) => deviceOf(directory) === device), fallback];
}

export function deviceOf(path: string): number | undefined {
	return statOf(path)?.dev;
}
