import type { DaemonClient } from "../../src/daemon/lifecycle/connect.ts";
import type { Oracle } from "../oracle.ts";
import { Agent, type Answer, Knowledge } from "./agent.ts";
import type { Kind } from "./change.ts";
import { type Difference, differenceOf, differencesOf, type Errors, sizeOf } from "./errors.ts";
import type { Project } from "./project.ts";
import { Questions } from "./questions.ts";
import { Random } from "./random.ts";
import { type Step, Steps } from "./steps.ts";
import type { Subject } from "./subject.ts";
import { Tally } from "./tally.ts";

const clients = 5;
const checkpointEvery = 10;
/** A server that crashes a fifth time within three minutes counts as broken, and its files stay unproven. */
const kills = 4;

export interface SessionOptions {
	readonly edits: number;
	readonly random: Random;
	readonly connect: () => Promise<DaemonClient>;
	readonly oracle: Oracle;
	readonly judge?: Oracle;
	readonly log: (line: string) => void;
}

/** Makes the edits of one subject, and compares pi-lsp's findings with the compiler's after each. */
export async function runSession(subject: Subject, project: Project, options: SessionOptions): Promise<Tally> {
	const { codes = true, isCompilers = () => true } = subject;
	const comparison = { hasCodes: codes, isCompared: isCompilers };
	const daemons = await Promise.all(Array.from({ length: clients }, options.connect));
	try {
		return await new Session(
			subject,
			project,
			options,
			daemons.map((daemon) => new Agent(daemon, project.root, comparison)),
		).run();
	} finally {
		for (const daemon of daemons) daemon.close();
	}
}

class Session {
	readonly #subject: Subject;
	readonly #project: Project;
	readonly #options: SessionOptions;
	readonly #agents: readonly Agent[];
	readonly #tally = new Tally();
	readonly #questions: readonly Questions[];
	#knowledge = new Knowledge(new Map());
	/** The differences so far, so that each is logged with the edit that led to it. */
	#known = new Set<string>();

	constructor(subject: Subject, project: Project, options: SessionOptions, agents: readonly Agent[]) {
		this.#subject = subject;
		this.#project = project;
		this.#options = options;
		this.#agents = agents;
		this.#questions = agents.map((agent, index) => {
			const questions = new Questions(agent.daemon, project, new Random(index + 1), subject.isSource);
			agent.afterWrite = () => questions.ask();
			return questions;
		});
	}

	async run(): Promise<Tally> {
		const { edits, random, oracle } = this.#options;
		this.#knowledge = new Knowledge((await oracle()).errors);
		const steps = new Steps(this.#subject, this.#project, random, this.#agents);
		for (let n = 1; n <= edits; n++) {
			const killed = n % Math.ceil(edits / kills) === 0;
			if (killed) {
				await this.#askEverything(n);
				await steps.kill();
			}
			await this.#questions[0]?.ask();
			const step = await steps.make(n, killed ? "after the server was killed" : undefined);
			await this.#judge(n, step);
		}
		await this.#askEverything(edits);
		this.#project.verify();
		this.#tally.questions = this.#questions.reduce((sum, { asked }) => sum + asked, 0);
		return this.#tally;
	}

	async #judge(n: number, step: Step): Promise<void> {
		const tally = this.#tally;
		for (const file of step.gone) this.#knowledge.forget(file);
		for (const answer of step.answers) this.#knowledge.learn(answer);
		for (const file of step.gone) this.#knowledge.forget(file);
		const verdict = await this.#options.oracle();
		tally.saw(verdict);
		tally.made(step.kind);
		const wrong = this.#wrongOf(step.answers, verdict.errors);
		tally.edited(
			step.kind,
			step.answers.flatMap(({ findings }) => findings.filter(({ role }) => role === "edited")).length,
			wrong,
		);
		tally.omitted += step.answers.reduce((sum, { omitted }) => sum + omitted, 0);
		for (const { findings } of step.answers)
			for (const { file, state, reason } of findings)
				if (state !== "fresh") {
					tally.unproven++;
					this.#log(n, step, `not proven: ${file}: ${state}: ${reason ?? ""}`);
				}
		if (verdict.errors.size === 0)
			for (const { file, others } of step.answers.flatMap(({ findings }) => findings))
				if (others.size > 0) {
					tally.invented += others.size;
					this.#log(n, step, `${file}: in a project that compiles: ${[...others].join(", ")}`);
				}
		const differences = differencesOf(verdict.errors, this.#knowledge.errors);
		for (const difference of wrong) this.#log(n, step, `EDITED FILE WRONG: ${textOf(difference)}`);
		this.#logNew(n, step, differences);
		if (n % checkpointEvery !== 0 && n !== this.#options.edits) return;
		await this.#verify(verdict.errors);
		tally.checkpoint(sizeOf(verdict.errors), differences);
	}

	/** The quick oracle must agree with the compiler. */
	async #verify(truth: Errors): Promise<void> {
		const real = await this.#options.judge?.();
		const [first] = real ? differencesOf(real.errors, truth) : [];
		if (first) throw new Error(`the quick oracle is not the compiler: ${textOf(first)}`);
	}

	/** The wrong findings in edited files. */
	#wrongOf(answers: readonly Answer[], truth: Errors): Difference[] {
		return answers.flatMap(({ findings }) =>
			findings.flatMap(({ file, role, state, errors }) =>
				role === "edited" && state === "fresh" ? (differenceOf(file, truth, new Map([[file, errors]])) ?? []) : [],
			),
		);
	}

	/** Logs each difference once, with the edit after which it first occurred. */
	#logNew(n: number, step: Step, differences: readonly Difference[]): void {
		const keys = new Set<string>();
		for (const { file, missing, invented } of differences) {
			const fresh: Record<"missing" | "invented", string[]> = { missing: [], invented: [] };
			for (const [name, list] of [
				["missing", missing],
				["invented", invented],
			] as const)
				for (const error of list) {
					const key = `${name} ${file} ${error}`;
					keys.add(key);
					if (!this.#known.has(key)) fresh[name].push(error);
				}
			if (fresh.missing.length + fresh.invented.length > 0) this.#log(n, step, textOf({ file, ...fresh }));
		}
		this.#known = keys;
	}

	/** Checks every file explicitly; no difference is allowed. */
	async #askEverything(n: number): Promise<void> {
		const files = this.#project.files.filter((file) => this.#subject.isSource(file));
		for (const questions of this.#questions) await questions.ask();
		const [verdict, answer] = [await this.#options.oracle(), await (this.#agents[0] as Agent).check(files, "file")];
		const findings: Errors = new Map(answer.findings.map(({ file, errors }) => [file, errors]));
		const wrong = differencesOf(verdict.errors, findings);
		this.#tally.asked(files.length, wrong.length + answer.findings.filter(({ state }) => state !== "fresh").length);
		for (const difference of wrong) this.#options.log(`#${n} every file asked: WRONG: ${textOf(difference)}`);
		for (const { file, state, reason } of answer.findings)
			if (state !== "fresh")
				this.#options.log(`#${n} every file asked: not proven: ${file}: ${state}: ${reason ?? ""}`);
	}

	#log(n: number, { kind, what }: Step, text: string): void {
		this.#options.log(`#${n} ${kind as Kind}: ${what}: ${text}`);
	}
}

function textOf({ file, missing, invented }: Difference): string {
	const list = (name: string, errors: readonly string[]) => (errors.length ? ` ${name} ${errors.join(", ")}` : "");
	return `${file}:${list("missing", missing)}${list("invented", invented)}`;
}
