import type { FileIndex } from "../impact/index/file-index.ts";
import { hasImports } from "../impact/index/imports.ts";
import { type VisibleChange, visibleChange } from "../impact/visible-change.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { FileChange, Text } from "../lsp/snapshot.ts";
import { LruMap } from "../util/lru-map.ts";
import { hasErrors } from "./diff-diagnostics.ts";
import type { Proof } from "./sources/prove.ts";

const maxStates = 5000;
const maxEdited = 50;
const maxFailing = 40;
const maxChanged = 8;

export interface KnownState {
	readonly proof: Proof;
	readonly revision: number;
}

export interface ImportIndex {
	readonly index: FileIndex;
	readonly watched: boolean;
}

export class KnownStates {
	readonly #server: LanguageServer;
	readonly #edited = new LruMap<KnownState>(maxEdited);
	readonly #others = new LruMap<KnownState>(maxStates);
	readonly #failing = new LruMap<true>(maxFailing);
	readonly #visibleChanges = new LruMap<Promise<VisibleChange>>(maxChanged);
	/** When something was last proven for any caller, by performance.now(). */
	provenAt = Number.NEGATIVE_INFINITY;

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	remember(proof: Proof, revision: number, role: "edited" | "other"): void {
		this.provenAt = performance.now();
		const changed = this.#server.snapshot.since(revision);
		if (!changed || changed.length > 0) return;
		const { path, text, hash, diagnostics } = proof;
		if (role === "edited") this.#edited.set(path, { proof, revision });
		else {
			this.#edited.delete(path);
			const kept = { path, text: diagnostics.length > 0 ? text : "", hash, diagnostics };
			this.#others.set(path, { proof: kept, revision });
		}
		if (hasErrors(proof)) this.#failing.set(path, true);
		else this.#failing.delete(path);
	}

	/** Files that had errors when any caller last asked. */
	get failingFiles(): string[] {
		return [...this.#failing.keys()];
	}

	last(path: string): KnownState | undefined {
		return this.#edited.get(path) ?? this.#others.get(path);
	}

	lastEdited(path: string): KnownState | undefined {
		return this.#edited.get(path);
	}

	forget(path: string): void {
		this.#edited.delete(path);
		this.#others.delete(path);
		this.#failing.delete(path);
	}

	/** False if a change of another file, from `revision` to `until` or now, can matter. */
	async isCurrent(path: string, revision: number, imports: ImportIndex, until?: number): Promise<boolean> {
		const { snapshot } = this.#server;
		const changes = snapshot.since(revision, until)?.filter((change) => change.path !== path);
		if (!changes || changes.length > maxChanged) return false;
		const now = snapshot.revision;
		for (const change of changes) if (await this.#canMatter(change, path, imports)) return false;
		return until !== undefined || snapshot.revision === now;
	}

	visibleChange(path: string, before: Text, after: Text): Promise<VisibleChange> {
		const key = [path, before.hash, after.hash].join(" ");
		const known = this.#visibleChanges.get(key) ?? visibleChange(path, before.text, after.text);
		this.#visibleChanges.set(key, known);
		return known;
	}

	async #canMatter({ path: changed, before, after }: FileChange, path: string, imports: ImportIndex): Promise<boolean> {
		if (!before || !after) return true;
		const change = await this.visibleChange(changed, before, after);
		if (change.nothing) return false;
		if (change.everywhere || !imports.watched || !hasImports(changed)) return true;
		return (await imports.index.dependents(changed, { all: true, watched: true })).includes(path);
	}
}
