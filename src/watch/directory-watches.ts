import type { WriteEvent } from "../util/log.ts";
import type { DirectoryNode } from "./directory-node.ts";
import type { SourceTree, WatchSource } from "./source.ts";

export interface WatchListener {
	/** Something happened to an entry; `name` is what the source says of it. */
	happened(directory: DirectoryNode, name: string | undefined): void;
	/** A watch ended. */
	lost(): void;
}

/** The watches on the directories of one tree, of one source at a time. */
export class DirectoryWatches {
	readonly #tree: SourceTree & { readonly root: string };
	readonly #listener: WatchListener;
	readonly #log: WriteEvent | undefined;
	#source: WatchSource;
	#failure: string | undefined;
	#size = 0;

	constructor(
		source: WatchSource,
		tree: SourceTree & { readonly root: string },
		listener: WatchListener,
		log: WriteEvent | undefined,
	) {
		this.#source = source;
		this.#tree = tree;
		this.#listener = listener;
		this.#log = log;
	}

	get source(): WatchSource {
		return this.#source;
	}

	/** The code of the error after which no watch is begun. */
	get failure(): string | undefined {
		return this.#failure;
	}

	/** The number of directories with a watch. */
	get size(): number {
		return this.#size;
	}

	/** Ends all watches below `top`; `source` makes those that are begun from now on. */
	replaceSource(source: WatchSource, top: DirectoryNode): void {
		this.endBelow(top);
		this.#source = source;
		this.#failure = undefined;
	}

	/** Watches a directory, unless it is watched already or lies below the watch of a recursive source. */
	begin(directory: DirectoryNode): void {
		if (directory.unwatch || this.#failure !== undefined || (this.#source.isRecursive && directory.parent)) return;
		const source = this.#source;
		const isCurrent = () => this.#source === source;
		try {
			directory.unwatch = source.watch({
				path: directory.path,
				tree: this.#tree,
				happened: (name) => isCurrent() && this.#listener.happened(directory, name),
				failed: (error) => isCurrent() && this.failed(directory, error),
			});
			this.#size++;
		} catch (error) {
			this.failed(directory, error as Error);
		}
	}

	/** Ends the watch on a directory after an error, and begins no other unless the error is the directory's own. */
	failed(directory: DirectoryNode, error: NodeJS.ErrnoException): void {
		this.end(directory);
		// It is gone, which the watch on its parent tells, or may not be read.
		if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EACCES") return;
		if (this.#failure === undefined)
			this.#log?.("watching is degraded", { root: this.#tree.root, reason: error.message });
		this.#failure ??= error.code ?? error.message;
		this.#listener.lost();
	}

	end(directory: DirectoryNode): void {
		if (!directory.unwatch) return;
		directory.unwatch();
		directory.unwatch = undefined;
		this.#size--;
		this.#listener.lost();
	}

	endBelow(directory: DirectoryNode): void {
		this.end(directory);
		for (const below of directory.directories.values()) this.endBelow(below);
	}
}
