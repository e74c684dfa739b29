import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectDaemon, type DaemonClient } from "../src/daemon/connect.ts";
import type { CheckReport } from "../src/findings.ts";
import { type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { type BareClient, hasError } from "./bare-client.ts";
import { type Corpus, ceilingLine, makeCorpus } from "./corpus.ts";
import { type Edit, Editor } from "./edits.ts";
import { atMost, type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { withWarmBare } from "./places.ts";
import { untilQuiet } from "./processor.ts";
import { Session } from "./session.ts";
import { inTurn, quantile, timed, warmUp } from "./statistics.ts";

const rounds = 120;
const patchRounds = 40;
const patchFiles = 20;

/** What one of the two took, and how often it was wrong. */
interface Taken {
	readonly ms: number[];
	wrong: number;
}

/**
 * One file, the files that an edit breaks, and a patch of twenty files: against a bare client that asks the same server
 * for the same files, all its requests in flight, with no wait of any kind.
 */
export const latency: Benchmark = {
	name: "latency",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${Object.keys(corpus.files).length} files, ${rounds} edits of each kind, ${patchRounds} patches`);
		return withWorkspace(corpus.files, (ws) =>
			withWarmBare(ws, corpus, async (bare, root) => {
				const daemon = await connectDaemon(ws.env);
				const pair = new Pair(corpus, bare, root, daemon, ws);
				try {
					const file = await pair.files((edit) => pair.check([edit]));
					const announced = await pair.files((edit) => pair.edit(edit));
					const affected = await pair.affected();
					const patch = await pair.patches();
					return [
						...figuresOf("a check of one file", file, { factor: 1.1, plus: 2 }, 1.3),
						...figuresOf("an edit of one file, announced as by pi", announced, { factor: 1.1, plus: 2 }, 1.3),
						...figuresOf("an edit with the files that it affects", affected, { factor: 1.2 }),
						...figuresOf(`a patch of ${patchFiles} files`, patch, { factor: 1.2 }),
					];
				} finally {
					daemon.close();
				}
			}),
		);
	},
};

class Pair {
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

	/** An error in and an error out of one file, in turn; `prepare` does what goes before, and returns the check. */
	async files(prepare: (edit: Edit) => Promise<() => Promise<CheckReport>>): Promise<readonly [Taken, Taken]> {
		return this.#inTurn(rounds, async (round) => {
			const edit = this.#editor.next(round % 2 === 0 ? "error in" : "error out", Math.floor((round + warmUp) / 2));
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

	/** A type that three files depend on, broken and mended in turn. */
	async affected(): Promise<readonly [Taken, Taken]> {
		const asked = new Set<string>(this.#corpus.brokenByContract);
		return this.#inTurn(rounds, async (round) => {
			const edit = this.#editor.next(round % 2 === 0 ? "breaks importers" : "repairs importers");
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
			for (const who of inTurn(["bare", "ours"] as const, round + warmUp)) {
				// In front of the announcement as well, or it would be time to work ahead.
				await untilQuiet(this.#ws);
				const ask = await both[who]();
				const { ms, value } = await timed(ask);
				if (!value) taken[who].wrong++;
				if (round >= 0) taken[who].ms.push(ms);
			}
		}
		return [taken.bare, taken.ours];
	}

	/** A check of files that nobody announced, as by the command line or over MCP; `edit` is written before it. */
	async check(edits: readonly Pick<Edit, "file" | "text">[]): Promise<() => Promise<CheckReport>> {
		for (const edit of edits) this.#write(this.#ws.root, edit);
		const input = { files: edits.map(({ file }) => file), scope: "file" };
		return () => this.#daemon.call<CheckReport>("check", { cwd: this.#ws.root, input });
	}

	/** An edit as pi's hook makes it: announced, written, and then asked about. */
	edit(edit: Edit): Promise<() => Promise<CheckReport>> {
		return this.#session.edit(edit);
	}

	/** The edit itself is somebody else's work: both find it on the disk. */
	#write(root: string, { file, text }: Pick<Edit, "file" | "text">): void {
		writeFileSync(join(root, file), text);
	}
}

function broken(report: CheckReport): ReadonlySet<string> {
	return new Set(
		report.files
			.filter(({ state, diagnostics }) => state !== "fresh" || diagnostics.some(({ severity }) => severity === "error"))
			.map(({ path }) => path),
	);
}

function figuresOf(
	what: string,
	[bare, ours]: readonly [Taken, Taken],
	bar: { readonly factor: number; readonly plus?: number },
	p95?: number,
): Figure[] {
	return [
		compared(what, bare.ms, ours.ms, { plus: 0, ...bar }),
		...(p95 === undefined
			? []
			: [atMost(`${what}: 95th percentile`, "ms", quantile(ours.ms, 0.95), quantile(bare.ms, 0.95) * p95)]),
		wrongAnswers(`${what}: wrong answers of the bare client`, bare.wrong, bare.ms.length),
		wrongAnswers(`${what}: wrong answers of pi-lsp`, ours.wrong, ours.ms.length),
	];
}
