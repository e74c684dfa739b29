import type { Stats } from "node:fs";
import { join, sep } from "node:path";
import type { WriteEvent } from "../util/log.ts";
import { isInside } from "../util/paths.ts";
import type { Change, ChangeKind } from "./batch.ts";
import { Debounce } from "./debounce.ts";
import {
	countFiles,
	type DirectoryNode,
	deepestKnown,
	entriesOf,
	findDirectory,
	identityOf,
	isFile,
	newDirectory,
	stampOf,
	statOf,
	tickMs,
} from "./directory-node.ts";
import { DirectoryWatches } from "./directory-watches.ts";
import type { EventBarrier } from "./event-barrier.ts";
import { installMarkers, isPackage, NodeModules } from "./node-modules.ts";
import { Selection } from "./selection.ts";
import { sources, type WatchSource } from "./source.ts";
import { WorkQueue } from "./work-queue.ts";

/**
 * `starting`: not scanned, or no event yet. `degraded`: events may be missing, so every `settle` compares the tree with
 * the disk.
 */
export type TreeState = "starting" | "ready" | "degraded" | "closed";

export interface TreeOptions {
	readonly barrier: EventBarrier;
	readonly source?: WatchSource;
	readonly hasTrust?: boolean;
	/** In ms since 1970; listeners know earlier changes. */
	readonly since: number;
	readonly isCode: (name: string) => boolean;
	readonly onChange: (change: Change) => void;
	readonly onLoss?: () => void;
	/** Gets the root, and the first directory on each file system. */
	readonly onFileSystem?: (directory: string) => void;
	/** False: only the root's files, and its `node_modules`. */
	readonly deep?: boolean;
	readonly log?: WriteEvent;
}

/** `scan` reports young files, `new` all. `sweep` compares with what is known, `catch-up` with a time. */
type Reading = "scan" | "new" | "sweep" | "catch-up";

const maxScanMs = 5000;

export class TreeWatcher {
	readonly root: string;
	readonly #options: TreeOptions;
	readonly #selection: Selection;
	readonly #packages: NodeModules;
	readonly #top: DirectoryNode;
	readonly #queue = new WorkQueue();
	readonly #events: { readonly directory: DirectoryNode; readonly name: string }[] = [];
	readonly #debounce = new Debounce(() => this.#processEvents());
	readonly #stopListening: () => void;
	readonly #watches: DirectoryWatches;
	readonly #devices = new Set<number>();
	#trustsEvents: boolean;
	#isScanned = false;
	#isLate = false;
	/** In ms since 1970; earlier changes were reported. */
	#since: number;
	#waitingSweep: Promise<void> | undefined;
	readonly #scanned: Promise<void>;
	/** In ms since 1970. */
	#scannedAt = Number.POSITIVE_INFINITY;

	constructor(root: string, options: TreeOptions) {
		this.root = root;
		this.#options = options;
		this.#trustsEvents = options.hasTrust ?? true;
		this.#since = options.since;
		this.#selection = new Selection(root, options.deep !== false, options.isCode);
		this.#packages = new NodeModules(root, options.isCode);
		this.#top = newDirectory(undefined, root, "", "code");
		const tree = {
			root,
			scanned: () => this.#scanned,
			countFiles: () => countFiles(this.#top),
			wants: (path: string, isDirectory: boolean) => this.#selection.wants(this.#top, path, isDirectory),
		};
		const listener = {
			happened: (directory: DirectoryNode, name: string | undefined) => this.#happened(directory, name),
			lost: () => options.onLoss?.(),
		};
		this.#watches = new DirectoryWatches(options.source ?? sources.native, tree, listener, options.log);
		this.#stopListening = options.barrier.onOverflow(() => void this.#sweep());
		this.#scanned = this.#walk("scan").then(() => {
			this.#isScanned = true;
			this.#scannedAt = Date.now();
		});
	}

	get state(): TreeState {
		if (this.#queue.isClosed) return "closed";
		if (!this.#isScanned || (this.source.isOrdered && !this.#trustsEvents)) return "starting";
		return this.source.isOrdered && this.reason === undefined ? "ready" : "degraded";
	}

	get reason(): string | undefined {
		if (this.#watches.failure !== undefined) return this.#watches.failure;
		return this.#top.gone ? "the directory is gone" : this.#isLate ? "events come late" : undefined;
	}

	get source(): WatchSource {
		return this.#watches.source;
	}

	get directories(): number {
		return this.#watches.size;
	}

	/** In ms since 1970. */
	isCompleteSince(time: number): boolean {
		return this.state === "ready" && this.#scannedAt < time;
	}

	trustEvents(): void {
		this.#trustsEvents = true;
	}

	watchWith(source: WatchSource, hasTrust: boolean): void {
		if (this.#queue.isClosed) return;
		this.#watches.replaceSource(source, this.#top);
		this.#trustsEvents = hasTrust;
		this.#isLate = false;
		this.#devices.clear();
		void this.#sweep();
	}

	/** Resolves when every earlier change is reported; in the first scan after 5 s, with `hurry` at once. */
	async settle(hurry = false): Promise<void> {
		if (!this.#isScanned && !hurry) await this.#waitForScan();
		if (!this.#isScanned || this.#queue.isClosed) return;
		if (!this.source.isOrdered || !this.#trustsEvents || this.#watches.failure !== undefined || this.#top.gone)
			return this.#sweep();
		const now = Date.now();
		this.#isLate = !(await this.#options.barrier.pass());
		if (this.#isLate) {
			this.#options.onLoss?.();
			return this.#sweep();
		}
		this.#processEvents();
		await this.#queue.done;
		this.#since = Math.max(this.#since, now);
	}

	async #waitForScan(): Promise<void> {
		let timer: NodeJS.Timeout | undefined;
		const timeout = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, maxScanMs);
		});
		await Promise.race([this.#scanned, timeout]);
		clearTimeout(timer);
	}

	covers(path: string): boolean {
		if (this.state !== "ready") return false;
		const cut = path.lastIndexOf(sep);
		const directory = findDirectory(this.#top, path.slice(0, cut));
		return directory?.kind === "code" && directory.unwatch !== undefined && directory.files.has(path.slice(cut + 1));
	}

	coversAll(directory: string): boolean {
		return this.state === "ready" && this.#options.deep !== false && isInside(directory, this.root);
	}

	/** Reports changes as `refreshed`; `since` is in ms since 1970. */
	catchUp(since: number): Promise<void> {
		return this.#walk("catch-up", since);
	}

	close(): void {
		if (this.#queue.isClosed) return;
		this.#queue.close();
		this.#debounce.cancel();
		this.#options.onLoss?.();
		this.#stopListening();
		this.#watches.endBelow(this.#top);
	}

	#sweep(): Promise<void> {
		this.#waitingSweep ??= this.#walk("sweep");
		return this.#waitingSweep;
	}

	async #walk(reading: Reading, since?: number): Promise<void> {
		let began = 0;
		this.#processEvents();
		await this.#queue.add(async () => {
			if (reading === "sweep") this.#waitingSweep = undefined;
			began = Date.now();
			this.#since = since ?? this.#since;
			this.#packages.begin();
			await this.#read(this.#top, reading);
		});
		this.#since = Math.max(this.#since, began);
	}

	#happened(directory: DirectoryNode, name: string | undefined): void {
		this.#options.barrier.count();
		if (name === undefined) {
			void this.#sweep();
			return;
		}
		const [parent, entry] = this.source.isRecursive ? deepestKnown(directory, name) : [directory, name];
		if (parent.gone || parent.pending.has(entry)) return;
		parent.pending.add(entry);
		this.#events.push({ directory: parent, name: entry });
		this.#debounce.happened();
	}

	#processEvents(): void {
		if (this.#events.length === 0) return;
		this.#debounce.cancel();
		for (const { directory, name } of this.#events.splice(0))
			void this.#queue.add(async () => {
				directory.pending.delete(name);
				if (!directory.gone) await this.#processEvent(directory, name);
			});
	}

	async #processEvent(directory: DirectoryNode, name: string): Promise<void> {
		this.#packages.begin();
		const info = statOf(join(directory.path, name));
		if (!info) this.#remove(directory, name);
		else if (info.isDirectory()) {
			const known = directory.directories.get(name);
			if (!known?.unwatch || known.identity !== identityOf(info)) await this.#foundDirectory(directory, name, "new");
		} else if (isFile(info) && this.#foundFile(directory, name, info, "new")) await this.#read(directory, "new");
		// No parent of the root reports its loss.
		if (directory === this.#top && !info && !statOf(this.root)) this.#lose(directory);
		if (name === ".gitignore" || (directory.kind === "packages" && installMarkers.has(name)))
			await this.#read(directory, "sweep");
	}

	#foundFile(directory: DirectoryNode, name: string, info: Stats | undefined, reading: Reading): boolean {
		if (isPackage(directory, name)) {
			this.#foundPackage(directory, name, reading);
			return false;
		}
		if (directory.kind === "ignored") {
			if (reading !== "new" || !this.#options.isCode(name)) return false;
			directory.kind = "code";
			return true;
		}
		if (directory.directories.has(name)) this.#remove(directory, name);
		const known = directory.files.get(name);
		const path = join(directory.path, name);
		this.#packages.follow(path, info ?? statOf(path));
		directory.files.set(name, info ? stampOf(info) : 0);
		const isYoung = info !== undefined && info.ctimeMs >= this.#since - tickMs;
		if (reading === "scan" || (reading === "catch-up" && known !== undefined)) {
			if (isYoung) this.#report(directory, name, "refreshed");
		} else if (known === undefined) this.#report(directory, name, "created");
		// Two writes within one tick have the same time, so an event counts as a change.
		else if (reading === "new" || (known === 0 ? isYoung : info?.ctimeMs !== known))
			this.#report(directory, name, "changed");
		return false;
	}

	#foundPackage(directory: DirectoryNode, name: string, reading: Reading): void {
		const isKnown = directory.files.has(name);
		const byTime = reading === "scan" || (reading === "catch-up" && isKnown);
		const changes =
			byTime || isKnown
				? this.#packages.compare(directory, name, { isEvent: reading === "new", since: this.#since, byTime })
				: this.#packages.added(directory, name);
		for (const change of changes) this.#options.onChange(change);
	}

	async #foundDirectory(parent: DirectoryNode, name: string, reading: Reading): Promise<void> {
		const known = parent.directories.get(name);
		if (known) {
			if (known.kind === "ignored") known.kind = this.#selection.kindOf(parent, name, false) ?? "ignored";
			await this.#read(known, reading === "new" ? "sweep" : reading);
			return;
		}
		const kind = this.#selection.kindOf(parent, name, reading === "new");
		if (kind === undefined) {
			if (isPackage(parent, name)) this.#foundPackage(parent, name, reading);
			return;
		}
		if (parent.files.has(name)) this.#remove(parent, name);
		const directory = newDirectory(parent, join(parent.path, name), name, kind);
		parent.directories.set(name, directory);
		await this.#read(directory, reading === "scan" ? "scan" : "new");
	}

	async #read(directory: DirectoryNode, reading: Reading): Promise<void> {
		await this.#queue.pause();
		if (this.#queue.isClosed || (directory.gone && directory !== this.#top)) return;
		const info = statOf(directory.path);
		if (!info?.isDirectory()) {
			this.#lose(directory);
			return;
		}
		if (!this.#devices.has(info.dev)) {
			this.#devices.add(info.dev);
			this.#options.onFileSystem?.(directory.path);
		}
		const identity = identityOf(info);
		const isFirst = directory.identity === "";
		const isReplaced = !isFirst && directory.identity !== identity;
		directory.gone = false;
		if (isReplaced) this.#watches.end(directory);
		// Watching before reading misses no change.
		this.#watches.begin(directory);
		const entries = entriesOf(directory.path);
		if (!Array.isArray(entries)) {
			this.#watches.failed(directory, entries);
			return;
		}
		directory.identity = identity;
		const isChanged = isFirst || isReplaced;
		if (isChanged && entries.some(({ name }) => name === ".gitignore")) this.#selection.ignores.load(directory.path);
		let isCodeNow = false;
		for (const entry of entries)
			if (isFile(entry) && this.#readFile(directory, entry.name, isReplaced ? "new" : reading)) isCodeNow = true;
		if (!isFirst) {
			const names = new Set(entries.map(({ name }) => name));
			for (const name of [...directory.files.keys(), ...directory.directories.keys()])
				if (!names.has(name)) this.#remove(directory, name);
		}
		for (const entry of entries)
			if (entry.isDirectory() && directory.kind !== "ignored")
				await this.#foundDirectory(directory, entry.name, reading);
		if (isCodeNow) await this.#read(directory, "new");
	}

	#readFile(directory: DirectoryNode, name: string, reading: Reading): boolean {
		const isKnown = directory.files.has(name);
		const info = isKnown || reading === "scan" ? statOf(join(directory.path, name)) : undefined;
		return (info !== undefined || !isKnown) && this.#foundFile(directory, name, info, reading);
	}

	#remove(directory: DirectoryNode, name: string): void {
		this.#packages.unlinked(join(directory.path, name));
		if (directory.files.delete(name)) this.#report(directory, name, "deleted");
		const below = directory.directories.get(name);
		if (below) this.#lose(below);
	}

	#lose(directory: DirectoryNode): void {
		if (directory.gone) return;
		directory.gone = true;
		this.#options.onLoss?.();
		directory.parent?.directories.delete(directory.name);
		this.#watches.end(directory);
		this.#selection.ignores.unload(directory.path);
		for (const name of [...directory.files.keys(), ...directory.directories.keys()]) this.#remove(directory, name);
	}

	#report(directory: DirectoryNode, name: string, kind: ChangeKind): void {
		if (name === ".gitignore") this.#selection.ignores.load(directory.path);
		if (kind === "deleted" && isPackage(directory, name))
			for (const change of this.#packages.removed(directory, name)) this.#options.onChange(change);
		else {
			const path = join(directory.path, name);
			for (const each of [path, ...this.#packages.linkedPaths(path, kind)])
				this.#options.onChange({ path: each, kind });
		}
	}
}
