import type { CheckReport } from "../findings.ts";
import { stampOf } from "../util/files.ts";
import { Recent } from "../util/recent.ts";
import type { LateResult } from "./protocol.ts";

const forgetAfterMs = 10 * 60_000;
/** Of so many sessions something is kept: as many as there are ledgers. */
const mostSessions = 100;

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
	forget: NodeJS.Timeout | undefined;
}

/** Proofs that came after the hook had to go on: kept until they are asked for, never told twice. */
export class LateResults {
	readonly #bySession = new Recent<Set<Late>>(mostSessions);
	readonly #waiting = new Map<string, Set<() => void>>();

	/** Keeps what `work` will prove about a file. Work that fails or proves nothing is dropped in silence. */
	expect(session: string, about: Omit<Late, "report" | "forget">, work: Promise<CheckReport>): void {
		const lates = this.#bySession.get(session) ?? new Set();
		this.#bySession.set(session, lates);
		const drop = () => {
			this.#drop(session, lates, late);
			this.#wake(session);
		};
		const late: Late = { ...about, report: undefined, forget: setTimeout(drop, forgetAfterMs).unref() };
		lates.add(late);
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
			this.#drop(session, lates, late);
			if (late.report && (await stampOf(late.path)) === late.stamp)
				results.push({ call: late.call, file: late.display, rest: late.rest, report: late.report });
		}
		return { results, pending: lates.size };
	}

	#drop(session: string, lates: Set<Late>, late: Late): void {
		// A report that only its timer still holds is ten minutes of memory.
		clearTimeout(late.forget);
		lates.delete(late);
		if (lates.size === 0 && this.#bySession.get(session) === lates) this.#bySession.delete(session);
	}

	#wait(session: string, ms: number, signal: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			const waiters = this.#waiting.get(session) ?? new Set();
			this.#waiting.set(session, waiters);
			const done = () => {
				clearTimeout(timer);
				waiters.delete(done);
				if (waiters.size === 0) this.#waiting.delete(session);
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
