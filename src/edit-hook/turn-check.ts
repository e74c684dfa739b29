import { randomUUID } from "node:crypto";
import { type CheckReport, mergeReports } from "../contract/check-report.ts";
import { LspError } from "../contract/errors.ts";
import type { BaselineParams, CheckEditParams, CheckEditResult } from "../contract/protocol.ts";
import { causedErrorKeys, turnText } from "../render/check/turn.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import type { DaemonCalls } from "./host.ts";
import type { LateResults } from "./late-results.ts";

interface Original {
	readonly file: string;
	readonly cwd: string;
	/** Null for a missing file, undefined if unknown. */
	readonly text: string | null | undefined;
}

interface TurnFile extends Original {
	isChanged: boolean;
}

interface Run {
	readonly changes: number;
	done: Promise<void>;
	text?: string | undefined;
	ended: boolean;
}

/** Mode `turn`: a result counts only if no change came after its check began. */
export class TurnCheck {
	readonly #daemon: DaemonCalls;
	readonly #session: string;
	readonly #late: LateResults;
	readonly #onReport: (report: CheckReport, isShown: boolean) => void;
	#files = new Map<string, TurnFile>();
	readonly #reported = new Set<string>();
	#changes = 0;
	#run: Run | undefined;
	#call = randomUUID();
	#areBaselinesUsed = false;

	constructor(
		daemon: DaemonCalls,
		session: string,
		late: LateResults,
		onReport: (report: CheckReport, isShown: boolean) => void,
	) {
		this.#daemon = daemon;
		this.#session = session;
		this.#late = late;
		this.#onReport = onReport;
	}

	/** The baseline also starts the server. */
	beforeChange(path: string, original: Original): void {
		if (this.#files.has(path)) return;
		this.#files.set(path, { ...original, isChanged: false });
		this.#sendBaseline(original);
	}

	changed(path: string): void {
		const file = this.#files.get(path);
		if (!file) return;
		file.isChanged = true;
		this.#changes++;
	}

	get hasChanges(): boolean {
		return [...this.#files.values()].some(({ isChanged }) => isChanged);
	}

	async check(budgetMs: number, signal: AbortSignal | undefined): Promise<void> {
		if (!this.hasChanges) return;
		if (this.#run?.changes === this.#changes) return waitOrAbort(this.#run.done, signal).catch(() => {});
		const limit = deadline(budgetMs, () => new LspError("LSP_SERVER_TIMEOUT", "out of time"), signal);
		const run: Run = { changes: this.#changes, ended: false, done: Promise.resolve() };
		run.done = this.#checkFiles(limit.signal)
			.then((text) => {
				run.text = text;
				run.ended = true;
			})
			.catch(() => {
				if (this.#run === run) this.#run = undefined;
			})
			.finally(() => limit.end());
		this.#run = run;
		return run.done;
	}

	take(): string | undefined {
		if (!this.#run?.ended || this.#run.changes !== this.#changes) return undefined;
		const { text } = this.#run;
		this.clear();
		return text;
	}

	clear(): void {
		this.#daemon.endCall(this.#call);
		this.#files = new Map();
		this.#run = undefined;
		this.#call = randomUUID();
		this.#areBaselinesUsed = false;
	}

	async #checkFiles(signal: AbortSignal): Promise<string | undefined> {
		const files = [...this.#files.values()].filter(({ isChanged }) => isChanged);
		if (this.#areBaselinesUsed) {
			this.#call = randomUUID();
			for (const file of files) this.#sendBaseline(file);
		}
		this.#areBaselinesUsed = true;
		const call = this.#call;
		const reports = await Promise.all(
			files.map(async ({ file, cwd }) => {
				const request = (confirmed: readonly string[]) => {
					const params: CheckEditParams = { cwd, session: this.#session, call, file, scope: "affected", confirmed };
					return this.#daemon.call<CheckEditResult>("check_edit", params, signal);
				};
				try {
					return (await this.#late.check(call, { cwd, others: "full" }, request, signal)).report;
				} catch (error) {
					if (signal.aborted) throw error;
					return undefined;
				}
			}),
		);
		this.#daemon.endCall(call);
		const report = mergeReports(reports.filter((found) => found !== undefined));
		const text = this.#recordErrors(report) ? turnText(report) : undefined;
		this.#onReport(report, text !== undefined);
		return text;
	}

	#sendBaseline({ file, cwd, text }: Original): void {
		if (text === undefined) return;
		const params: BaselineParams = { cwd, session: this.#session, call: this.#call, file, text };
		this.#daemon.announce(params);
	}

	#recordErrors(report: CheckReport): boolean {
		let isAnyNew = false;
		for (const file of report.files) {
			const errors = new Set(causedErrorKeys(file));
			const prefix = `[${JSON.stringify(file.path)},`;
			for (const error of this.#reported)
				if (file.state === "fresh" && error.startsWith(prefix) && !errors.has(error)) this.#reported.delete(error);
			for (const error of errors) {
				isAnyNew ||= !this.#reported.has(error);
				this.#reported.add(error);
			}
		}
		return isAnyNew;
	}
}
