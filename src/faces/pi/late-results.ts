import { resolve } from "node:path";
import type { CheckReport } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import type { LateParams, LateReport, LateResult } from "../../contract/protocol.ts";
import type { OtherFiles } from "../../render/check/diagnostics.ts";
import { lateText } from "../../render/check/turn.ts";
import { type Deadline, deadline, waitOrAbort } from "../../util/abort.ts";
import { stampNow } from "../../util/files.ts";
import { LruMap } from "../../util/lru-map.ts";
import type { DaemonLink } from "../daemon-link.ts";

/** What an answer may take beyond the time that the daemon was told to wait, in milliseconds. */
const slackMs = 250;
const maxCalls = 200;

/** How what comes late of a call is told. */
export interface Expected {
	/** Its paths are relative to this directory. */
	readonly cwd: string;
	readonly others: OtherFiles;
}

/** A late report that may be told. */
export interface Late {
	readonly id: string;
	readonly report: CheckReport;
	/** Undefined if the agent has nothing to read: only the person's footer changes. */
	readonly text: string | undefined;
	/** The files of which it tells, by absolute path, as they were on the disk when it came. */
	readonly stamps: ReadonlyMap<string, string | undefined>;
	/** How often something had been told when it was asked for. */
	readonly tells: number;
}

/**
 * What is found after the result of its call has gone to the agent. The daemon keeps the findings and gives them, for the
 * state of now, until they are confirmed; here stands only whether it has any, and what is to be confirmed with the next call.
 */
export class LateResults {
	readonly #link: DaemonLink;
	readonly #session: string;
	readonly #shown: (report: CheckReport, isTold: boolean) => void;
	readonly #calls = new LruMap<Expected>(maxCalls);
	#unconfirmed: string[] = [];
	#owed = false;
	#asking: Deadline | undefined;
	/** Counts the calls that left something open: an answer that was asked for before one of them does not know of it. */
	#expected = 0;
	/** Counts how often something was told: an answer that was asked for before may hold the same once more. */
	#tells = 0;

	/** `shown` hears every report when it is told. */
	constructor(link: DaemonLink, session: string, shown: (report: CheckReport, isTold: boolean) => void) {
		this.#link = link;
		this.#session = session;
		this.#shown = shown;
	}

	/** Says what the daemon answered to a call: `more` if it goes on to work for it. */
	expectFrom(call: string, expected: Expected, more: boolean): void {
		if (!more) return;
		this.#calls.set(call, expected);
		this.#expected++;
		this.#owed = true;
	}

	/** True if the daemon may have something to tell. */
	get owed(): boolean {
		return this.#owed;
	}

	/** Makes a call that confirms what the agent has been told; what a lost call confirmed goes with the next one. */
	async confirming<T>(call: (told: readonly string[]) => Promise<T>): Promise<T> {
		const told = this.#unconfirmed.splice(0);
		try {
			return await call(told);
		} catch (error) {
			this.#unconfirmed.unshift(...told);
			throw error;
		}
	}

	/**
	 * What the daemon has to tell, after at most `waitMs`; nothing is asked if it has nothing. What is not handed to `tell`
	 * is given again. Whoever asked before and waits still gets nothing: two of them would tell the same.
	 */
	async take(waitMs: number, signal: AbortSignal | undefined): Promise<readonly Late[]> {
		this.#asking?.end(true);
		if (!this.#owed) return [];
		const limit = deadline(waitMs + slackMs, () => new LspError("LSP_SERVER_TIMEOUT", "out of time"), signal);
		this.#asking = limit;
		const [expected, tells] = [this.#expected, this.#tells];
		try {
			const { results, more } = await waitOrAbort(this.#ask(waitMs, limit.signal), limit.signal);
			// What it has given it keeps until that is confirmed.
			this.#owed = more || results.length > 0 || this.#expected !== expected;
			return results.map((result) => this.#late(result, tells));
		} catch {
			// Not in time, or Esc: the next one gets it.
			return [];
		} finally {
			limit.end();
		}
	}

	/**
	 * The texts to tell now. Left out is what another one may have told meanwhile, and what is of another content than the
	 * disk has by now: the daemon gives it again as it is then.
	 */
	tell(lates: readonly Late[]): string[] {
		const now = lates.filter((late) => late.tells === this.#tells && isUnchanged(late));
		if (now.length > 0) this.#tells++;
		for (const { id, report, text } of now) {
			this.#unconfirmed.push(id);
			this.#shown(report, text !== undefined);
		}
		return now.flatMap(({ text }) => text ?? []);
	}

	/** Drops everything: nobody wants to know any more. */
	clear(): void {
		this.#asking?.end(true);
		this.#owed = false;
		this.#tells++;
	}

	async #ask(wait: number, signal: AbortSignal): Promise<LateResult> {
		const client = await this.#link.current();
		// The daemon is gone, and with it what it knew.
		if (!client) return { results: [], more: false };
		return this.confirming((told) => {
			const params: LateParams = { session: this.#session, wait, told };
			return client.call<LateResult>("late", params, signal);
		});
	}

	#late({ id, call, changed, report }: LateReport, tells: number): Late {
		const { cwd, others } = this.#calls.get(call) ?? { cwd: ".", others: "full" };
		const failing = report.files.filter(({ diagnostics }) => diagnostics.length > 0);
		const paths = failing.map(({ path }) => resolve(cwd, path));
		return {
			id,
			report,
			text: lateText(report, others, changed),
			stamps: new Map(paths.map((path) => [path, stampNow(path)])),
			tells,
		};
	}
}

function isUnchanged({ stamps }: Late): boolean {
	return [...stamps].every(([path, stamp]) => stampNow(path) === stamp);
}
