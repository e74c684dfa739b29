import { type Change, findAffected } from "../impact/find-affected.ts";
import { isScript } from "../impact/index/imports.ts";
import { isData } from "../impact/index/sources.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { matchesName } from "../project/file-match.ts";
import { isOurs } from "../project/root.ts";
import { anySource, readText } from "../util/read-file.ts";
import type { AffectedFilesCall } from "./affected-context.ts";
import type { ImportIndex } from "./known-states.ts";
import type { ProvenEdit } from "./prove-edit.ts";

export interface SearchOptions {
	readonly server: LanguageServer;
	readonly workspace: string;
	readonly signal: AbortSignal;
	readonly call: AffectedFilesCall;
	readonly edit: ProvenEdit | undefined;
	readonly except: readonly string[];
	readonly failing: ReadonlySet<string>;
	/** Before more distant files. */
	readonly mayGoOn: () => Promise<void>;
	/** `distance` counts imports. */
	readonly enqueue: (path: string, distance: number, isLikely: boolean) => void;
	readonly missed: (path: string) => void;
}

export class AffectedSearch {
	readonly #options: SearchOptions;
	readonly #changes: readonly Change[];
	readonly #schemas: Set<string>;
	readonly #elsewhere: Promise<void>[] = [];
	readonly #failing: Set<string>;

	constructor(changes: readonly Change[], options: SearchOptions) {
		this.#options = options;
		this.#changes = changes;
		this.#failing = new Set(options.failing);
		this.#schemas = new Set(changes.map(({ path }) => path).filter(isData));
	}

	async run(imports: ImportIndex): Promise<void> {
		const { index } = imports;
		const { server, signal, call, mayGoOn } = this.#options;
		await findAffected(this.#changes, {
			index,
			signal,
			mayGoOn,
			textOf: async (path) => server.documents.get(path)?.text ?? (await readText(path, anySource)),
			// Users of a lost name first: many files have the other words.
			found: ({ path, distance, losesName }) => this.#found(path, losesName ? 0 : distance),
		});
		await this.#findHidden(imports);
		if (this.#schemas.size > 0) for (const path of await call.judgedBy(this.#schemas, index)) this.#found(path, 1);
		await Promise.all(this.#elsewhere);
	}

	/** A lost name leaves errors of distant users unreported. */
	async #findHidden({ index, watched }: ImportIndex): Promise<void> {
		for (const { path, gone, lost } of this.#changes) {
			if (gone.size + lost.size === 0 || this.#failing.size === 0) continue;
			for (const dependent of await index.dependents(path, { all: true, watched }))
				if (this.#failing.has(dependent)) this.#found(dependent, 2);
		}
	}

	#found(path: string, distance: number): void {
		this.#failing.delete(path);
		const { server, workspace, except, enqueue } = this.#options;
		if (isData(path)) this.#schemas.add(path);
		if (!isOurs(path, workspace) || except.includes(path)) return;
		const isOwn = matchesName(server.config, path);
		const isJudged = isOwn || (server.config.judgesScripts === true && isScript(path));
		const isNamed = this.#changes.every(({ changed }) => changed !== undefined);
		if (isJudged) enqueue(path, distance, isNamed && distance <= 1);
		// Read as a script, a Vue component is full of errors.
		if (!isOwn) this.#elsewhere.push(this.#enqueueElsewhere(path, isJudged));
	}

	async #enqueueElsewhere(path: string, isJudged: boolean): Promise<void> {
		const { call, edit, missed } = this.#options;
		const isQueued = await call.elsewhere(path, edit);
		if (!isQueued && !isJudged) missed(path);
	}
}
