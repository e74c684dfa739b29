import type { DidChangeWatchedFilesParams } from "vscode-languageserver-protocol";
import { toPath } from "../util/positions.ts";

/** A text and the hash by which it is known. */
export interface Text {
	readonly hash: string;
	readonly text: string;
}

/** What a server was told of one file, first to last. */
export interface FileChange {
	readonly path: string;
	/** The text that the server had before; undefined where it read the file itself. */
	readonly before: Text | undefined;
	/** The text that it has now; undefined where it reads the file itself. */
	readonly after: Text | undefined;
}

interface Entry extends FileChange {
	readonly revision: number;
	/** True if nobody knows what the file held before or holds now: a watcher told of it. */
	readonly isUnknown: boolean;
}

const maxChanges = 200;
/** Characters of the texts that are kept for comparing, both sides of each change. */
const maxCharacters = 8_000_000;

/**
 * What a server knows, as a number that grows with everything that was sent to it and can change an answer. An answer
 * belongs to the revision at which it was asked; `since` says what has changed for the server from then on.
 */
export class Snapshot {
	#revision = 0;
	#changes: Entry[] = [];
	#characters = 0;
	/** What came after this revision is in `#changes`. */
	#complete = 0;

	get revision(): number {
		return this.#revision;
	}

	/** Something was sent that changes no file's meaning: the text that is on disk was opened, or sent once more. */
	touched(): void {
		this.#revision++;
	}

	/** The server has another text of a file; undefined stands for the one that it reads from disk. */
	textChanged(path: string, before: Text | undefined, after: Text | undefined): void {
		this.#add({ path, before, after, isUnknown: false });
	}

	/** Notes what a notification tells that is about no document: those are noted as texts. */
	notified(method: string, params: unknown): void {
		if (method === "workspace/didChangeWatchedFiles") {
			const { changes } = params as DidChangeWatchedFilesParams;
			this.filesChanged(changes.flatMap(({ uri }) => toPath(uri) ?? []));
		} else if (method.startsWith("workspace/")) this.allChanged();
	}

	/** The server was told that files have changed on disk, which it reads itself. */
	filesChanged(paths: readonly string[]): void {
		if (paths.length > maxChanges) this.allChanged();
		else for (const path of paths) this.#add({ path, before: undefined, after: undefined, isUnknown: true });
	}

	/** Something changed that can matter to every file: settings, folders. */
	allChanged(): void {
		this.#complete = ++this.#revision;
		this.#changes = [];
		this.#characters = 0;
	}

	/**
	 * What differs for the server between two revisions, one entry a file. A text that came and went is no difference.
	 * Undefined where too much has happened to be known.
	 */
	since(revision: number, until = this.#revision): FileChange[] | undefined {
		if (revision < this.#complete) return undefined;
		const byPath = new Map<string, { first: Entry; last: Entry; isUnknown: boolean }>();
		for (const entry of this.#changes) {
			if (entry.revision <= revision || entry.revision > until) continue;
			const known = byPath.get(entry.path);
			const isUnknown = entry.isUnknown || known?.isUnknown === true;
			byPath.set(entry.path, { first: known?.first ?? entry, last: entry, isUnknown });
		}
		return [...byPath].flatMap(([path, { first, last, isUnknown }]) => {
			const [before, after] = [first.before, last.after];
			return !isUnknown && before?.hash === after?.hash ? [] : [{ path, before, after }];
		});
	}

	#add(change: Omit<Entry, "revision">): void {
		this.#changes.push({ ...change, revision: ++this.#revision });
		this.#characters += sizeOf(change);
		while (this.#changes.length > maxChanges || this.#characters > maxCharacters) {
			const oldest = this.#changes.shift();
			if (!oldest) return;
			this.#characters -= sizeOf(oldest);
			this.#complete = oldest.revision;
		}
	}
}

function sizeOf({ before, after }: Pick<FileChange, "before" | "after">): number {
	return (before?.text.length ?? 0) + (after?.text.length ?? 0);
}
