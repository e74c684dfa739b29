import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { LateResult } from "../daemon/protocol.ts";
import type { CheckReport } from "../findings.ts";
import { editBlock, type OtherFiles } from "../text/diagnostics.ts";
import type { DaemonLink } from "./daemon-link.ts";

const pollMs = 30_000;

/** A check whose answer is still to come. */
interface Expected {
	readonly call: string;
	readonly cwd: string;
	/** Absolute. */
	readonly file: string;
	readonly others: OtherFiles;
	/** True for what else the edit broke, further away than its own answer told. */
	readonly rest: boolean;
	/** Until when somebody may wait for it. What comes later still is told, if it can be. */
	readonly until: number;
}

/** A block that came after its call's result had gone to the model. */
export interface LateBlock {
	readonly call: string;
	/** Absolute path of the edited file. */
	readonly file: string;
	readonly text: string;
	/** What the file looked like when the proof came: it must not be told of another content. */
	readonly stamp: string | undefined;
	readonly rest: boolean;
}

/** Fetches what checks that ran out of time prove later, in the background, and keeps it until somebody tells it. */
export class LateBlocks {
	readonly #link: DaemonLink;
	readonly #session: string;
	readonly #arrived: (report: CheckReport, text: string | undefined) => void;
	readonly #expected = new Set<Expected>();
	readonly #waiting = new Set<() => void>();
	#ready: LateBlock[] = [];
	readonly #told: string[] = [];
	#fetching = false;
	#again = false;

	/** `arrived` hears every late report, with the text that will be told of it. */
	constructor(link: DaemonLink, session: string, arrived: (report: CheckReport, text: string | undefined) => void) {
		this.#link = link;
		this.#session = session;
		this.#arrived = arrived;
	}

	/** Says that a call's check of a file (an absolute path) goes on in the daemon, and how long it is waited for. */
	expect(expected: Omit<Expected, "until">, lateMs: number): void {
		this.#expected.add({ ...expected, until: Date.now() + lateMs });
		this.#again = true;
		if (!this.#fetching) void this.#fetch();
	}

	/** The file was changed again: whatever was, or will be, proven of it before is out of date. */
	forget(file: string): void {
		for (const expected of this.#expected) if (expected.file === file) this.#expected.delete(expected);
		this.#ready = this.#ready.filter((block) => block.file !== file);
		this.#settle();
	}

	/** The next edit is checked: what was not told of other files is proven again with it, and told there. */
	forgetRest(): void {
		for (const expected of this.#expected) if (expected.rest) this.#expected.delete(expected);
		this.#ready = this.#ready.filter(({ rest }) => !rest);
		this.#settle();
	}

	/** The calls whose further findings have been told since this was asked last. */
	takeTold(): string[] {
		return this.#told.splice(0);
	}

	/** Drops everything: nobody wants to know any more. */
	clear(): void {
		this.#expected.clear();
		this.#ready = [];
		this.#settle();
	}

	/** The blocks that have arrived and are still true, each given once. */
	take(): LateBlock[] {
		const blocks = this.#ready.splice(0).filter(({ file, stamp }) => stampNow(file) === stamp);
		for (const { call, rest } of blocks) if (rest) this.#told.push(call);
		return blocks;
	}

	/** Takes back a block that could not be told. */
	putBack(block: LateBlock): void {
		this.#ready.push(block);
		if (block.rest) this.#told.splice(this.#told.indexOf(block.call), 1);
	}

	/** True while an answer may still come within its lateness. */
	get awaited(): boolean {
		return [...this.#expected].some(({ until }) => until > Date.now());
	}

	/** Waits until nothing is awaited any more. The timer keeps the process alive: whoever asks must get its answer. */
	settled(signal: AbortSignal | undefined): Promise<void> {
		if (!this.awaited || signal?.aborted) return Promise.resolve();
		const last = Math.max(...[...this.#expected].map(({ until }) => until));
		return new Promise((resolve) => {
			const done = () => {
				clearTimeout(timer);
				this.#waiting.delete(done);
				signal?.removeEventListener("abort", done);
				resolve();
			};
			const timer = setTimeout(done, last - Date.now());
			signal?.addEventListener("abort", done, { once: true });
			this.#waiting.add(done);
		});
	}

	async #fetch(): Promise<void> {
		this.#fetching = true;
		try {
			for (let pending = 1; pending > 0 || this.#again; ) {
				this.#again = false;
				const asked = [...this.#expected];
				const client = await this.#link.get();
				const params = { session: this.#session, wait: pollMs };
				const answer = await client.call<LateResult>("late", params, undefined, { background: true });
				pending = answer.pending;
				for (const result of answer.results) this.#receive(result);
				// What the daemon no longer works on had no proof, or was of another content.
				if (pending === 0) for (const expected of asked) this.#expected.delete(expected);
				this.#settle();
			}
		} catch {
			// The daemon is gone, and with it what it was still proving.
			this.#expected.clear();
			this.#settle();
		} finally {
			this.#fetching = false;
		}
	}

	#receive({ call, file, rest, report }: LateResult["results"][number]): void {
		const candidates = [...this.#expected].filter((expected) => expected.call === call && expected.rest === rest);
		const found = candidates.find((expected) => resolve(expected.cwd, file) === expected.file) ?? candidates[0];
		if (!found) return;
		this.#expected.delete(found);
		const text = editBlock(report, found.others);
		if (text !== undefined) this.#ready.push({ call, file: found.file, text, rest, stamp: stampNow(found.file) });
		this.#arrived(report, text);
	}

	#settle(): void {
		if (!this.awaited) for (const done of [...this.#waiting]) done();
	}
}

function stampNow(file: string): string | undefined {
	const info = statSync(file, { bigint: true, throwIfNoEntry: false });
	return info && `${info.mtimeNs}:${info.size}:${info.ino}`;
}
