import { watch } from "node:fs";

export type SourceName = "native" | "portable" | "poll" | "off";

export interface SourceTree {
	scanned(): Promise<void>;
	countFiles(): number;
	wants(path: string, isDirectory: boolean): boolean;
}

export interface WatchTarget {
	readonly path: string;
	readonly tree: SourceTree;
	/** `name` is relative to the directory; undefined if unknown. */
	readonly happened: (name: string | undefined) => void;
	readonly failed: (error: Error) => void;
}

export interface WatchSource {
	readonly name: SourceName;
	readonly isRecursive: boolean;
	readonly isOrdered: boolean;
	/** Does not keep the process alive. Returns what ends the watch. Throws an errno error. */
	watch(target: WatchTarget): () => void;
}

/** On Linux, Node's recursive watch would watch every file. */
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
