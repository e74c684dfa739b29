import type { FileIndex } from "../impact/index/file-index.ts";
import { hasImports } from "../impact/index/imports.ts";
import { type VisibleChange, visibleChange } from "../impact/visible-change.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { FileChange, Text } from "../lsp/snapshot.ts";
import { Directories } from "../project/directories.ts";
import { waitOrAbort } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { LruMap } from "../util/lru-map.ts";
import { anySource, readText } from "../util/read-file.ts";
import { hasErrors } from "./diff-diagnostics.ts";
import { type Proof, type ProofOptions, proveOther } from "./sources/prove.ts";

const maxStates = 5000;
const maxEdited = 50;
const maxFailing = 40;
const maxChanged = 8;

export interface KnownState {
	readonly proof: Proof;
	readonly revision: number;
}

export interface KnownBefore {
	readonly before: KnownState | undefined;
	readonly hadErrors: boolean;
}

export interface ImportIndex {
	readonly index: FileIndex;
	readonly watched: boolean;
}

export interface FileIndexes {
	indexOf(root: string): FileIndex;
	importIndex(server: LanguageServer): Promise<ImportIndex>;
}

export class KnownStates {
	readonly #server: LanguageServer;
	readonly #edited = new LruMap<KnownState>(maxEdited);
	readonly #others = new LruMap<KnownState>(maxStates);
	readonly #failing = new LruMap<true>(maxFailing);
	readonly #visibleChanges = new LruMap<Promise<VisibleChange>>(maxChanged);
	/** By performance.now(), for any caller. */
	provenAt = Number.NEGATIVE_INFINITY;

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	remember(proof: Proof, revision: number, role: "edited" | "other"): void {
		this.provenAt = performance.now();
		if (hasErrors(proof)) this.#failing.set(proof.path, true);
		else this.#failing.delete(proof.path);
		const changed = this.#server.snapshot.since(revision);
		if (!changed || changed.length > 0) return;
		const { path, text, hash, diagnostics, stamp } = proof;
		if (role === "edited") this.#edited.set(path, { proof, revision });
		else {
			this.#edited.delete(path);
			const kept = { path, text: diagnostics.length > 0 ? text : "", hash, diagnostics };
			this.#others.set(path, { proof: stamp === undefined ? kept : { ...kept, stamp }, revision });
		}
	}

	get failingFiles(): string[] {
		return [...this.#failing.keys()];
	}

	known(path: string): KnownBefore {
		return { before: this.last(path), hadErrors: this.#failing.has(path) };
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

	/** The server must know of all changes on disk. */
	async unchanged(path: string): Promise<Proof | undefined> {
		const known = this.last(path);
		if (!known || this.#server.snapshot.since(known.revision)?.length !== 0) return undefined;
		const { stamp, hash } = known.proof;
		if (stamp !== undefined && (await stampOf(path)) === stamp) return known.proof;
		return hashOf((await readText(path, anySource)) ?? "") === hash ? known.proof : undefined;
	}

	/** False if another file's change, from `revision` to `until` or now, can matter. */
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

export class UnopenedFiles {
	readonly #directories = new Directories();
	readonly #caughtUp = new Map<LanguageServer, Promise<void>>();

	async prove(
		server: LanguageServer,
		{ path, languageId }: { readonly path: string; readonly languageId: string },
		options: Pick<ProofOptions, "signal" | "hints">,
	): Promise<Proof> {
		const states = server.part(KnownStates);
		const { signal, hints = false } = options;
		await waitOrAbort(this.#catchUp(server), signal);
		const kept = hints ? undefined : await states.unchanged(path);
		if (kept) return kept;
		return server.turns.read(async () => {
			await server.catchUp(signal, path);
			const { revision } = server.snapshot;
			const proven = await proveOther(server, path, languageId, { ...options, directories: this.#directories });
			states.remember(proven, revision, "other");
			return proven;
		});
	}

	#catchUp(server: LanguageServer): Promise<void> {
		const known = this.#caughtUp.get(server) ?? server.turns.read(() => server.catchUp());
		this.#caughtUp.set(server, known);
		return known;
	}
}
