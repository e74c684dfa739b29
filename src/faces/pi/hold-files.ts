import { resolve } from "node:path";
import { withFileMutationQueue } from "@mariozechner/pi-coding-agent";
import type { Hold } from "../carry-out.ts";

/** Waits in pi's queue of each file, in path order: no edit comes between. */
export function holdFiles(cwd: string): Hold {
	return (files, work) => {
		const paths = [...new Set(files.map((file) => resolve(cwd, file)))].sort();
		const run = paths.reduceRight((next, path) => () => withFileMutationQueue(path, next), work);
		return run();
	};
}
