import type { Dirent, Stats } from "node:fs";
import { join, sep } from "node:path";
import type { WriteEvent } from "../util/log.ts";
import { isInside } from "../util/paths.ts";
import type { Change, ChangeKind } from "./batch.ts";
import {
	type DirectoryWatcher,
	entriesOf,
	type Folder,
	type FolderKind,
	identityOf,
	newFolder,
	nodeWatcher,
	stampOf,
	statOf,
	tickMs,
	watchesWholeTree,
} from "./directory-node.ts";
import type { EventBarrier } from "./event-barrier.ts";
import { FolderFinder, holderOf } from "./find-folder.ts";
import { holdsCode, Ignores, isForeignName } from "./ignores.ts";
import { installMarks, NodeModules } from "./node-modules.ts";
import { Quiet } from "./quiet.ts";
import { Slices } from "./slices.ts";

/** `degraded`: events may be missing, so every `settle` compares the tree with the disk. */
export type TreeState = "starting" | "ready" | "degraded" | "closed";

export interface TreeOptions {
	readonly queue: EventBarrier;
	/** What was on disk before this time (milliseconds since 1970) is known to whoever listens. */
	readonly since: number;
	/** True for names of files that the listeners' compilers read. */
	readonly isCode: (name: string) => boolean;
	readonly onChange: (change: Change) => void;
	/** Called with everything but a change that may make `covers` say no where it said yes. */
	readonly onLoss?: () => void;
	/** False to watch only the files of the root itself, and its `node_modules`. */
	readonly deep?: boolean;
	readonly watcher?: DirectoryWatcher;
	readonly log?: WriteEvent;
}

/**
 * How a directory is read. `scan`: what is there is known already, unless its time says otherwise. `new`: all of it has
 * just come. `sweep`: every file is compared with what is known of it. `catch-up`: by its time alone.
 */
type Reading = "scan" | "new" | "sweep" | "catch-up";

/**
 * The directories below a root, each with a watch of its own (a watch for each file costs 13 KB, and 5 s for a tree of
 * 5,000 files). Never throws and never gives up: without watches it sweeps.
 */
export class TreeWatcher {
	readonly root: string;
	readonly #options: TreeOptions;
	readonly #ignores: Ignores;
	readonly #packages: NodeModules;
	readonly #top: Folder;
	readonly #slices = new Slices();
	/** What events have told of and nobody has looked at yet. */
	readonly #told: { readonly folder: Folder; readonly name: string }[] = [];
	/**
	 * If nobody asks, events are looked at when they end: a command that writes hundreds of files tells of each several
	 * times, and of its temporary files, and is slowed down by whoever reads the same directories meanwhile.
	 */
	readonly #quiet = new Quiet(() => this.#lookAtTold());
	readonly #finder: FolderFinder;
	readonly #stopListening: () => void;
	#state: "starting" | "started" | "closed" = "starting";
	#broken: string | undefined;
	/** The last cookie did not come in time. */
	#late = false;
	#directories = 0;
	/** Everything that happened before this has been reported. */
	#since: number;
	#waitingSweep: Promise<void> | undefined;
	readonly #scanned: Promise<void>;
	/** When the first scan had ended, in milliseconds since the epoch. */
	#scannedAt = Number.POSITIVE_INFINITY;

	constructor(root: string, options: TreeOptions) {
		this.root = root;
		this.#options = options;
		this.#since = options.since;
		this.#ignores = new Ignores(root);
		this.#packages = new NodeModules(options.isCode);
		this.#top = newFolder(undefined, root, "", "code");
		this.#finder = new FolderFinder(this.#top);
		this.#stopListening = options.queue.onOverflow(() => void this.#sweep());
		this.#scanned = this.#walk("scan").then(() => {
			if (this.#state === "starting") this.#state = "started";
			this.#scannedAt = Date.now();
		});
	}

	get state(): TreeState {
		if (this.#state !== "started") return this.#state;
		return this.reason === undefined ? "ready" : "degraded";
	}

	/** True if events have told everything since a time (milliseconds since the epoch), and still do. */
	toldSince(time: number): boolean {
		return this.state === "ready" && this.#scannedAt < time;
	}

	/** Why the tree is degraded, for a status. */
	get reason(): string | undefined {
		return this.#broken ?? (this.#top.gone ? "the directory is gone" : this.#late ? "events come late" : undefined);
	}

	/** The number of directories with a watch. */
	get directories(): number {
		return this.#directories;
	}

	/**
	 * Resolves when everything that happened on disk before the call has been reported. With `hurry` at once while the
	 * first scan is running: what is missed meanwhile is caught up with.
	 */
	async settle(hurry = false): Promise<void> {
		if (this.#state === "starting" && !hurry) await this.#scanned;
		if (this.#state !== "started") return;
		if (this.#broken !== undefined || this.#top.gone) return this.#sweep();
		const now = Date.now();
		this.#late = !(await this.#options.queue.pass());
		if (this.#late) {
			this.#options.onLoss?.();
			return this.#sweep();
		}
		this.#lookAtTold();
		await this.#slices.reached();
		this.#since = Math.max(this.#since, now);
	}

	/** True if every change of this file is reported: all of its directories are watched, and no event may be missing. */
	covers(path: string): boolean {
		if (this.state !== "ready") return false;
		const cut = path.lastIndexOf(sep);
		const folder = this.#finder.find(path.slice(0, cut));
		if (folder?.kind !== "code" || (folder.unwatch === undefined && !watchesWholeTree)) return false;
		return folder.files.has(path.slice(cut + 1));
	}

	/** True if every change below a directory is reported. */
	holdsAll(directory: string): boolean {
		return this.state === "ready" && this.#options.deep !== false && isInside(directory, this.root);
	}

	/** Reports what changed at or after `since` as `refreshed`, for listeners that came later than that. */
	catchUp(since: number): Promise<void> {
		return this.#walk("catch-up", since);
	}

	close(): void {
		if (this.#state === "closed") return;
		this.#state = "closed";
		this.#quiet.stop();
		this.#options.onLoss?.();
		this.#stopListening();
		this.#slices.close();
		this.#forgetWatches(this.#top);
	}

	/** A sweep that begins after this call; who comes before it has begun shares it. */
	#sweep(): Promise<void> {
		this.#waitingSweep ??= this.#walk("sweep");
		return this.#waitingSweep;
	}

	/** Reads the whole tree, after what stands in the queue. */
	async #walk(reading: Reading, since?: number): Promise<void> {
		let began = 0;
		this.#lookAtTold();
		await new Promise<void>((done) => {
			this.#slices.add(() => {
				if (reading === "sweep") this.#waitingSweep = undefined;
				began = Date.now();
				this.#since = since ?? this.#since;
				this.#packages.begin();
				this.#read(this.#top, reading);
			}, done);
		});
		this.#since = Math.max(this.#since, began);
	}

	#happened(folder: Folder, name: string | undefined): void {
		this.#options.queue.count();
		if (name === undefined) {
			void this.#sweep();
			return;
		}
		const [holder, entry] = watchesWholeTree ? holderOf(folder, name) : [folder, name];
		if (holder.gone || holder.queued.has(entry)) return;
		holder.queued.add(entry);
		this.#told.push({ folder: holder, name: entry });
		this.#quiet.happened();
	}

	/** Puts what events have told of in the queue. */
	#lookAtTold(): void {
		this.#quiet.stop();
		for (const { folder, name } of this.#told.splice(0))
			this.#slices.add(() => {
				folder.queued.delete(name);
				if (!folder.gone) this.#look(folder, name);
			});
	}

	/** Compares one name with the disk, after an event. */
	#look(folder: Folder, name: string): void {
		this.#packages.begin();
		const info = statOf(join(folder.path, name));
		if (!info) this.#remove(folder, name);
		else if (info.isDirectory()) {
			const known = folder.folders.get(name);
			if (!known?.unwatch || known.identity !== identityOf(info)) this.#foundFolder(folder, name, "new");
		} else if (isFile(info)) this.#foundFile(folder, name, info, "new");
		// A watch that ends tells its own directory's name; of the root nobody else would say that it is gone.
		if (folder === this.#top && !info && !statOf(this.root)) this.#lose(folder);
		if (name === ".gitignore") this.#ignores.load(folder.path);
		if (name === ".gitignore" || (folder.kind === "packages" && installMarks.has(name)))
			this.#slices.nest(() => this.#read(folder, "sweep"));
	}

	#foundFile(folder: Folder, name: string, info: Stats | undefined, reading: Reading): void {
		if (this.#packages.isPackage(folder, name)) {
			this.#foundPackage(folder, name, reading);
			return;
		}
		if (folder.kind === "fringe") {
			if (reading !== "new" || !this.#options.isCode(name)) return;
			folder.kind = "code";
			this.#slices.nest(() => this.#read(folder, "new"));
			return;
		}
		if (folder.folders.has(name)) this.#remove(folder, name);
		const known = folder.files.get(name);
		folder.files.set(name, info ? stampOf(info) : 0);
		const late = info !== undefined && info.ctimeMs >= this.#since - tickMs;
		if (reading === "scan" || (reading === "catch-up" && known !== undefined)) {
			if (late) this.#report(folder, name, "refreshed");
		} else if (known === undefined) this.#report(folder, name, "created");
		// An event is believed: two writes within one tick have the same time.
		else if (reading === "new" || (known === 0 ? late : info?.ctimeMs !== known)) this.#report(folder, name, "changed");
	}

	#foundPackage(folder: Folder, name: string, reading: Reading): void {
		const byTime = reading === "scan" || (reading === "catch-up" && folder.files.has(name));
		const changes =
			byTime || folder.files.has(name)
				? this.#packages.compared(folder, name, reading === "new", this.#since, byTime)
				: this.#packages.appeared(folder, name);
		for (const change of changes) this.#options.onChange(change);
	}

	#foundFolder(parent: Folder, name: string, reading: Reading): void {
		const known = parent.folders.get(name);
		if (known) {
			if (known.kind === "fringe") known.kind = this.#kindOf(parent, name, false) ?? "fringe";
			const next = reading === "new" ? "sweep" : reading;
			this.#slices.nest(() => this.#read(known, next));
			return;
		}
		const kind = this.#kindOf(parent, name, reading === "new");
		if (kind === undefined) {
			if (this.#packages.isPackage(parent, name)) this.#foundPackage(parent, name, reading);
			return;
		}
		if (parent.files.has(name)) this.#remove(parent, name);
		const folder = newFolder(parent, join(parent.path, name), name, kind);
		parent.folders.set(name, folder);
		this.#slices.nest(() => this.#read(folder, reading === "scan" ? "scan" : "new"));
	}

	/** How a directory is watched; undefined for not at all. What newly appears is watched even if git ignores it. */
	#kindOf(parent: Folder, name: string, isNew: boolean): FolderKind | undefined {
		if (parent.kind === "packages")
			return name.startsWith("@") && parent.name === "node_modules" ? "packages" : undefined;
		if (name === "node_modules") return "packages";
		if (this.#options.deep === false || isForeignName(name)) return undefined;
		const path = join(parent.path, name);
		if (isNew || !this.#ignores.ignores(path) || holdsCode(path, this.#options.isCode)) return "code";
		return "fringe";
	}

	/** Reads a directory (again) and compares its names; what is below it follows. */
	#read(folder: Folder, reading: Reading): void {
		if (folder.gone && folder !== this.#top) return;
		const info = statOf(folder.path);
		if (!info?.isDirectory()) {
			this.#lose(folder);
			return;
		}
		const identity = identityOf(info);
		const first = folder.identity === "";
		const replaced = !first && folder.identity !== identity;
		folder.gone = false;
		if (replaced) this.#endWatch(folder);
		// Watch first, read then: what comes in between is in both, and is reported once.
		this.#watch(folder);
		const entries = entriesOf(folder.path);
		// Out of descriptors, most likely. Names that could not be read are not names that are gone.
		if (!Array.isArray(entries)) {
			this.#failed(folder, entries);
			return;
		}
		folder.identity = identity;
		if ((first || replaced) && entries.some(({ name }) => name === ".gitignore")) this.#ignores.load(folder.path);
		const seen = new Set<string>();
		for (const entry of entries) {
			seen.add(entry.name);
			if (!entry.isDirectory()) {
				if (isFile(entry)) this.#readFile(folder, entry.name, replaced ? "new" : reading);
			} else if (folder.kind !== "fringe") this.#foundFolder(folder, entry.name, reading);
		}
		if (first) return;
		for (const name of [...folder.files.keys(), ...folder.folders.keys()])
			if (!seen.has(name)) this.#remove(folder, name);
	}

	#readFile(folder: Folder, name: string, reading: Reading): void {
		// A name that nobody knew yet needs no stat; that would be most of the time that a scan takes.
		const known = folder.files.has(name);
		// What is new needs no times.
		const info = known || reading === "scan" ? statOf(join(folder.path, name)) : undefined;
		if (info || !known) this.#foundFile(folder, name, info, reading);
	}

	#remove(folder: Folder, name: string): void {
		if (folder.files.delete(name)) this.#report(folder, name, "deleted");
		const below = folder.folders.get(name);
		if (below) this.#lose(below);
	}

	/** A directory is gone, and so are its files. */
	#lose(folder: Folder): void {
		if (folder.gone) return;
		folder.gone = true;
		this.#options.onLoss?.();
		folder.parent?.folders.delete(folder.name);
		this.#endWatch(folder);
		this.#ignores.unload(folder.path);
		for (const name of [...folder.files.keys(), ...folder.folders.keys()]) this.#remove(folder, name);
	}

	#report(folder: Folder, name: string, kind: ChangeKind): void {
		if (kind === "deleted" && this.#packages.isPackage(folder, name))
			for (const change of this.#packages.disappeared(folder, name)) this.#options.onChange(change);
		else this.#options.onChange({ path: join(folder.path, name), kind });
	}

	#watch(folder: Folder): void {
		if (folder.unwatch || this.#broken !== undefined || (watchesWholeTree && folder !== this.#top)) return;
		try {
			folder.unwatch = (this.#options.watcher ?? nodeWatcher)(
				folder.path,
				(name) => this.#happened(folder, name),
				(error) => this.#failed(folder, error),
			);
			this.#directories++;
		} catch (error) {
			this.#failed(folder, error as Error);
		}
	}

	#failed(folder: Folder, error: NodeJS.ErrnoException): void {
		this.#endWatch(folder);
		// Gone before it could be watched, or not ours to read: its parent tells, or nobody can.
		if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EACCES") return;
		if (this.#broken === undefined)
			this.#options.log?.("watching is degraded", { root: this.root, reason: error.message });
		this.#broken ??= error.code ?? error.message;
		this.#options.onLoss?.();
	}

	#endWatch(folder: Folder): void {
		if (!folder.unwatch) return;
		folder.unwatch();
		folder.unwatch = undefined;
		this.#directories--;
		this.#options.onLoss?.();
	}

	#forgetWatches(folder: Folder): void {
		this.#endWatch(folder);
		for (const below of folder.folders.values()) this.#forgetWatches(below);
	}
}

function isFile(entry: Dirent | Stats): boolean {
	return entry.isFile() || entry.isSymbolicLink();
}
