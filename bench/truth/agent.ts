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

/** Long enough that nothing is left unproven because a machine is slow: how fast it is, other benchmarks say. */
const budgetMs = 60_000;

/** In such steps a tool takes longer, in milliseconds. */
const toolMs = 5;

/** What a report said of one file. */
interface Said {
	readonly file: string;
	readonly role: FileReport["role"];
	readonly state: FileReport["state"];
	readonly reason?: string;
	readonly errors: ReadonlySet<string>;
	/** Errors that are not compared. */
	readonly others: ReadonlySet<string>;
}

const all: Comparison = { hasCodes: true, isCompared: () => true };

/** How what is said is compared. */
export interface Comparison {
	readonly hasCodes: boolean;
	readonly isCompared: (diagnostic: Diagnostic) => boolean;
}

/** What one answer said, and how many files it left out because it had no time for them. */
export interface Answer {
	readonly said: readonly Said[];
	readonly omitted: number;
}

/** An agent with a connection of its own: it tells the daemon of its edits exactly as pi's hook does. */
export class Agent {
	readonly daemon: DaemonClient;
	readonly #cwd: string;
	readonly #comparison: Comparison;
	readonly #session = randomUUID();
	/** The calls of which late results have come since the last check. */
	readonly #told: string[] = [];
	#calls = 0;
	/** What happens between the write of an edit and its check. */
	afterWrite: () => Promise<void> = async () => {};

	constructor(daemon: DaemonClient, cwd: string, comparison = all) {
		this.daemon = daemon;
		this.#cwd = cwd;
		this.#comparison = comparison;
	}

	/** An edit by a tool: the old text goes to the daemon, `write` changes the disk, and what it did is asked for. */
	async edit(file: string, before: string | null, next: string, write: () => void): Promise<Answer> {
		const call = this.announce(file, before, next);
		// The tool takes its time: nothing, or so long that what is asked ahead is on its way, or there.
		await pause((this.#calls % 3) * toolMs);
		write();
		await this.afterWrite();
		return this.ask(file, call);
	}

	/** The first half of an edit: hands the old text over, without waiting. Gives the name of the call. */
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
			confirmed: this.#told.splice(0),
		};
		const { report, more } = await this.daemon.call<CheckEditResult>("check_edit", params);
		const late = more ? await this.#late() : [];
		// What could not be proven is only told of if it was not proven later either.
		const isProven = report.files.some(({ role, state }) => role === "edited" && state === "fresh");
		return answerOf(!isProven && late.length > 0 ? late : [report, ...late], this.#comparison);
	}

	/** What was found behind an answer: pi tells it with the next result. */
	async #late(): Promise<CheckReport[]> {
		const reports: CheckReport[] = [];
		for (const until = Date.now() + budgetMs; Date.now() < until; ) {
			const params: LateParams = { session: this.#session, wait: 100, confirmed: this.#told.splice(0) };
			const { results, more } = await this.daemon.call<LateResult>("late", params);
			reports.push(...results.map(({ report }) => report));
			this.#told.push(...results.map(({ id }) => id));
			if (!more) break;
			if (results.length === 0) await pause(5);
		}
		return reports;
	}

	/** A shell command that changes files; `named` are those that it names, with the texts they had. */
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
			said: answers.flatMap(({ said }) => said),
			omitted: answers.reduce((sum, { omitted }) => sum + omitted, 0),
		};
	}

	/** Asks about files as they are on disk, without an edit. */
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

/** Where the daemon says nothing of files that are gone, the hook hears an error and tells nothing. */
function gone(error: unknown): Answer {
	if ((error as { code?: string }).code === "LSP_FILE_NOT_FOUND") return { said: [], omitted: 0 };
	throw error;
}

function answerOf(reports: readonly CheckReport[], comparison: Comparison): Answer {
	return {
		said: reports.flatMap(({ files }) => files.map((file) => saidOf(file, comparison))),
		omitted: reports.reduce((sum, { omitted }) => sum + omitted.files, 0),
	};
}

function saidOf({ path, role, state, reason, diagnostics }: FileReport, { hasCodes, isCompared }: Comparison): Said {
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

/** What an agent knows of a project: for each file what it was told last. */
export class Knowledge {
	readonly #errors: Map<string, ReadonlySet<string>>;

	/** `errors`: what was wrong before the first edit, which nobody tells an agent. */
	constructor(errors: Errors) {
		this.#errors = new Map(errors);
	}

	get errors(): Errors {
		return this.#errors;
	}

	/** Takes in what an answer has proven. */
	learn({ said }: Answer): void {
		for (const { file, state, errors } of said) if (state === "fresh") this.#errors.set(file, errors);
	}

	/** Forgets a file that is gone. */
	forget(file: string): void {
		this.#errors.delete(file);
	}
}
