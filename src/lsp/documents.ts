import { TextDocumentSyncKind } from "../contract/protocol-kinds.ts";
import { stampOf } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { Locks } from "../util/locks.ts";
import { type PositionEncoding, toUri } from "../util/positions.ts";
import { anySource, readText, withoutMark } from "../util/read-file.ts";
import { smallestChange } from "./smallest-change.ts";
import { Snapshot } from "./snapshot.ts";
import { hasSeparators } from "./tsserver-lines.ts";

export interface OpenDocument {
	readonly path: string;
	readonly uri: string;
	readonly languageId: string;
	readonly version: number;
	readonly text: string;
	readonly hash: string;
	/** By performance.now(). */
	readonly sentAt: number;
}

interface Entry extends OpenDocument {
	/** Undefined if `text` is not the file's. */
	readonly stamp: string | undefined;
	readonly opening: number;
	/** By performance.now(). */
	readonly openedAt: number;
}

const maxAsked = 1000;

const sweepMs = 1000;

export interface DocumentWire {
	notify(method: string, params: unknown): void;
	readonly encoding: () => PositionEncoding;
	readonly changeKind: () => number;
	/** tsserver changes wrong lines of a text with U+2028. */
	readonly isTsserver: boolean;
	/** clangd keeps the text before if the size is the same (docs/facts.md, 16). */
	readonly comparesSizes: boolean;
	readonly saveWithText: () => boolean | undefined;
}

export class Documents {
	readonly #wire: DocumentWire;
	readonly #snapshot: Snapshot;
	readonly #maximum: number;
	readonly #open = new Map<string, Entry>();
	readonly #held = new Map<string, number>();
	readonly #overlaid = new Map<string, Entry | undefined>();
	readonly #changed = new Set<string>();
	readonly #asked = new Set<string>();
	/** By path: last change to another text of an earlier size; by performance.now(). */
	readonly #sameSize = new Map<string, number>();
	/** In bytes. A half-written file has other sizes. */
	readonly #sizes = new Map<string, Set<number>>();
	readonly #locks = new Locks();
	readonly #refreshing = new Map<string, Promise<void>>();
	#round: Promise<void> | undefined;
	#sweep: NodeJS.Timeout | undefined;
	#lastVersion = 0;

	constructor(wire: DocumentWire, snapshot = new Snapshot(), maximum = 64) {
		this.#wire = wire;
		this.#snapshot = snapshot;
		this.#maximum = maximum;
	}

	examine: ((path: string, text: string) => void) | undefined;

	/** Whether `changed` is called for all changes. */
	isWatched: (path: string) => boolean = () => false;

	get(path: string): OpenDocument | undefined {
		return this.#open.get(path);
	}

	opening(path: string): number | undefined {
		return this.#open.get(path)?.opening;
	}

	/** False for a text that only the server has. */
	isFromDisk(path: string): boolean {
		return this.#open.get(path)?.stamp !== undefined;
	}

	get size(): number {
		return this.#open.size;
	}

	paths(): string[] {
		return [...this.#open.keys()];
	}

	askedAbout(path: string): void {
		this.#asked.delete(path);
		this.#asked.add(path);
		for (const oldest of this.#asked) if (this.#asked.size > maxAsked) this.#asked.delete(oldest);
	}

	askedPaths(): string[] {
		return this.paths().filter((path) => this.#asked.has(path));
	}

	#addSize(path: string, bytes: number, sentAt: number): void {
		const sizes = this.#sizes.get(path) ?? new Set();
		if (sizes.has(bytes)) this.#sameSize.set(path, sentAt);
		this.#sizes.set(path, sizes.add(bytes));
	}

	sameSizeTimes(but: string): number[] {
		return [...this.#sameSize].flatMap(([path, at]) => (path === but ? [] : [at]));
	}

	/** By performance.now(). */
	openedSince(time: number): OpenDocument[] {
		return [...this.#open.values()].filter(({ openedAt }) => openedAt > time);
	}

	/** Sends nothing if the server has the text. Throws like `examine`. */
	set(path: string, languageId: string, content: string, stamp?: string): OpenDocument {
		const text = withoutMark(content);
		this.examine?.(path, text);
		const known = this.#open.get(path);
		const hash = known?.text === text ? known.hash : hashOf(text);
		const isSame = known?.hash === hash;
		const reopens = known !== undefined && !isSame && this.#wire.isTsserver && hasSeparators(known.text);
		// Some servers compare versions across a close.
		const version = known && isSame ? known.version : ++this.#lastVersion;
		const sentAt = known && isSame ? known.sentAt : performance.now();
		const keepsOpening = known !== undefined && !reopens;
		const entry: Entry = {
			path,
			uri: known?.uri ?? toUri(path),
			languageId,
			version,
			text,
			hash,
			sentAt,
			stamp,
			opening: keepsOpening ? known.opening : version,
			openedAt: keepsOpening ? known.openedAt : sentAt,
		};
		this.#open.delete(path);
		this.#open.set(path, entry);
		if (!isSame) {
			if ((!known && stamp !== undefined) || this.#overlaid.has(path)) this.#snapshot.touched();
			else this.#snapshot.textChanged(path, known, entry);
			if (this.#wire.comparesSizes) this.#addSize(path, Buffer.byteLength(text), entry.sentAt);
			if (reopens) this.#sendClose(known);
			if (!known || reopens) this.#sendOpen(entry);
			else this.#sendChange(known, entry);
		}
		this.#closeOldest();
		return entry;
	}

	/**
	 * Sends texts, unknown to the snapshot, until the result restores the documents. One at a time. Throws like
	 * `examine`.
	 */
	overlay(texts: ReadonlyMap<string, string>, languageOf: (path: string) => string): () => void {
		for (const [path, text] of texts) this.examine?.(path, text);
		for (const path of texts.keys()) this.#overlaid.set(path, this.#open.get(path));
		for (const [path, text] of texts) this.set(path, this.#overlaid.get(path)?.languageId ?? languageOf(path), text);
		return () => {
			for (const [path, entry] of this.#overlaid)
				if (entry) this.set(path, entry.languageId, entry.text, entry.stamp);
				else this.close(path);
			this.#overlaid.clear();
		};
	}

	isOverlaid(path: string): boolean {
		return this.#overlaid.has(path);
	}

	async hold<T>(path: string, work: () => Promise<T>): Promise<T> {
		this.#held.set(path, (this.#held.get(path) ?? 0) + 1);
		try {
			return await work();
		} finally {
			const left = (this.#held.get(path) ?? 1) - 1;
			if (left > 0) this.#held.set(path, left);
			else this.#held.delete(path);
			this.#closeOldest();
		}
	}

	exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
		return this.#locks.run(path, () => this.hold(path, work));
	}

	#closeOldest(): void {
		if (this.#open.size <= this.#maximum) return;
		for (const path of this.#open.keys()) {
			if (this.#held.has(path) || this.#overlaid.has(path)) continue;
			this.close(path);
			if (this.#open.size <= this.#maximum) return;
		}
	}

	/** `resend` must follow. */
	sendOther(path: string, text: string): void {
		const known = this.#open.get(path);
		if (!known) return;
		this.#snapshot.touched();
		this.#sendFull(known.uri, ++this.#lastVersion, text);
	}

	resend(path: string): OpenDocument | undefined {
		const known = this.#open.get(path);
		if (!known) return undefined;
		this.#snapshot.touched();
		const reopens = this.#wire.isTsserver && hasSeparators(known.text);
		const version = ++this.#lastVersion;
		const sentAt = performance.now();
		const opening = reopens ? { opening: version, openedAt: sentAt } : {};
		const entry = { ...known, version, sentAt, ...opening };
		this.#open.set(path, entry);
		const { uri, text } = entry;
		if (reopens) {
			this.#sendClose(known);
			this.#sendOpen(entry);
		} else this.#sendFull(uri, version, text);
		return entry;
	}

	#sendFull(uri: string, version: number, text: string): void {
		this.#wire.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
	}

	save(path: string): void {
		const entry = this.#open.get(path);
		const withText = this.#wire.saveWithText();
		if (!entry || withText === undefined) return;
		this.#wire.notify("textDocument/didSave", {
			textDocument: { uri: entry.uri },
			...(withText ? { text: entry.text } : {}),
		});
	}

	close(path: string): void {
		const entry = this.#open.get(path);
		if (!entry) return;
		this.#open.delete(path);
		this.#changed.delete(path);
		this.#asked.delete(path);
		this.#sameSize.delete(path);
		this.#sizes.delete(path);
		if (entry.stamp !== undefined || this.#overlaid.has(path)) this.#snapshot.touched();
		else this.#snapshot.textChanged(path, entry, undefined);
		this.#sendClose(entry);
	}

	reopen(paths = this.paths()): void {
		for (const entry of paths.flatMap((path) => this.#open.get(path) ?? [])) {
			this.#snapshot.touched();
			this.#sendClose(entry);
			const version = ++this.#lastVersion;
			const sentAt = performance.now();
			const opened = { ...entry, version, opening: version, sentAt, openedAt: sentAt };
			this.#open.set(entry.path, opened);
			this.#sendOpen(opened);
		}
	}

	/** To the text on disk, except `but`; waits for callers of `exclusively`. */
	async refresh(but?: string): Promise<void> {
		const stale = [...this.#open.values()].filter((entry) => entry.path !== but && this.#mayBeStale(entry));
		await Promise.all(stale.map(({ path }) => this.#refreshing.get(path) ?? this.#queueRefresh(path)));
		this.#sweepLater();
	}

	#mayBeStale({ path, stamp }: Entry): boolean {
		return stamp === undefined || this.#changed.has(path) || !this.isWatched(path);
	}

	willRead(path: string): void {
		this.#changed.delete(path);
	}

	changed(path: string): void {
		if (this.#open.has(path)) this.#changed.add(path);
	}

	/** Writes through another hard link or mapped memory cause no event. */
	#sweepLater(): void {
		this.#sweep ??= setTimeout(() => {
			this.#sweep = undefined;
			for (const path of this.#open.keys()) this.changed(path);
		}, sweepMs).unref();
	}

	#queueRefresh(path: string): Promise<void> {
		this.#round ??= new Promise((resolve) => {
			setImmediate(() => {
				this.#round = undefined;
				resolve();
			});
		});
		const refresh = this.#round.then(() =>
			this.#locks.run(path, () => {
				this.#refreshing.delete(path);
				return this.#refreshOne(path);
			}),
		);
		this.#refreshing.set(path, refresh);
		return refresh;
	}

	async #refreshOne(path: string): Promise<void> {
		if (this.#overlaid.has(path)) return this.#noteChange(path);
		this.willRead(path);
		const stamp = await stampOf(path);
		const entry = this.#open.get(path);
		if (!entry || (stamp !== undefined && stamp === entry.stamp)) return;
		const text = stamp === undefined ? undefined : await readText(path, anySource);
		if (this.#overlaid.has(path)) return this.changed(path);
		if (text === undefined) {
			this.#snapshot.textChanged(path, entry, undefined);
			this.close(path);
			return;
		}
		try {
			this.set(path, entry.languageId, text, stamp);
		} catch {
			this.close(path);
		}
	}

	async #noteChange(path: string): Promise<void> {
		const beneath = this.#overlaid.get(path);
		if (beneath && (await stampOf(path)) !== beneath.stamp) this.#snapshot.filesChanged([path]);
	}

	#sendOpen({ uri, languageId, version, text }: Entry): void {
		this.#wire.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
	}

	#sendClose({ uri }: Entry): void {
		this.#wire.notify("textDocument/didClose", { textDocument: { uri } });
	}

	#sendChange(before: Entry, { uri, version, text }: Entry): void {
		const isIncremental = this.#wire.changeKind() === TextDocumentSyncKind.Incremental;
		const change = isIncremental ? smallestChange(before.text, text, this.#wire.encoding()) : { text };
		this.#wire.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [change] });
	}
}
