import type { DidChangeWatchedFilesParams } from "vscode-languageserver-protocol";
import { toPath } from "../util/positions.ts";

export interface Text {
	readonly hash: string;
	readonly text: string;
}

export interface FileChange {
	readonly path: string;
	/** Undefined for the text on disk. */
	readonly before: Text | undefined;
	readonly after: Text | undefined;
}

interface Entry extends FileChange {
	readonly revision: number;
	/** Only a file event came. */
	readonly isUnknown: boolean;
	/** By performance.now(). */
	readonly at: number;
}

const maxChanges = 200;
const maxCharacters = 8_000_000;

export class Snapshot {
	#revision = 0;
	#changes: Entry[] = [];
	#characters = 0;
	/** `#changes` is complete after this revision. */
	#complete = 0;
	/** By performance.now(), of the last event that `#changes` lacks. */
	#eventAt = Number.NEGATIVE_INFINITY;

	get revision(): number {
		return this.#revision;
	}

	touched(): void {
		this.#revision++;
	}

	textChanged(path: string, before: Text | undefined, after: Text | undefined): void {
		this.#add({ path, before, after, isUnknown: false });
	}

	notified(method: string, params: unknown): void {
		if (method === "workspace/didChangeWatchedFiles") {
			const { changes } = params as DidChangeWatchedFilesParams;
			this.filesChanged(changes.flatMap(({ uri }) => toPath(uri) ?? []));
		} else if (method.startsWith("workspace/")) this.allChanged();
	}

	filesChanged(paths: readonly string[]): void {
		if (paths.length > maxChanges) this.allChanged();
		else for (const path of paths) this.#add({ path, before: undefined, after: undefined, isUnknown: true });
	}

	allChanged(): void {
		this.#complete = ++this.#revision;
		this.#eventAt = performance.now();
		this.#changes = [];
		this.#characters = 0;
	}

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

	/** Files with events after `time`, by performance.now(); undefined if some are unknown. */
	eventsSince(time: number): string[] | undefined {
		if (this.#eventAt > time) return undefined;
		return this.#changes.flatMap(({ path, isUnknown, at }) => (isUnknown && at > time ? [path] : []));
	}

	#add(change: Omit<Entry, "revision" | "at">): void {
		this.#changes.push({ ...change, revision: ++this.#revision, at: performance.now() });
		this.#characters += sizeOf(change);
		while (this.#changes.length > maxChanges || this.#characters > maxCharacters) {
			const oldest = this.#changes.shift();
			if (!oldest) return;
			this.#characters -= sizeOf(oldest);
			this.#complete = oldest.revision;
			if (oldest.isUnknown) this.#eventAt = oldest.at;
		}
	}
}

function sizeOf({ before, after }: Pick<FileChange, "before" | "after">): number {
	return (before?.text.length ?? 0) + (after?.text.length ?? 0);
}
