import { type CheckReport, type Severity, withSeverity } from "../contract/check-report.ts";
import type { LateReport, LateResult } from "../contract/protocol.ts";
import type { AffectedFiles } from "../diagnostics/affected-files.ts";
import type { EditSession } from "../diagnostics/edit-session.ts";
import { type AffectedFindings, isWorthReporting } from "../diagnostics/other-findings.ts";
import { reportOf } from "../diagnostics/reports.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";

/** The call that a session's late findings are told under. */
export interface CausedBy {
	readonly call: string;
	/** The edited file as the caller reads it; undefined for a command, which may have changed several. */
	readonly file?: string;
	/** How many files a command changed. */
	readonly changed?: number;
	readonly cwd: string;
	readonly severity: Severity;
}

/** So many reports that were given and not confirmed are remembered. */
const maxGiven = 20;

/** A check of edited files whose answer came after the hook had to go on. */
interface OwnCheck {
	readonly cause: CausedBy;
	/** The edited files and what they looked like when the check began: a proof for anything else is of no use any more. */
	readonly stamps: ReadonlyMap<string, string | undefined>;
	readonly done: Promise<void>;
	report?: CheckReport;
}

/** What a session is still owed: checks that ran out of time, and what its edits broke elsewhere. */
export class LateReports {
	readonly #session: EditSession;
	readonly #checks = new Set<OwnCheck>();
	/** What leads to further checks. */
	readonly #work = new Set<Promise<void>>();
	/** What to do when the agent has been told of a report, by its id. */
	readonly #given = new Map<string, () => void>();
	#cause: CausedBy | undefined;
	#reports = 0;

	constructor(session: EditSession) {
		this.#session = session;
	}

	/** True while something is being worked out, or is known and has not been told. */
	get isOpen(): boolean {
		return this.#work.size > 0 || this.#checks.size > 0 || this.#session.affected.some((look) => look.isOpen);
	}

	/** Says which call whatever comes late is to be told under. */
	causedBy(cause: CausedBy): void {
		this.#cause = cause;
	}

	/** Keeps what `work` will prove about edited files. Work that fails or proves nothing is dropped in silence. */
	expect(cause: CausedBy, stamps: OwnCheck["stamps"], work: Promise<CheckReport>): void {
		for (const check of this.#checks)
			if ([...check.stamps.keys()].every((path) => stamps.has(path))) this.#checks.delete(check);
		const done = work.then(
			(report) => {
				if (report.files.some(({ role, state }) => role === "edited" && state === "fresh")) check.report = report;
				else this.#checks.delete(check);
			},
			() => void this.#checks.delete(check),
		);
		const check: OwnCheck = { cause, stamps, done };
		this.#checks.add(check);
	}

	/** Goes on with something that begins further checks, behind an answer. */
	follow(work: Promise<void>): void {
		const followed: Promise<void> = work.catch(() => {}).finally(() => this.#work.delete(followed));
		this.#work.add(followed);
	}

	/** The agent has been told of these reports. */
	confirm(ids: readonly string[] = []): void {
		for (const id of ids) {
			this.#given.get(id)?.();
			this.#given.delete(id);
		}
	}

	/** What there is to tell, after at most `waitMs` in which something was out that is likely to matter. */
	async take(waitMs: number, signal: AbortSignal): Promise<LateResult> {
		if (waitMs > 0) await this.#settled(waitMs, signal);
		const results: LateReport[] = [];
		for (const check of [...this.#checks]) {
			const { cause, report, stamps } = check;
			if (!report) continue;
			const current = await Promise.all([...stamps].map(async ([path, stamp]) => (await stampOf(path)) === stamp));
			if (current.every(Boolean)) results.push(this.#give(cause, report, () => this.#checks.delete(check)));
			else this.#checks.delete(check);
		}
		const looks = await Promise.all(this.#session.affected.map(async (look) => [look, await look.found()] as const));
		const others = looks.map(([, found]) => found);
		const tell = () => {
			for (const [look, found] of looks) look.reported(found);
		};
		if (this.#cause && others.some(isSomething)) {
			const report = withSeverity(reportOf([], others, [], this.#cause.cwd), this.#cause.severity);
			results.push(this.#give(this.#cause, report, tell));
		} else tell();
		return { results, more: this.isOpen };
	}

	#give({ call, file, changed }: CausedBy, report: CheckReport, confirmed: () => void): LateReport {
		const id = String(++this.#reports);
		this.#given.set(id, confirmed);
		// What was given long ago and never confirmed has been given again since.
		const [oldest] = this.#given.keys();
		if (oldest !== undefined && this.#given.size > maxGiven) this.#given.delete(oldest);
		return {
			id,
			call,
			...(file === undefined ? {} : { file }),
			...(changed === undefined ? {} : { changed }),
			report,
		};
	}

	async #settled(waitMs: number, signal: AbortSignal): Promise<void> {
		const limit = deadline(waitMs, () => new Error("no longer waited for"), signal);
		await waitOrAbort(Promise.all(this.#work), limit.signal).catch(() => {});
		const waits = [
			...[...this.#checks].map(({ done }) => done),
			...this.#session.affected.map((look: AffectedFiles) => look.settled(limit.signal, true)),
		];
		await waitOrAbort(Promise.allSettled(waits), limit.signal).catch(() => {});
		limit.end(true);
	}
}

function isSomething({ files, changes }: AffectedFindings): boolean {
	return changes.length > 0 || files.some(isWorthReporting);
}
