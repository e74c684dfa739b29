import type { WriteEvent } from "../util/log.ts";
import type { DirectoryNode } from "./directory-node.ts";
import type { SourceTree, WatchSource } from "./source.ts";

export interface WatchListener {
	happened(directory: DirectoryNode, name: string | undefined): void;
	lost(): void;
}

export class DirectoryWatches {
	readonly #tree: SourceTree & { readonly root: string };
	readonly #listener: WatchListener;
	readonly #log: WriteEvent | undefined;
	source: WatchSource;
	failure: string | undefined;
	size = 0;

	constructor(
		source: WatchSource,
		tree: SourceTree & { readonly root: string },
		listener: WatchListener,
		log: WriteEvent | undefined,
	) {
		this.source = source;
		this.#tree = tree;
		this.#listener = listener;
		this.#log = log;
	}

	replaceSource(source: WatchSource, top: DirectoryNode): void {
		this.endBelow(top);
		this.source = source;
		this.failure = undefined;
	}

	/** A recursive source watches only the root. */
	begin(directory: DirectoryNode): void {
		if (directory.unwatch || this.failure !== undefined || (this.source.isRecursive && directory.parent)) return;
		const source = this.source;
		const isCurrent = () => this.source === source;
		try {
			directory.unwatch = source.watch({
				path: directory.path,
				tree: this.#tree,
				happened: (name) => isCurrent() && this.#listener.happened(directory, name),
				failed: (error) => isCurrent() && this.failed(directory, error),
			});
			this.size++;
		} catch (error) {
			this.failed(directory, error as Error);
		}
	}

	failed(directory: DirectoryNode, error: NodeJS.ErrnoException): void {
		this.end(directory);
		if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EACCES") return;
		if (this.failure === undefined)
			this.#log?.("watching is degraded", { root: this.#tree.root, reason: error.message });
		this.failure ??= error.code ?? error.message;
		this.#listener.lost();
	}

	end(directory: DirectoryNode): void {
		if (!directory.unwatch) return;
		directory.unwatch();
		directory.unwatch = undefined;
		this.size--;
		this.#listener.lost();
	}

	endBelow(directory: DirectoryNode): void {
		this.end(directory);
		for (const below of directory.directories.values()) this.endBelow(below);
	}
}
