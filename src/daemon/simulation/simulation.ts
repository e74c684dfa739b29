import { type Static, Type } from "@sinclair/typebox";
import { LspError } from "../../contract/errors.ts";
import { t } from "../../contract/schema.ts";
import type { Change } from "../../writer/change.ts";
import { hashOfBytes } from "../../writer/record.ts";

/** agent-lsp's, without `dirty`: failures change nothing. */
const State = Type.Union([
	Type.Literal("created"),
	Type.Literal("mutated"),
	Type.Literal("evaluated"),
	Type.Literal("committed"),
	Type.Literal("discarded"),
]);

export type SimulationState = Static<typeof State>;

export const MirrorSchema = t.object({
	id: t.text(),
	/** Real and absolute. */
	workspace: t.text(),
	state: State,
	edits: t.integer(),
	/** Milliseconds since 1970. */
	usedAt: t.number(),
	files: t.objects({
		path: t.text(),
		/** SHA-256 before the first edit; absent for a new file. */
		before: t.optional.text(),
		after: t.optional.text(),
	}),
});

export type Mirror = Static<typeof MirrorSchema>;

/** Edits add up in the session's mirror only. */
export class Simulation {
	readonly id: string;
	readonly workspace: string;
	#mirror: Mirror;

	constructor(mirror: Mirror) {
		this.id = mirror.id;
		this.workspace = mirror.workspace;
		this.#mirror = mirror;
	}

	get mirror(): Mirror {
		return this.#mirror;
	}

	get state(): SimulationState {
		return this.#mirror.state;
	}

	get edits(): number {
		return this.#mirror.edits;
	}

	get files(): Mirror["files"] {
		return this.#mirror.files;
	}

	/** In characters. */
	get size(): number {
		return sizeOf(this.#mirror.files);
	}

	restore(mirror: Mirror): void {
		this.#mirror = mirror;
	}

	used(now: number): void {
		this.#mirror = { ...this.#mirror, usedAt: now };
	}

	/** Throws LSP_SESSION_STATE. */
	require(wanted: readonly SimulationState[], what: string): void {
		if (wanted.includes(this.state)) return;
		const why =
			this.state === "committed" ? "it is committed, which is its end" : `it has no edit (it is ${this.state})`;
		throw new LspError("LSP_SESSION_STATE", `Session ${this.id} cannot be ${what}: ${why}.`, { session: this.id });
	}

	/**
	 * Throws LSP_FILE_CHANGED if a file on disk is not the one edited first. `change` leads from the disk to `files`.
	 */
	requireUnmoved(change: Change, files: Mirror["files"], shown: (path: string) => string): void {
		const now = new Map(change.files.map(({ path, before }) => [path, before && hashOfBytes(before)]));
		for (const { path, before, after } of files) {
			const found = now.has(path) ? now.get(path) : after && hashOfBytes(Buffer.from(after));
			if (found === before) continue;
			throw new LspError(
				"LSP_FILE_CHANGED",
				`${shown(path)} has changed on disk since session ${this.id} edited it first.`,
				{
					file_path: path,
					session: this.id,
					suggestion: "Discard the session's edits with {{simulate_discard}}, and make them again on the new text.",
				},
			);
		}
	}

	edited(files: Mirror["files"], count: number): void {
		this.#mirror = { ...this.#mirror, files, edits: this.#mirror.edits + count, state: "mutated" };
	}

	became(state: "evaluated" | "committed"): void {
		this.#mirror = { ...this.#mirror, state };
	}

	discarded(): void {
		this.#mirror = { ...this.#mirror, files: [], edits: 0, state: "discarded" };
	}
}

export function filesAfter({ files }: Change, known: Mirror["files"]): Mirror["files"] {
	const firsts = new Map(known.map((file) => [file.path, file]));
	return files.map(({ path, before, after }) => {
		const first = firsts.has(path) ? firsts.get(path)?.before : before && hashOfBytes(before);
		return {
			path,
			...(first === undefined ? {} : { before: first }),
			...(after ? { after: after.toString("utf8") } : {}),
		};
	});
}

export function sizeOf(files: Mirror["files"]): number {
	return files.reduce((sum, { path, after = "" }) => sum + path.length + after.length, 0);
}
