import { watch } from "node:fs";

/**
 * What hears of changes. `native`: `fs.watch`. `portable`: chokidar over `fs.watch`. `poll`: chokidar, which asks for the
 * times of files again and again. `off`: nothing, so that only comparisons with the disk find changes.
 */
export type SourceName = "native" | "portable" | "poll" | "off";

/** The tree around a watched directory, for a source that enters directories itself. */
export interface SourceTree {
	/** Resolves when the tree has been read for the first time. */
	scanned(): Promise<void>;
	/** The number of files in it. */
	countFiles(): number;
	/** True for a file or directory (absolute) whose changes are wanted. */
	wants(path: string, isDirectory: boolean): boolean;
}

/** A directory to watch, and who hears of its changes. */
export interface WatchTarget {
	/** Absolute. */
	readonly path: string;
	readonly tree: SourceTree;
	/**
	 * Called with the name of each entry that was created, changed or deleted; with a path relative to the directory by a
	 * recursive source; with undefined if the name is not known.
	 */
	readonly happened: (name: string | undefined) => void;
	/** Called with an errno error when no further events come. */
	readonly failed: (error: Error) => void;
}

/** Where the events of file changes come from. */
export interface WatchSource {
	readonly name: SourceName;
	/** True if one watch on a directory reports what changes at any depth below it. */
	readonly isRecursive: boolean;
	/** True if the events come through the queue that an `EventBarrier` waits for. */
	readonly isOrdered: boolean;
	/** Throws an errno error if there is no watch to be had. Returns the function that ends the watch. Keeps no process alive. */
	watch(target: WatchTarget): () => void;
}

/** Node's recursive watch is one watch of the system on macOS and Windows; on Linux it watches every file. */
const hasRecursiveWatch = process.platform === "darwin" || process.platform === "win32";

const native: WatchSource = {
	name: "native",
	isRecursive: hasRecursiveWatch,
	isOrdered: process.platform === "linux",
	watch({ path, happened, failed }) {
		const options = { persistent: false, recursive: hasRecursiveWatch };
		const watcher = watch(path, options, (_, name) => happened(name ?? undefined));
		watcher.on("error", failed);
		return () => watcher.close();
	},
};

/** Loads chokidar once the tree is read, when it is known how many files there are. */
function chokidarSource(name: "portable" | "poll"): WatchSource {
	return {
		name,
		isRecursive: true,
		isOrdered: false,
		watch(target) {
			let end: (() => void) | undefined;
			let isEnded = false;
			Promise.all([import("./chokidar.ts"), target.tree.scanned()])
				.then(([{ watchWithChokidar }]) => {
					if (!isEnded) end = watchWithChokidar(target, name === "poll");
				})
				.catch((error: Error) => {
					if (!isEnded) target.failed(error);
				});
			return () => {
				isEnded = true;
				end?.();
			};
		},
	};
}

export const sources: Readonly<Record<SourceName, WatchSource>> = {
	native,
	portable: chokidarSource("portable"),
	poll: chokidarSource("poll"),
	off: { name: "off", isRecursive: true, isOrdered: false, watch: () => () => {} },
};
