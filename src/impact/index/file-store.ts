import { stampOfStats, statOf } from "../../util/files.ts";
import { readText } from "../../util/read-file.ts";
import type { TimeSlices } from "../../util/time-slices.ts";
import { IdentifierScan } from "../outline/identifier-filter.ts";
import { ImportTable } from "./import-table.ts";
import { locationKey } from "./import-targets.ts";
import { hasImports, type Imports, importsOf } from "./imports.ts";
import { meaningOf } from "./meaning.ts";
import { familyOf, isData } from "./sources.ts";

const maxPaths = 100_000;
const maxBytes = 2 * 1024 * 1024;
const source = { maxBytes, within: "anywhere" } as const;
const maxMeaningLength = 128 * 1024;
const stretch = 256 * 1024;

export interface Entry {
	readonly id: number;
	readonly path: string;
	readonly family: string;
	/** Undefined if unread. */
	stamp: string | undefined;
	/** Undefined: any name may be there. */
	filter: Uint8Array | undefined;
	meaning: string | undefined;
	/** Milliseconds since 1970. */
	readAt: number;
}

export class FileStore {
	readonly #maxFiles: number;
	readonly #onImportsChanged: () => void;
	readonly entries = new Map<string, Entry>();
	readonly #byId: (Entry | undefined)[] = [];
	readonly #freeIds: number[] = [];
	readonly #tables = new Map<string, ImportTable>();
	#filesRead = 0;
	#beingRead = 0;

	constructor(maxFiles: number, onImportsChanged: () => void) {
		this.#maxFiles = maxFiles;
		this.#onImportsChanged = onImportsChanged;
	}

	entryOf(id: number): Entry | undefined {
		return this.#byId[id];
	}

	tablesFor(path: string): ImportTable[] {
		const family = familyOf(path) ?? "script";
		const families = family === "data" ? [family, "script"] : [family];
		return families.flatMap((each) => this.#tables.get(each) ?? []);
	}

	async read(path: string, slices: TimeSlices, isChanged = false): Promise<void> {
		const family = familyOf(path);
		if (family === undefined) return;
		const known = this.entries.get(path);
		if (known?.stamp !== undefined) return this.#read(path, family, slices, isChanged);
		if (this.#filesRead + this.#beingRead >= this.#maxFiles) {
			if (!known && this.entries.size < maxPaths) this.#add(path, family);
			return;
		}
		this.#beingRead++;
		await this.#read(path, family, slices, isChanged).finally(() => {
			this.#beingRead--;
		});
	}

	async #read(path: string, family: string, slices: TimeSlices, isChanged: boolean): Promise<void> {
		const known = this.entries.get(path);
		const info = await statOf(path);
		const stamp = info && stampOfStats(info);
		// Two writes within one tick have the same stamp.
		if (known?.stamp !== undefined && known.stamp === stamp && !isChanged) return;
		const isReadable = info?.isFile() === true && info.size <= maxBytes;
		const text = isReadable ? await readText(path, source) : undefined;
		if (stamp === undefined || (isReadable && text === undefined) || !info?.isFile()) return this.forget(path);
		if (slices.isOver) await slices.next();
		const filter = text === undefined || isData(path) ? undefined : await filterOf(text, slices);
		const imports: Imports = text === undefined ? new Map() : importsOf(text, path);
		const entry = this.entries.get(path) ?? this.#add(path, family);
		if (entry.stamp === undefined) this.#filesRead++;
		entry.stamp = stamp;
		entry.readAt = Date.now();
		entry.filter = filter;
		const hasMeaning = text !== undefined && text.length <= maxMeaningLength && !isData(path);
		entry.meaning = hasMeaning ? meaningOf(path, text) : undefined;
		if (hasImports(path) && this.#tableOf(family).set(entry.id, imports)) this.#onImportsChanged();
	}

	forget(path: string): void {
		const entry = this.entries.get(path);
		if (!entry) return;
		this.#onImportsChanged();
		const table = this.#tables.get(entry.family);
		table?.delete(entry.id);
		const location = locationKey(path);
		if (location !== undefined) table?.removeLocation(location);
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
		const location = locationKey(path);
		if (location !== undefined) this.#tableOf(family).addLocation(location);
		this.#onImportsChanged();
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
