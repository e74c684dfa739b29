import type { CheckReport } from "../findings.ts";
import { stampOf } from "../util/files.ts";
import type { LateResult } from "./protocol.ts";

const forgetAfterMs = 10 * 60_000;

interface Late {
	readonly call: string;
	/** The edited file. */
	readonly path: string;
	readonly display: string;
	/** True for what was found behind the answer, in other files than the edited one. */
	readonly rest: boolean;
	/** What the file looked like when the check began: a proof for anything else is of no use any more. */
	readonly stamp: string | undefined;
	report: CheckReport | undefined;
}

/** Proofs that came after the hook had to go on: kept until they are asked for, never told twice. */
export class LateResults {
	readonly #bySession = new Map<string, Set<Late>>();
	readonly #waiting = new Map<string, Set<() => void>>();

	/** Keeps what `work` will prove about a file. Work that fails or proves nothing is dropped in silence. */
	expect(session: string, about: Omit<Late, "report">, work: Promise<CheckReport>): void {
		const lates = this.#bySession.get(session) ?? new Set();
		this.#bySession.set(session, lates);
		const late: Late = { ...about, report: undefined };
		lates.add(late);
		const drop = () => {
			lates.delete(late);
			if (lates.size === 0) this.#bySession.delete(session);
			this.#wake(session);
		};
		setTimeout(drop, forgetAfterMs).unref();
		work.then((report) => {
			if (report.files[0]?.state !== "fresh") return drop();
			late.report = report;
			this.#wake(session);
		}, drop);
	}

	/** What a session is owed: at once if something is ready or nothing is on its way, else after at most `wait` ms. */
	async take(session: string, wait: number, signal: AbortSignal): Promise<LateResult> {
		const lates = this.#bySession.get(session) ?? new Set();
		const ready = () => [...lates].filter(({ report }) => report);
		if (ready().length === 0 && lates.size > 0 && wait > 0) await this.#wait(session, wait, signal);
		const results: LateResult["results"][number][] = [];
		for (const late of ready()) {
			lates.delete(late);
			if (late.report && (await stampOf(late.path)) === late.stamp)
				results.push({ call: late.call, file: late.display, rest: late.rest, report: late.report });
		}
		if (lates.size === 0) this.#bySession.delete(session);
		return { results, pending: lates.size };
	}

	#wait(session: string, ms: number, signal: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			const waiters = this.#waiting.get(session) ?? new Set();
			this.#waiting.set(session, waiters);
			const done = () => {
				clearTimeout(timer);
				waiters.delete(done);
				signal.removeEventListener("abort", done);
				resolve();
			};
			const timer = setTimeout(done, ms);
			signal.addEventListener("abort", done, { once: true });
			waiters.add(done);
		});
	}

	#wake(session: string): void {
		for (const done of [...(this.#waiting.get(session) ?? [])]) done();
	}
}
