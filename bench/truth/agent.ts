import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckReport, Diagnostic, FileReport } from "../../src/contract/check-report.ts";
import type {
	BaselineParams,
	ChangedByResult,
	CheckEditParams,
	CheckEditResult,
	CommandParams,
	LateParams,
	LateResult,
} from "../../src/contract/protocol.ts";
import type { DaemonClient } from "../../src/daemon/lifecycle/connect.ts";
import { pause } from "../../src/util/abort.ts";
import { codeOf, type Errors } from "./errors.ts";

/** Long enough for a slow machine to prove everything; other benchmarks measure speed. */
const budgetMs = 60_000;

/** How much longer the tool takes in each step, in milliseconds. */
const toolMs = 5;

/** The findings of a report in one file. */
interface FileFindings {
	readonly file: string;
	readonly role: FileReport["role"];
	readonly state: FileReport["state"];
	readonly reason?: string;
	readonly errors: ReadonlySet<string>;
	/** Errors that are not compared. */
	readonly others: ReadonlySet<string>;
}

const all: Comparison = { hasCodes: true, isCompared: () => true };

/** How findings are compared. */
export interface Comparison {
	readonly hasCodes: boolean;
	readonly isCompared: (diagnostic: Diagnostic) => boolean;
}

/** `omitted`: the files that the answer left out for lack of time. */
export interface Answer {
	readonly findings: readonly FileFindings[];
	readonly omitted: number;
}

/** An agent with its own connection, which announces its edits to the daemon exactly as pi's hook does. */
export class Agent {
	readonly daemon: DaemonClient;
	readonly #cwd: string;
	readonly #comparison: Comparison;
	readonly #session = randomUUID();
	/** Calls whose late results have come since the last check. */
	readonly #received: string[] = [];
	#calls = 0;
	/** Runs between the write of an edit and its check. */
	afterWrite: () => Promise<void> = async () => {};

	constructor(daemon: DaemonClient, cwd: string, comparison = all) {
		this.daemon = daemon;
		this.#cwd = cwd;
		this.#comparison = comparison;
	}

	/** An edit by a tool: announces the old text, lets `write` change the disk, and checks the edit. */
	async edit(file: string, before: string | null, next: string, write: () => void): Promise<Answer> {
		const call = this.announce(file, before, next);
		// The tool takes no time, or so long that requests made ahead are pending or answered.
		await pause((this.#calls % 3) * toolMs);
		write();
		await this.afterWrite();
		return this.ask(file, call);
	}

	/** The first half of an edit: sends the old text without waiting. Returns the name of the call. */
	announce(file: string, before: string | null, next?: string): string {
		const call = `call-${++this.#calls}`;
		this.#baseline(file, call, before, next);
		return call;
	}

	/** The second half of an edit. */
	async ask(file: string, call: string): Promise<Answer> {
		const params: CheckEditParams = {
			cwd: this.#cwd,
			session: this.#session,
			call,
			file,
			scope: "affected",
			budget: budgetMs,
			confirmed: this.#received.splice(0),
		};
		const { report, more } = await this.daemon.call<CheckEditResult>("check_edit", params);
		const late = more ? await this.#late() : [];
		// An unproven file is reported only if it was not proven later either.
		const isProven = report.files.some(({ role, state }) => role === "edited" && state === "fresh");
		return answerOf(!isProven && late.length > 0 ? late : [report, ...late], this.#comparison);
	}

	/** The findings after an answer, which pi reports with the next result. */
	async #late(): Promise<CheckReport[]> {
		const reports: CheckReport[] = [];
		for (const until = Date.now() + budgetMs; Date.now() < until; ) {
			const params: LateParams = { session: this.#session, wait: 100, confirmed: this.#received.splice(0) };
			const { results, more } = await this.daemon.call<LateResult>("late", params);
			reports.push(...results.map(({ report }) => report));
			this.#received.push(...results.map(({ id }) => id));
			if (!more) break;
			if (results.length === 0) await pause(5);
		}
		return reports;
	}

	/** A shell command that changes files; `named` are the files in the command, with their old texts. */
	async command(named: ReadonlyMap<string, string>, run: () => void): Promise<Answer> {
		const call = `call-${++this.#calls}`;
		const params: CommandParams = { cwd: this.#cwd, session: this.#session, call };
		this.daemon.notify("command", { ...params, at: Date.now() });
		run();
		const changed = await this.daemon.call<ChangedByResult>("changed_by", params);
		const touched = [...named].filter(([file, text]) => textNow(join(this.#cwd, file)) !== text);
		const files = [...new Set([...touched.map(([file]) => file), ...changed.files])];
		const answers = await Promise.all(
			files.map(async (file) => {
				const before = named.get(file);
				if (before !== undefined) this.#baseline(file, call, before);
				return this.ask(file, call).catch(gone);
			}),
		);
		return {
			findings: answers.flatMap(({ findings }) => findings),
			omitted: answers.reduce((sum, { omitted }) => sum + omitted, 0),
		};
	}

	/** Checks files as they are on disk, without an edit. */
	async check(files: readonly string[], scope: "file" | "affected"): Promise<Answer> {
		const input = { files, scope, severity: "error", timeout: budgetMs };
		return answerOf([await this.daemon.call<CheckReport>("check", { cwd: this.#cwd, input })], this.#comparison);
	}

	#baseline(file: string, call: string, text: string | null, next?: string): void {
		const params: BaselineParams = {
			cwd: this.#cwd,
			session: this.#session,
			call,
			file,
			text,
			...(next === undefined ? {} : { next }),
		};
		this.daemon.notify("baseline", params);
	}
}

function textNow(path: string): string | undefined {
	return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** For deleted files the daemon sends an error, for which the hook reports nothing. */
function gone(error: unknown): Answer {
	if ((error as { code?: string }).code === "LSP_FILE_NOT_FOUND") return { findings: [], omitted: 0 };
	throw error;
}

function answerOf(reports: readonly CheckReport[], comparison: Comparison): Answer {
	return {
		findings: reports.flatMap(({ files }) => files.map((file) => findingsOf(file, comparison))),
		omitted: reports.reduce((sum, { omitted }) => sum + omitted.files, 0),
	};
}

function findingsOf(
	{ path, role, state, reason, diagnostics }: FileReport,
	{ hasCodes, isCompared }: Comparison,
): FileFindings {
	const errors = diagnostics.filter(({ severity }) => severity === "error");
	const places = (some: readonly Diagnostic[]) =>
		new Set(some.map(({ line, code }) => `${line} ${hasCodes ? codeOf(code ?? "") : ""}`));
	return {
		file: path,
		role,
		state,
		...(reason === undefined ? {} : { reason }),
		errors: places(errors.filter(isCompared)),
		others: places(errors.filter((error) => !isCompared(error))),
	};
}

/** The last reported errors of each file. */
export class Knowledge {
	readonly #errors: Map<string, ReadonlySet<string>>;

	/** `errors`: those before the first edit, which are not reported to an agent. */
	constructor(errors: Errors) {
		this.#errors = new Map(errors);
	}

	get errors(): Errors {
		return this.#errors;
	}

	/** Keeps the proven files of an answer. */
	learn({ findings }: Answer): void {
		for (const { file, state, errors } of findings) if (state === "fresh") this.#errors.set(file, errors);
	}

	forget(file: string): void {
		this.#errors.delete(file);
	}
}
