import { relative } from "node:path";
import { watch } from "chokidar";
import type { WatchTarget } from "./source.ts";

/** chokidar opens a handle for every file, on macOS a file descriptor. */
const maxFiles = 10_000;
/** Milliseconds between two looks at a file, at least and for each file: at most 2,000 files are looked at in a second. */
const minPollMs = 1000;
const pollMsPerFile = 0.5;

/** Watches a directory and all that its tree wants below; throws if the tree is too large. Returns the function that ends it. */
export function watchWithChokidar({ path: root, tree, happened, failed }: WatchTarget, polls: boolean): () => void {
	const files = tree.countFiles();
	if (files > maxFiles) throw new Error(`more than ${maxFiles} files`);
	const interval = Math.max(minPollMs, files * pollMsPerFile);
	const watcher = watch(root, {
		persistent: false,
		ignoreInitial: true,
		followSymlinks: false,
		ignorePermissionErrors: true,
		// It would hold every deletion back by 100 ms, and leave out names that look like those of editors' own files.
		atomic: false,
		usePolling: polls,
		interval,
		binaryInterval: interval,
		// Called without stats first, and again with them. A link would be reported as added at the beginning, and opening a
		// FIFO on macOS waits for its other end.
		ignored: (path, stats) => {
			if (stats === undefined || relative(root, path) === "") return false;
			return !(stats.isFile() || stats.isDirectory()) || !tree.wants(path, stats.isDirectory());
		},
	});
	watcher.on("all", (_, path) => happened(relative(root, path) || undefined));
	// What changed between the first reading of the tree and now had no event.
	watcher.on("ready", () => happened(undefined));
	watcher.on("error", (error) => failed(error as Error));
	return () => void watcher.close();
}
