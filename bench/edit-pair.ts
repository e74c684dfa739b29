import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckReport } from "../src/contract/check-report.ts";
import type { DaemonClient } from "../src/daemon/lifecycle/connect.ts";
import type { Workspace } from "../test/support/workspace.ts";
import { type BareClient, hasError } from "./bare-client.ts";
import { type Corpus, ceilingLine } from "./corpus.ts";
import { type Edit, Editor } from "./edits.ts";
import { untilQuiet } from "./processor.ts";
import { Session } from "./session.ts";
import { inTurn, timed, warmUp } from "./statistics.ts";

export const rounds = 120;
export const patchRounds = 40;
export const patchFiles = 20;

/** The times of one side, and how often it was wrong. */
export interface Taken {
	readonly ms: number[];
	wrong: number;
}

/** pi-lsp and a bare client of the same server, each with a copy of one project; both make the same edits in turn. */
export class EditPair {
	readonly #corpus: Corpus;
	readonly #bare: BareClient;
	readonly #bareRoot: string;
	readonly #daemon: DaemonClient;
	readonly #ws: Workspace;
	readonly #editor: Editor;
	readonly #session: Session;

	constructor(corpus: Corpus, bare: BareClient, bareRoot: string, daemon: DaemonClient, ws: Workspace) {
		this.#corpus = corpus;
		this.#bare = bare;
		this.#bareRoot = bareRoot;
		this.#daemon = daemon;
		this.#ws = ws;
		this.#editor = new Editor(corpus);
		this.#session = new Session(daemon, ws.root);
	}

	/** Edits that add or fix an error in one file, in turn; `prepare` makes the edit and returns the check. */
	async files(prepare: (edit: Edit) => Promise<() => Promise<CheckReport>>): Promise<readonly [Taken, Taken]> {
		return this.#inTurn(rounds, async (round) => {
			const edit = this.#editor.next(round % 2 === 0 ? "new error" : "fixed error", Math.floor((round + warmUp) / 2));
			return {
				bare: async () => {
					this.#write(this.#bareRoot, edit);
					return async () => {
						this.#bare.change(edit.file, edit.text);
						return hasError(await this.#bare.pull(edit.file)) === edit.wrong;
					};
				},
				ours: async () => {
					const check = await prepare(edit);
					return async () => broken(await check()).has(edit.file) === edit.wrong;
				},
			};
		});
	}

	/** The edit of a round that breaks, or repairs, the three files which depend on a type. */
	nextFar(round: number): Edit {
		return this.#editor.next(round % 2 === 0 ? "breaks importers" : "repairs importers");
	}

	async affected(): Promise<readonly [Taken, Taken]> {
		const asked = new Set<string>(this.#corpus.brokenByContract);
		return this.#inTurn(rounds, async (round) => {
			const edit = this.nextFar(round);
			const right = (found: ReadonlySet<string>) =>
				edit.broken.every((file) => found.has(file)) && found.size === edit.broken.length;
			return {
				ours: async () => {
					const check = await this.edit(edit);
					return async () => {
						const report = await check();
						for (const { path, role } of report.files) if (role === "affected") asked.add(path);
						return right(broken(report));
					};
				},
				bare: async () => {
					await this.#session.rest();
					this.#write(this.#bareRoot, edit);
					return async () => {
						this.#bare.change(edit.file, edit.text);
						const files = [edit.file, ...asked];
						const found = await Promise.all(
							files.map(async (file) => (hasError(await this.#bare.pull(file)) ? [file] : [])),
						);
						return right(new Set(found.flat()));
					};
				},
			};
		});
	}

	/** Twenty files written at once. */
	async patches(): Promise<readonly [Taken, Taken]> {
		const files = Object.keys(this.#corpus.files)
			.filter((file) => file.includes("module-") && !this.#corpus.targets.includes(file))
			.slice(-patchFiles);
		for (const file of files) this.#bare.open(file, this.#corpus.files[file] ?? "");
		return this.#inTurn(patchRounds, async (round) => {
			const isWrong = round % 2 === 0;
			const line = ceilingLine(isWrong ? `"patch ${round}"` : `${100 + round}`);
			const edits = files.map((file) => ({
				file,
				text: (this.#corpus.files[file] ?? "").replace(ceilingLine("10"), () => line),
			}));
			const expected = isWrong ? files.length : 0;
			return {
				bare: async () => {
					for (const edit of edits) this.#write(this.#bareRoot, edit);
					return async () => {
						for (const { file, text } of edits) this.#bare.change(file, text);
						const pulled = await Promise.all(files.map((file) => this.#bare.pull(file)));
						return pulled.filter(hasError).length === expected;
					};
				},
				ours: async () => {
					const check = await this.check(edits);
					return async () => broken(await check()).size === expected;
				},
			};
		});
	}

	async #inTurn(
		count: number,
		prepare: (round: number) => Promise<Record<"bare" | "ours", () => Promise<() => Promise<boolean>>>>,
	): Promise<readonly [Taken, Taken]> {
		const taken = { bare: { ms: [], wrong: 0 } as Taken, ours: { ms: [], wrong: 0 } as Taken };
		for (let round = -warmUp; round < count; round++) {
			const both = await prepare(round);
			for (const side of inTurn(["bare", "ours"] as const, round + warmUp)) {
				// The wait precedes the announcement, or pi-lsp could work ahead during it.
				await untilQuiet(this.#ws);
				const ask = await both[side]();
				const { ms, value } = await timed(ask);
				if (!value) taken[side].wrong++;
				if (round >= 0) taken[side].ms.push(ms);
			}
		}
		return [taken.bare, taken.ours];
	}

	/** A check of files that were not announced, as by the command line or over MCP; `edits` are written before it. */
	async check(edits: readonly Pick<Edit, "file" | "text">[]): Promise<() => Promise<CheckReport>> {
		for (const edit of edits) this.#write(this.#ws.root, edit);
		const input = { files: edits.map(({ file }) => file), scope: "file" };
		return () => this.#daemon.call<CheckReport>("check", { cwd: this.#ws.root, input });
	}

	/** An edit as pi's hook makes it: announced, written, then checked. */
	edit(edit: Edit): Promise<() => Promise<CheckReport>> {
		return this.#session.edit(edit);
	}

	/** The time of the write is not measured. */
	#write(root: string, { file, text }: Pick<Edit, "file" | "text">): void {
		writeFileSync(join(root, file), text);
	}
}

/** The files of a report that are not proven clean. */
function broken(report: CheckReport): ReadonlySet<string> {
	return new Set(
		report.files
			.filter(({ state, diagnostics }) => state !== "fresh" || diagnostics.some(({ severity }) => severity === "error"))
			.map(({ path }) => path),
	);
}
