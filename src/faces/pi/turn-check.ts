import { randomUUID } from "node:crypto";
import { type CheckReport, mergeReports } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import type { BaselineParams, CheckEditParams, CheckEditResult } from "../../contract/protocol.ts";
import { causedErrors, turnText } from "../../render/check/turn.ts";
import { deadline, waitOrAbort } from "../../util/abort.ts";
import type { DaemonLink } from "../daemon-link.ts";
import type { LateResults } from "./late-results.ts";

/** A file that changed in this turn. */
interface Changed {
	/** As the model named it first. */
	readonly file: string;
	readonly cwd: string;
	/** What it held before; null if it did not exist, undefined if that is not known. */
	readonly text: string | null | undefined;
	changed: boolean;
}

/**
 * Mode `turn`: remembers which files a turn changes and what they held, and proves them all in one go. It may be asked
 * to check ahead, while the model still speaks: only what holds for the last change counts.
 */
export class TurnCheck {
	readonly #link: DaemonLink;
	readonly #session: string;
	readonly #late: LateResults;
	readonly #checked: (report: CheckReport, isTold: boolean) => void;
	#files = new Map<string, Changed>();
	/** Errors that the model has been told of; each is told once as long as it stays. */
	readonly #told = new Set<string>();
	#changes = 0;
	#run:
		| { readonly changes: number; readonly done: Promise<void>; text?: string | undefined; ended: boolean }
		| undefined;
	/** Names the next check; the daemon keeps the baselines under it. */
	#call = randomUUID();
	#handed: "fresh" | "used" = "fresh";

	constructor(
		link: DaemonLink,
		session: string,
		late: LateResults,
		checked: (report: CheckReport, isTold: boolean) => void,
	) {
		this.#link = link;
		this.#session = session;
		this.#late = late;
		this.#checked = checked;
	}

	/** Before a call changes a file: what it holds is what this turn's errors are told from. Warms the server up. */
	before(path: string, file: string, cwd: string, text: string | null | undefined): void {
		if (this.#files.has(path)) return;
		const known: Changed = { file, cwd, text, changed: false };
		this.#files.set(path, known);
		this.#hand(known);
	}

	/** After a call has changed a file. */
	changed(path: string): void {
		const known = this.#files.get(path);
		if (!known) return;
		known.changed = true;
		this.#changes++;
	}

	/** True if something changed that has not been told as proven. */
	get open(): boolean {
		return [...this.#files.values()].some(({ changed }) => changed);
	}

	/** True if what `take` gives holds for the last change. */
	get ready(): boolean {
		return this.#run?.ended === true && this.#run.changes === this.#changes;
	}

	/** Begins to check what has changed, unless that is done or under way; resolves when it is known or time is up. */
	async check(budgetMs: number, signal: AbortSignal | undefined): Promise<void> {
		if (!this.open) return;
		if (this.#run?.changes === this.#changes) return waitOrAbort(this.#run.done, signal).catch(() => {});
		const limit = deadline(budgetMs, () => new LspError("LSP_SERVER_TIMEOUT", "out of time"), signal);
		const run = {
			changes: this.#changes,
			ended: false,
			text: undefined as string | undefined,
			done: Promise.resolve(),
		};
		run.done = this.#prove(limit.signal)
			.then((text) => {
				run.text = text;
				run.ended = true;
			})
			.catch(() => {
				// Stopped by the person, or no daemon: the next end of a turn tries again.
				if (this.#run === run) this.#run = undefined;
			})
			.finally(() => limit.end());
		this.#run = run;
		return run.done;
	}

	/** What the model has to be told, once; the next change begins a new turn. */
	take(): string | undefined {
		if (!this.ready) return undefined;
		const text = this.#run?.text;
		this.clear();
		return text;
	}

	clear(): void {
		this.#files = new Map();
		this.#run = undefined;
		this.#call = randomUUID();
		this.#handed = "fresh";
	}

	async #prove(signal: AbortSignal): Promise<string | undefined> {
		const files = [...this.#files.values()].filter(({ changed }) => changed);
		// A check uses its baselines up; if the turn went on after it, they are handed over once more.
		if (this.#handed === "used") {
			this.#call = randomUUID();
			for (const known of files) this.#hand(known);
		}
		this.#handed = "used";
		const call = this.#call;
		const reports = await Promise.all(
			files.map(async ({ file, cwd }) => {
				const checking = this.#late.confirming((told) => {
					const params: CheckEditParams = { cwd, session: this.#session, call, file, scope: "affected", told };
					return this.#link.call<CheckEditResult>("check_edit", params, signal);
				});
				try {
					const { report, more } = await waitOrAbort(checking, signal);
					this.#late.expectFrom(call, { cwd, others: "full" }, more);
					return report;
				} catch (error) {
					if (signal.aborted) throw error;
					return undefined;
				}
			}),
		);
		const report = mergeReports(reports.filter((found) => found !== undefined));
		const text = this.#anyUntold(report) ? turnText(report) : undefined;
		this.#checked(report, text !== undefined);
		return text;
	}

	#hand({ file, cwd, text }: Changed): void {
		if (text === undefined) return;
		const params: BaselineParams = { cwd, session: this.#session, call: this.#call, file, text };
		this.#link.notify("baseline", params);
	}

	/** True if the report has an error that the model has not been told of. What is gone may be told again. */
	#anyUntold(report: CheckReport): boolean {
		let untold = false;
		for (const file of report.files) {
			const errors = new Set(causedErrors(file));
			const prefix = `[${JSON.stringify(file.path)},`;
			for (const told of this.#told)
				if (file.state === "fresh" && told.startsWith(prefix) && !errors.has(told)) this.#told.delete(told);
			for (const error of errors) {
				untold ||= !this.#told.has(error);
				this.#told.add(error);
			}
		}
		return untold;
	}
}
