import { stampOfStats, statOf } from "../../util/files.ts";
import { readText } from "../../util/read-file.ts";
import type { TimeSlices } from "../../util/time-slices.ts";
import { IdentifierScan } from "../outline/identifier-filter.ts";
import { ImportTable } from "./import-table.ts";
import { placeOf } from "./import-targets.ts";
import { hasImports, type Imports, importsOf } from "./imports.ts";
import { meaningOf } from "./meaning.ts";
import { familyOf } from "./sources.ts";

/** Of further files not even the paths are kept. */
const maxPaths = 100_000;
/** Bytes; what is longer was not written by anybody. */
const longest = 2 * 1024 * 1024;
const source = { maxBytes: longest, within: "anywhere" } as const;
/** Characters of a text whose meaning is told. */
const longestWithMeaning = 128 * 1024;
/** Characters that are read for identifiers at a stretch: about 2 ms. */
const stretch = 256 * 1024;

export interface Entry {
	readonly id: number;
	readonly path: string;
	readonly family: string;
	/** Undefined if the file was not read. */
	stamp: string | undefined;
	/** Undefined if it may hold any name. */
	filter: Uint8Array | undefined;
	/** The same for two texts that differ in comments and white space alone; undefined where that is not known. */
	meaning: string | undefined;
	/** When it was read last, in milliseconds since the epoch. */
	readAt: number;
}

/** Told of what the store notices. */
export interface StoreListener {
	/** A file or an import came or went. */
	importsChanged(): void;
	/** A text is another one, or gone. */
	textChanged(path: string): void;
}

/** What is kept of each source file of a tree: no texts, 10,000 files in some 15 MB. */
export class FileStore {
	readonly #listener: StoreListener;
	readonly #most: number;
	readonly entries = new Map<string, Entry>();
	readonly #byId: (Entry | undefined)[] = [];
	readonly #freeIds: number[] = [];
	readonly #tables = new Map<string, ImportTable>();
	#filesRead = 0;
	/** Of those that were not read before. */
	#beingRead = 0;

	/** `most`: so many files are read. */
	constructor(listener: StoreListener, most: number) {
		this.#listener = listener;
		this.#most = most;
	}

	/** False if there are more files than are read. */
	get isComplete(): boolean {
		return this.#filesRead === this.entries.size;
	}

	entryOf(id: number): Entry | undefined {
		return this.#byId[id];
	}

	/** Who imports files of the kind of `path`; all that is no source is imported by scripts. */
	tableFor(path: string): ImportTable | undefined {
		return this.#tables.get(familyOf(path) ?? "script");
	}

	/** Looks at a file, and reads it where it is another one than before, or in any case `isTold`: an event is believed. */
	async read(path: string, slices: TimeSlices, isTold = false): Promise<void> {
		const family = familyOf(path);
		if (family === undefined) return;
		const known = this.entries.get(path);
		if (known?.stamp !== undefined) return this.#read(path, family, slices, isTold);
		if (this.#filesRead + this.#beingRead >= this.#most) {
			if (!known && this.entries.size < maxPaths) this.#add(path, family);
			return;
		}
		this.#beingRead++;
		await this.#read(path, family, slices, isTold).finally(() => {
			this.#beingRead--;
		});
	}

	async #read(path: string, family: string, slices: TimeSlices, isTold: boolean): Promise<void> {
		const known = this.entries.get(path);
		const info = await statOf(path);
		const stamp = info && stampOfStats(info);
		// Two writes within one tick of the clock look the same.
		if (known?.stamp !== undefined && known.stamp === stamp && !isTold) return;
		const isReadable = info?.isFile() === true && info.size <= longest;
		const text = isReadable ? await readText(path, source) : undefined;
		if (stamp === undefined || (isReadable && text === undefined) || !info?.isFile()) return this.forget(path);
		this.#listener.textChanged(path);
		if (slices.isOver) await slices.next();
		const filter = text === undefined ? undefined : await filterOf(text, slices);
		const imports: Imports = text === undefined ? new Map() : importsOf(text, path);
		const entry = this.entries.get(path) ?? this.#add(path, family);
		if (entry.stamp === undefined) this.#filesRead++;
		entry.stamp = stamp;
		entry.readAt = Date.now();
		entry.filter = filter;
		entry.meaning = text === undefined || text.length > longestWithMeaning ? undefined : meaningOf(path, text);
		if (hasImports(path) && this.#tableOf(family).set(entry.id, imports)) this.#listener.importsChanged();
	}

	forget(path: string): void {
		const entry = this.entries.get(path);
		if (!entry) return;
		this.#listener.textChanged(path);
		this.#listener.importsChanged();
		const table = this.#tables.get(entry.family);
		table?.delete(entry.id);
		const place = placeOf(path);
		if (place !== undefined) table?.removePlace(place);
		if (entry.stamp !== undefined) this.#filesRead--;
		this.entries.delete(path);
		this.#byId[entry.id] = undefined;
		this.#freeIds.push(entry.id);
	}

	#add(path: string, family: string): Entry {
		const id = this.#freeIds.pop() ?? this.#byId.length;
		const entry = { id, path, family, stamp: undefined, filter: undefined, meaning: undefined, readAt: 0 };
		this.entries.set(path, entry);
		this.#byId[id] = entry;
		const place = placeOf(path);
		if (place !== undefined) this.#tableOf(family).addPlace(place);
		this.#listener.importsChanged();
		return entry;
	}

	#tableOf(family: string): ImportTable {
		const table = this.#tables.get(family) ?? new ImportTable(family === "python");
		this.#tables.set(family, table);
		return table;
	}
}

async function filterOf(text: string, slices: TimeSlices): Promise<Uint8Array> {
	const scan = new IdentifierScan();
	for (let at = 0; at < text.length; ) {
		at = scan.read(text, at, stretch);
		if (slices.isOver) await slices.next();
	}
	return scan.filter();
}
