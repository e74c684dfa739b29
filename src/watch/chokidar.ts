import { relative } from "node:path";
import { watch } from "chokidar";
import type { WatchTarget } from "./source.ts";

/** chokidar opens a handle for every file (docs/facts.md, 25). */
const maxFiles = 10_000;
/** At most 2,000 files a second. */
const minPollMs = 1000;
const pollMsPerFile = 0.5;

export function watchWithChokidar({ path: root, tree, happened, failed }: WatchTarget, polls: boolean): () => void {
	const files = tree.countFiles();
	if (files > maxFiles) throw new Error(`more than ${maxFiles} files`);
	const interval = Math.max(minPollMs, files * pollMsPerFile);
	const watcher = watch(root, {
		persistent: false,
		ignoreInitial: true,
		followSymlinks: false,
		ignorePermissionErrors: true,
		// It delays deletions, and omits some editors' files.
		atomic: false,
		usePolling: polls,
		interval,
		binaryInterval: interval,
		// First called without stats, then with them. Links are reported as added (docs/facts.md, 25); opening a FIFO
		// on macOS waits for its other end.
		ignored: (path, stats) => {
			if (stats === undefined || relative(root, path) === "") return false;
			return !(stats.isFile() || stats.isDirectory()) || !tree.wants(path, stats.isDirectory());
		},
	});
	watcher.on("all", (_, path) => happened(relative(root, path) || undefined));
	watcher.on("ready", () => happened(undefined));
	watcher.on("error", (error) => failed(error as Error));
	return () => {
		void watcher.close();
		// close() removes all listeners; an error without one ends the process.
		watcher.on("error", () => {});
	};
}
