import { resolve } from "node:path";
import type { CheckReport } from "../contract/check-report.ts";
import { LspError } from "../contract/errors.ts";
import type { LateParams, LateReport, LateResult } from "../contract/protocol.ts";
import type { OtherFiles } from "../render/check/diagnostics.ts";
import { lateText } from "../render/check/turn.ts";
import { type Deadline, deadline, waitOrAbort } from "../util/abort.ts";
import { stampNow } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";
import type { DaemonCalls } from "./host.ts";

const slackMs = 250;
const maxCalls = 200;

interface LateCall {
	readonly cwd: string;
	readonly others: OtherFiles;
}

export interface LateFinding {
	readonly id: string;
	readonly report: CheckReport;
	readonly text: string | undefined;
	/** By absolute path, when the report came. */
	readonly stamps: ReadonlyMap<string, string | undefined>;
	readonly deliveries: number;
}

/** The daemon repeats them, updated, until confirmed. */
export class LateResults {
	readonly #daemon: DaemonCalls;
	readonly #session: string;
	readonly #onReport: (report: CheckReport, isShown: boolean) => void;
	readonly #calls = new LruMap<LateCall>(maxCalls);
	#unconfirmed: string[] = [];
	#pending = false;
	#fetching: Deadline | undefined;
	#checks = 0;
	/** An earlier fetch may repeat their findings. */
	#deliveries = 0;

	constructor(daemon: DaemonCalls, session: string, onReport: (report: CheckReport, isShown: boolean) => void) {
		this.#daemon = daemon;
		this.#session = session;
		this.#onReport = onReport;
	}

	async check<Result extends { readonly more: boolean } | undefined>(
		call: string,
		context: LateCall,
		request: (confirmed: readonly string[]) => Promise<Result>,
		signal: AbortSignal | undefined,
	): Promise<Result> {
		const result = await waitOrAbort(this.#confirming(request), signal);
		if (result?.more) {
			this.#calls.set(call, context);
			this.expectMore();
		}
		return result;
	}

	expectMore(): void {
		this.#checks++;
		this.#pending = true;
	}

	get pending(): boolean {
		return this.#pending;
	}

	/** Resolves with nothing for an earlier fetch: none is delivered twice. */
	async fetch(waitMs: number, signal: AbortSignal | undefined): Promise<readonly LateFinding[]> {
		this.#fetching?.abort();
		if (!this.#pending) return [];
		const limit = deadline(waitMs + slackMs, () => new LspError("LSP_SERVER_TIMEOUT", "out of time"), signal);
		this.#fetching = limit;
		const [checks, deliveries] = [this.#checks, this.#deliveries];
		try {
			const { results, more } = await waitOrAbort(this.#request(waitMs, limit.signal), limit.signal);
			this.#pending = more || results.length > 0 || this.#checks !== checks;
			return results.map((result) => this.#finding(result, deliveries));
		} catch {
			return [];
		} finally {
			limit.end();
		}
	}

	deliver(findings: readonly LateFinding[]): string[] {
		const valid = findings.filter((each) => each.deliveries === this.#deliveries && isUnchanged(each));
		if (valid.length > 0) this.#deliveries++;
		for (const { id, report, text } of valid) {
			this.#unconfirmed.push(id);
			this.#onReport(report, text !== undefined);
		}
		return valid.flatMap(({ text }) => text ?? []);
	}

	clear(): void {
		this.#fetching?.abort();
		this.#pending = false;
		this.#deliveries++;
	}

	/** A failed request leaves its ids to the next. */
	async #confirming<T>(request: (confirmed: readonly string[]) => Promise<T>): Promise<T> {
		const confirmed = this.#unconfirmed.splice(0);
		try {
			return await request(confirmed);
		} catch (error) {
			this.#unconfirmed.unshift(...confirmed);
			throw error;
		}
	}

	async #request(wait: number, signal: AbortSignal): Promise<LateResult> {
		const client = await this.#daemon.current();
		if (!client) return { results: [], more: false };
		return this.#confirming((confirmed) => {
			const params: LateParams = { session: this.#session, wait, confirmed };
			return client.call<LateResult>("late", params, signal);
		});
	}

	#finding({ id, call, changed, report }: LateReport, deliveries: number): LateFinding {
		const { cwd, others } = this.#calls.get(call) ?? { cwd: ".", others: "full" };
		const failing = report.files.filter(({ diagnostics }) => diagnostics.length > 0);
		const paths = failing.map(({ path }) => resolve(cwd, path));
		return {
			id,
			report,
			text: lateText(report, others, changed),
			stamps: new Map(paths.map((path) => [path, stampNow(path)])),
			deliveries,
		};
	}
}

function isUnchanged({ stamps }: LateFinding): boolean {
	return [...stamps].every(([path, stamp]) => stampNow(path) === stamp);
}
