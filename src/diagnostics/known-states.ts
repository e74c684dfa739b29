import type { FileIndex } from "../impact/index/file-index.ts";
import { hasImports } from "../impact/index/imports.ts";
import { type VisibleChange, visibleChange } from "../impact/visible-change.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { FileChange, Text } from "../lsp/snapshot.ts";
import { LruMap } from "../util/lru-map.ts";
import type { Proof } from "./sources/prove.ts";

const maxStates = 1000;
/** Files that were edited keep their texts, which the next edit is compared with. */
const maxEdited = 50;
/** Of more changed files than these it is not found out who depends on them. */
const maxChanged = 8;

/** What was proven of a file, and when. */
export interface KnownState {
	readonly proof: Proof;
	/** The server's revision when it was asked. */
	readonly revision: number;
	/** The signatures of some of its declarations as the server shows them, by dotted path. */
	readonly signatures: ReadonlyMap<string, string>;
}

/** Who depends on whom below a server's root. */
export interface Dependencies {
	readonly index: FileIndex;
	/** True if every change below the root is told to the index. */
	readonly watched: boolean;
}

/** What one server has proven of files last: the baseline of every edit, and of what it breaks elsewhere. */
export class KnownStates {
	readonly #server: LanguageServer;
	readonly #edited = new LruMap<KnownState>(maxEdited);
	readonly #others = new LruMap<KnownState>(maxStates);
	readonly #visible = new LruMap<Promise<VisibleChange>>(maxChanged);

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	/** Keeps what was proven of a file, asked at `revision`; not where the server was told something meanwhile. */
	remember(proof: Proof, revision: number, of: "edited" | "other", signatures = new Map<string, string>()): void {
		const changed = this.#server.snapshot.since(revision);
		if (!changed || changed.length > 0) return;
		const { path, text, hash, diagnostics } = proof;
		if (of === "edited") this.#edited.set(path, { proof, revision, signatures });
		else {
			this.#edited.delete(path);
			// The text of a clean file is not needed to compare with: nothing has to be found again in it.
			const kept = { path, text: diagnostics.length > 0 ? text : "", hash, diagnostics };
			this.#others.set(path, { proof: kept, revision, signatures });
		}
	}

	/** What was proven of a file last, whatever the server was told since. */
	last(path: string): KnownState | undefined {
		return this.#edited.get(path) ?? this.#others.get(path);
	}

	/** The same with its text, for a file that was edited. */
	lastEdited(path: string): KnownState | undefined {
		return this.#edited.get(path);
	}

	forget(path: string): void {
		this.#edited.delete(path);
		this.#others.delete(path);
	}

	/**
	 * What was proven of a file if that is what the server would have said at the revision `until`, now if none is given:
	 * nothing that it was told in between can matter to the file.
	 */
	async recall(path: string, on: Dependencies, until?: number): Promise<KnownState | undefined> {
		const state = this.last(path);
		if (!state) return undefined;
		if (until !== undefined && state.revision > until) return undefined;
		return (await this.holds(path, state.revision, on, until)) ? state : undefined;
	}

	/** True if what was answered about a file at a revision is still the answer at `until`, as far as other files go. */
	async holds(path: string, revision: number, on: Dependencies, until?: number): Promise<boolean> {
		const { snapshot } = this.#server;
		const changes = snapshot.since(revision, until)?.filter((change) => change.path !== path);
		if (!changes || changes.length > maxChanged) return false;
		const now = snapshot.revision;
		for (const change of changes) if (await this.#canMatter(change, path, on)) return false;
		return until !== undefined || snapshot.revision === now;
	}

	/**
	 * What other files see of a change. It is kept: an edit is compared when it is announced, when it is proven, and with
	 * each finding in other files.
	 */
	visible(path: string, before: Text, after: Text): Promise<VisibleChange> {
		const key = [path, before.hash, after.hash].join(" ");
		const known = this.#visible.get(key) ?? visibleChange(path, before.text, after.text);
		this.#visible.set(key, known);
		return known;
	}

	/** True if a change of one file can matter to another one. */
	async #canMatter({ path: changed, before, after }: FileChange, path: string, on: Dependencies): Promise<boolean> {
		if (!before || !after) return true;
		const seen = await this.visible(changed, before, after);
		if (seen.nothing) return false;
		if (seen.everywhere || !on.watched || !hasImports(changed)) return true;
		return (await on.index.dependents(changed, { all: true, watched: true })).includes(path);
	}
}
