import { type CheckReport, type Severity, withSeverity } from "../contract/check-report.ts";
import type { LateReport, LateResult } from "../contract/protocol.ts";
import type { EditSession } from "../diagnostics/edit-session.ts";
import { type AffectedFindings, isWorthReporting } from "../diagnostics/other-findings.ts";
import { reportOf } from "../diagnostics/reports.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";

export interface Cause {
	readonly call: string;
	/** Undefined for a command. */
	readonly file?: string;
	readonly changed?: number;
	readonly cwd: string;
	readonly severity: Severity;
}

const maxUnconfirmed = 20;
const maxAnswered = 500;

interface OwnCheck {
	readonly cause: Cause;
	/** Another stamp of a file drops the report. */
	readonly stamps: ReadonlyMap<string, string | undefined>;
	readonly done: Promise<void>;
	report?: CheckReport;
}

export class LateReports {
	readonly #session: EditSession;
	readonly #checks = new Set<OwnCheck>();
	readonly #work = new Set<Promise<void>>();
	/** By report id: called when the agent has it. */
	readonly #unconfirmed = new Map<string, () => void>();
	/** By path, of the last text proven in time. */
	readonly #answered = new LruMap<string>(maxAnswered);
	cause: Cause | undefined;
	#lastId = 0;

	constructor(session: EditSession) {
		this.#session = session;
	}

	get isOpen(): boolean {
		return this.#work.size > 0 || this.#checks.size > 0 || this.#session.unreported.some(({ isOpen }) => isOpen);
	}

	expect(cause: Cause, stamps: OwnCheck["stamps"], work: Promise<CheckReport>): void {
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

	answered(stamps: OwnCheck["stamps"], { files }: CheckReport): void {
		if (!files.some(({ role, state }) => role === "edited" && state === "fresh")) return;
		for (const [path, stamp] of stamps) if (stamp !== undefined) this.#answered.set(path, stamp);
	}

	follow(work: Promise<void>): void {
		const followed: Promise<void> = work.catch(() => {}).finally(() => this.#work.delete(followed));
		this.#work.add(followed);
	}

	confirm(ids: readonly string[] = []): void {
		for (const id of ids) {
			this.#unconfirmed.get(id)?.();
			this.#unconfirmed.delete(id);
		}
	}

	/** Waits for checks that probably find something. */
	async take(waitMs: number, signal: AbortSignal): Promise<LateResult> {
		if (waitMs > 0 && this.isOpen) await this.#settled(waitMs, signal);
		const results: LateReport[] = [];
		for (const check of [...this.#checks]) {
			const { cause, report, stamps } = check;
			if (!report) continue;
			const current = await Promise.all([...stamps].map(async ([path, stamp]) => (await stampOf(path)) === stamp));
			const isAnswered = [...stamps].every(
				([path, stamp]) => stamp !== undefined && this.#answered.get(path) === stamp,
			);
			if (current.every(Boolean) && !isAnswered)
				results.push(this.#give(cause, report, () => this.#checks.delete(check)));
			else this.#checks.delete(check);
		}
		const found = await Promise.all(
			this.#session.unreported.map(async (affected) => ({ affected, findings: await affected.currentFindings() })),
		);
		const others = found.map(({ findings }) => findings);
		const confirmed = () => {
			for (const { affected, findings } of found) affected.reported(findings);
		};
		if (this.cause && others.some(isWorthwhile)) {
			const report = withSeverity(reportOf([], others, [], this.cause.cwd), this.cause.severity);
			results.push(this.#give(this.cause, report, confirmed));
		} else confirmed();
		return { results, more: this.isOpen };
	}

	#give({ call, file, changed }: Cause, report: CheckReport, confirmed: () => void): LateReport {
		const id = String(++this.#lastId);
		this.#unconfirmed.set(id, confirmed);
		const [oldest] = this.#unconfirmed.keys();
		if (oldest !== undefined && this.#unconfirmed.size > maxUnconfirmed) this.#unconfirmed.delete(oldest);
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
			...this.#session.affected.map((affected) => affected.settled(limit.signal, true)),
		];
		await waitOrAbort(Promise.allSettled(waits), limit.signal).catch(() => {});
		limit.abort();
	}
}

function isWorthwhile({ files, changes }: AffectedFindings): boolean {
	return changes.length > 0 || files.some(isWorthReporting);
}
