import { watch } from "node:fs";

/** `native`: `fs.watch`. `portable`: chokidar over `fs.watch`. `poll`: chokidar over `fs.watchFile`. `off`: no events. */
export type SourceName = "native" | "portable" | "poll" | "off";

/** A watched tree, for a recursive source. */
export interface SourceTree {
	/** Resolves after the first scan. */
	scanned(): Promise<void>;
	countFiles(): number;
	/** True for a file or directory (absolute) to watch. */
	wants(path: string, isDirectory: boolean): boolean;
}

export interface WatchTarget {
	readonly path: string;
	readonly tree: SourceTree;
	/** `name` is an entry of the directory, or a relative path below it; undefined if it is not known. */
	readonly happened: (name: string | undefined) => void;
	/** No further events come. */
	readonly failed: (error: Error) => void;
}

/** Where the events of file changes come from. */
export interface WatchSource {
	readonly name: SourceName;
	/** True if one watch reports changes at any depth. */
	readonly isRecursive: boolean;
	/** True if an `EventBarrier` waits for its events. */
	readonly isOrdered: boolean;
	/** Throws an errno error. Returns the function that ends the watch. Keeps no process alive. */
	watch(target: WatchTarget): () => void;
}

/** On Linux Node's recursive watch watches every file. */
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

/** Begins after the first scan, when the number of files is known. */
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
