import { stampOf } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { Locks } from "../util/locks.ts";
import { linesOf, type PositionEncoding, toUri } from "../util/positions.ts";
import { anySource, readText, withoutMark } from "../util/read-file.ts";
import { smallestChange } from "./smallest-change.ts";
import { Snapshot } from "./snapshot.ts";
import { hasSeparators } from "./tsserver-lines.ts";

/** A text as a server has it. */
export interface OpenDocument {
	readonly path: string;
	readonly uri: string;
	readonly languageId: string;
	readonly version: number;
	readonly text: string;
	readonly hash: string;
	/** When this version was sent, by performance.now(). */
	readonly sentAt: number;
}

const takenApart = new WeakMap<OpenDocument, readonly string[]>();

/** The lines of a document, taken apart once for all that look for a place in it. */
export function documentLines(document: OpenDocument): readonly string[] {
	const known = takenApart.get(document) ?? linesOf(document.text);
	takenApart.set(document, known);
	return known;
}

interface Entry extends OpenDocument {
	/** What the disk looked like when `text` was read from it; undefined while the text came from elsewhere. */
	readonly stamp: string | undefined;
	/** The version with which it was opened. */
	readonly opening: number;
}

/** How often, at the most, documents are looked at of whose files nothing was heard, in milliseconds. */
const sweepMs = 1000;

/** How it is known what happens to files. */
export interface Hearing {
	/** True for a path of which `changed` tells every change. */
	readonly hears: (path: string) => boolean;
	/** While it stands still, `hears` says yes where it said yes before. */
	readonly losses: () => number;
}

/** How a document reaches its server. */
export interface DocumentWire {
	notify(method: string, params: unknown): void;
	readonly encoding: () => PositionEncoding;
	/** LSP's TextDocumentSyncKind: 1 whole text, 2 changed range. */
	readonly changeKind: () => 1 | 2;
	/** True if tsserver is behind it: in a text with U+2028 it changes other lines than are meant, even when told the whole text. */
	readonly isTsserver: () => boolean;
	/** True if the server wants the text with `didSave`. */
	readonly saveWithText: () => boolean | undefined;
}

/**
 * The documents that one server holds open, by content: `didOpen`, `didChange`, `didClose` in order, versions that
 * only grow. Truth is the content's hash; a file's times only say when it is worth reading again.
 */
export class Documents {
	readonly #wire: DocumentWire;
	readonly #open = new Map<string, Entry>();
	readonly #maximum: number;
	readonly #snapshot: Snapshot;

	/** What is sent is noted in `snapshot`. */
	constructor(wire: DocumentWire, snapshot = new Snapshot(), maximum = 64) {
		this.#wire = wire;
		this.#snapshot = snapshot;
		this.#maximum = maximum;
	}

	/** Throws for a text that the server must not be shown. */
	examine: (path: string, text: string) => void = () => {};

	get(path: string): OpenDocument | undefined {
		return this.#open.get(path);
	}

	/** Tells one opening of a document from another; undefined while it is not open. */
	opening(path: string): number | undefined {
		return this.#open.get(path)?.opening;
	}

	get size(): number {
		return this.#open.size;
	}

	paths(): string[] {
		return [...this.#open.keys()];
	}

	/**
	 * Makes the server's text of `path` equal to `text`, and says what is open now. Nothing is sent when it already is. Throws
	 * what `examine` throws.
	 * The last used documents stay open, the oldest is closed when there are too many.
	 */
	set(path: string, languageId: string, content: string, stamp?: string): OpenDocument {
		const text = withoutMark(content);
		this.examine(path, text);
		const known = this.#open.get(path);
		const hash = known?.text === text ? known.hash : hashOf(text);
		if (known) this.#open.delete(path);
		// Never a version twice, not even after a close: some servers compare across it.
		const version = known && known.hash === hash ? known.version : ++this.#lastVersion;
		const reopens = known !== undefined && known.hash !== hash && this.#wire.isTsserver() && hasSeparators(known.text);
		const entry: Entry = {
			path,
			uri: known?.uri ?? toUri(path),
			languageId,
			version,
			text,
			hash,
			sentAt: known && known.hash === hash ? known.sentAt : performance.now(),
			stamp,
			opening: known && !reopens ? known.opening : version,
		};
		this.#open.set(path, entry);
		this.#allHeard = undefined;
		if (known?.hash !== hash) {
			// What is opened with the text of its file means what it meant.
			if ((!known && stamp !== undefined) || this.#overlaid.has(path)) this.#snapshot.touched();
			else this.#snapshot.textChanged(path, known, entry);
		}
		if (reopens) this.#sendClose(known);
		if (!known || reopens) this.#sendOpen(entry);
		else if (known.hash !== hash) this.#sendChange(known, entry);
		this.#closeOldest();
		return entry;
	}

	/**
	 * Shows the server other texts of some files than it has, whatever becomes of the files meanwhile. The returned function
	 * puts back what it had: texts that are nowhere on disk must not outlive whoever asks about them. In the snapshot nothing
	 * changes with that. One overlay at a time; throws what `examine` throws.
	 */
	overlay(texts: ReadonlyMap<string, string>, languageOf: (path: string) => string): () => void {
		for (const [path, text] of texts) this.examine(path, text);
		for (const path of texts.keys()) this.#overlaid.set(path, this.#open.get(path));
		for (const [path, text] of texts) this.set(path, this.#overlaid.get(path)?.languageId ?? languageOf(path), text);
		return () => {
			for (const [path, entry] of this.#overlaid)
				if (entry) this.set(path, entry.languageId, entry.text, entry.stamp);
				else this.close(path);
			this.#overlaid.clear();
			this.#allHeard = undefined;
		};
	}

	/** Runs `work` while this document, once it is open, is not closed to make room for others: it is asked about. */
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

	#closeOldest(): void {
		if (this.#open.size <= this.#maximum) return;
		for (const path of this.#open.keys()) {
			if (this.#held.has(path) || this.#overlaid.has(path)) continue;
			this.close(path);
			if (this.#open.size <= this.#maximum) return;
		}
	}

	/** Sends a text that the server has already once more, whole and under a new version. */
	resend(path: string): OpenDocument | undefined {
		const known = this.#open.get(path);
		if (!known) return undefined;
		this.#snapshot.touched();
		const entry = { ...known, version: ++this.#lastVersion, sentAt: performance.now() };
		this.#open.set(path, entry);
		this.#wire.notify("textDocument/didChange", {
			textDocument: { uri: entry.uri, version: entry.version },
			contentChanges: [{ text: entry.text }],
		});
		return entry;
	}

	/** Tells the server that the file was saved as it is, for servers that check on save. */
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
		// What its file has become since, a watcher tells.
		if (entry.stamp !== undefined || this.#overlaid.has(path)) this.#snapshot.touched();
		else this.#snapshot.textChanged(path, entry, undefined);
		this.#sendClose(entry);
	}

	/** Closes every document and opens it again with the text that the server has. */
	reopen(): void {
		for (const entry of [...this.#open.values()]) {
			this.#snapshot.touched();
			this.#sendClose(entry);
			const version = ++this.#lastVersion;
			const opened = { ...entry, version, opening: version, sentAt: performance.now() };
			this.#open.set(entry.path, opened);
			this.#sendOpen(opened);
		}
	}

	/**
	 * Brings every open document to what is on disk, except `but`: an edit behind our back (a formatter, git) must not
	 * stay hidden behind an open buffer. One of which every change is heard is looked at when one was; any other costs
	 * one stat. A file is read when its times or size moved. Waits for whoever has a document for itself: it may hold a
	 * text that is not on disk.
	 */
	async refresh(but?: string): Promise<void> {
		const waits = this.#unheard(but).map((path) => this.#refreshing.get(path) ?? this.#queueRefresh(path));
		if (waits.length > 0) await Promise.all(waits);
		this.#sweepLater();
	}

	/**
	 * The documents except `but` of whose files something was heard, or might not be. Where there are none, that is known
	 * until something happens: to look through 64 of them in front of each question took a tenth of the question's time.
	 */
	#unheard(but: string | undefined): string[] {
		const losses = this.hearing.losses();
		if (this.#allHeard === losses) return [];
		const unheard = [...this.#open.values()].filter((entry) => !this.#isHeard(entry)).map(({ path }) => path);
		if (unheard.length === 0) this.#allHeard = losses;
		return unheard.filter((path) => path !== but);
	}

	/** True if nothing was heard of a file, and would have been. */
	#isHeard({ path, stamp }: Entry): boolean {
		return stamp !== undefined && !this.#changed.has(path) && this.hearing.hears(path);
	}

	/** The file is about to be read: what was heard of it is in what is read. */
	willRead(path: string): void {
		this.#changed.delete(path);
	}

	hearing: Hearing = { hears: () => false, losses: () => 0 };

	/** The file has changed, or may have: what is open of it is compared with the disk before the next question. */
	changed(path: string): void {
		if (!this.#open.has(path)) return;
		this.#changed.add(path);
		this.#allHeard = undefined;
	}

	/** What no event tells (another hard link, a write through mapped memory), behind the questions. */
	#sweepLater(): void {
		this.#sweep ??= setTimeout(() => {
			this.#sweep = undefined;
			for (const path of this.#open.keys()) this.changed(path);
		}, sweepMs).unref();
	}

	/**
	 * One that waits for its turn serves everybody who comes before it begins, and it begins when all that has arrived is
	 * read: a crowd costs no more than one caller (200 callers at once spent half of the time on each other's documents).
	 */
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

	/** Makes a document what its file is; closes it where there is none. */
	reread(path: string): Promise<void> {
		return this.#locks.run(path, () => this.#refreshOne(path));
	}

	async #refreshOne(path: string): Promise<void> {
		if (this.#overlaid.has(path)) return this.#noteChange(path);
		this.willRead(path);
		const stamp = await stampOf(path);
		const entry = this.#open.get(path);
		if (!entry || (stamp !== undefined && stamp === entry.stamp)) return;
		const text = stamp === undefined ? undefined : await readText(path, anySource);
		// An overlay has begun meanwhile.
		if (this.#overlaid.has(path)) return this.changed(path);
		if (text === undefined) {
			this.#snapshot.textChanged(path, entry, undefined);
			this.close(path);
			return;
		}
		try {
			this.set(path, entry.languageId, text, stamp);
		} catch {
			// It is not shown what the file has become; whoever asks about the file is told why.
			this.close(path);
		}
	}

	/** An overlaid document keeps its text; that its file is another one now is noted. */
	async #noteChange(path: string): Promise<void> {
		const beneath = this.#overlaid.get(path);
		if (beneath && (await stampOf(path)) !== beneath.stamp) this.#snapshot.filesChanged([path]);
	}

	/** Runs `work` while nobody else changes or proves this document, in the order of arrival. */
	exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
		return this.#locks.run(path, () => this.hold(path, work));
	}

	readonly #locks = new Locks();
	/** The refreshes that have not begun. */
	readonly #refreshing = new Map<string, Promise<void>>();
	/** When those that nobody has begun to wait for yet begin. */
	#round: Promise<void> | undefined;
	/** Those whose file has changed since it was last looked at. */
	readonly #changed = new Set<string>();
	#sweep: NodeJS.Timeout | undefined;
	/** The losses at which everything was heard of every document. */
	#allHeard: number | undefined;
	/** What an overlay hides. */
	readonly #overlaid = new Map<string, Entry | undefined>();
	/** How many are asking about a document. */
	readonly #held = new Map<string, number>();
	#lastVersion = 0;

	#sendOpen({ uri, languageId, version, text }: Entry): void {
		this.#wire.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
	}

	#sendClose({ uri }: Entry): void {
		this.#wire.notify("textDocument/didClose", { textDocument: { uri } });
	}

	#sendChange(before: Entry, after: Entry): void {
		const change =
			this.#wire.changeKind() === 2
				? smallestChange(before.text, after.text, this.#wire.encoding())
				: { text: after.text };
		this.#wire.notify("textDocument/didChange", {
			textDocument: { uri: after.uri, version: after.version },
			contentChanges: [change],
		});
	}
}
