import process from "node:process";
import type { Agent, Answer } from "./agent.ts";
import { type Kind, type Mutation, mutationKinds, type Replacement, replaced } from "./change.ts";
import type { OpenEdit, Project } from "./project.ts";
import type { Random } from "./random.ts";
import type { Subject } from "./subject.ts";

/** An edit, and its answers. */
export interface Step {
	readonly kind: Kind;
	/** Enough to repeat the step: the file and its edit. */
	readonly what: string;
	readonly answers: readonly Answer[];
	/** Files that no longer exist. */
	readonly gone: readonly string[];
}

/** The number of steps of each kind in one round, which is shuffled. */
const round: Readonly<Partial<Record<Kind, number>>> = {
	"new type error": 3,
	"fixed type error": 3,
	"clean stays clean": 1,
	"lines shifted": 1,
	"export renamed": 3,
	"export removed": 2,
	"signature changed": 4,
	"inferred type changed": 3,
	"import changed": 1,
	repaired: 13,
	"file created": 2,
	"file deleted": 1,
	"file renamed": 1,
	"unannounced change of a dependency": 2,
	"same size, same mtime": 2,
	"same size, same mtime, unannounced": 1,
	CRLF: 1,
	BOM: 1,
	astral: 1,
	"server starting": 1,
	"five clients": 1,
};

/** With more open edits than this, each step undoes one. */
const maxOpenEdits = 16;

/** Makes the steps of a session, each starting from the result of the one before it. */
export class Steps {
	readonly #subject: Subject;
	readonly #project: Project;
	readonly #random: Random;
	readonly #agents: readonly Agent[];
	readonly #agent: Agent;
	#plan: Kind[] = [];

	constructor(subject: Subject, project: Project, random: Random, agents: readonly Agent[]) {
		this.#subject = subject;
		this.#project = project;
		this.#random = random;
		this.#agents = agents;
		this.#agent = agents[0] as Agent;
	}

	/** Makes the n-th step; `label` names its time instead of its edit. */
	async make(n: number, label?: Kind): Promise<Step> {
		for (;;) {
			const kind = label ? (this.#random.pick(mutationKinds) as Kind) : this.#nextKind();
			const step = await this.#try(kind, n);
			if (step) return label ? { ...step, kind: label, what: `${step.kind}: ${step.what}` } : step;
		}
	}

	/** Kills every running language server without notifying the daemon. */
	async kill(): Promise<void> {
		const { servers } = await this.#status();
		for (const { pid } of servers) if (pid !== undefined) process.kill(pid, "SIGKILL");
	}

	#status(): Promise<{ readonly servers: readonly { readonly pid?: number }[] }> {
		return this.#agent.daemon.call("status", { cwd: this.#project.root, input: {} });
	}

	#nextKind(): Kind {
		if (this.#project.openEdits > maxOpenEdits) return "repaired";
		if (this.#plan.length === 0)
			this.#plan = this.#random.shuffled(
				Object.entries(round).flatMap(([kind, times]) => Array.from({ length: times }, () => kind as Kind)),
			);
		return this.#plan.pop() as Kind;
	}

	/** Resolves with undefined, and changes nothing, where the kind of step is impossible. */
	async #try(kind: Kind, n: number): Promise<Step | undefined> {
		switch (kind) {
			case "repaired":
				return this.#repair(kind, n);
			case "fixed type error":
				return this.#repair(kind, n, ({ after }) => /\b(?:wrong|missing)\d+/.test(after));
			case "file created":
				return this.#create(n);
			case "file deleted":
				return this.#delete();
			case "file renamed":
				return this.#rename(n);
			case "unannounced change of a dependency":
			case "same size, same mtime, unannounced":
				return this.#behind(kind, n);
			case "same size, same mtime":
				return this.#mutate(kind, n, (file, text) => this.#project.writeKeepingTimes(file, text));
			case "CRLF":
				return this.#whole(kind, (text) =>
					text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n"),
				);
			case "BOM":
				return this.#whole(kind, (text) => (text.startsWith("\uFEFF") ? text.slice(1) : `\uFEFF${text}`));
			case "astral":
				return this.#whole(kind, (text) => text + this.#subject.language.astral(n));
			case "server starting":
				await this.#agent.daemon.call("destroy_server", {});
				return this.#mutate(kind, n, undefined, mutationKinds);
			case "five clients":
				return this.#together(kind, n);
			default:
				return this.#mutate(kind, n);
		}
	}

	/** A mutation of an existing file that leaves it without syntax errors. */
	#choose(n: number, allowed: readonly Kind[], not: ReadonlySet<string> = new Set()) {
		const files = this.#project.files.filter((file) => this.#subject.isSource(file) && !not.has(file));
		for (let attempt = 0; attempt < 30; attempt++) {
			const file = this.#random.pick(files);
			if (file === undefined) return undefined;
			const text = this.#project.text(file);
			const found = this.#subject.language.mutations(file, text, n).filter(({ kind }) => allowed.includes(kind));
			const kind = this.#random.pick([...new Set(found.map((mutation) => mutation.kind))]);
			const mutation = this.#random.pick(found.filter((candidate) => candidate.kind === kind));
			if (mutation && this.#subject.language.parses(file, replaced(text, mutation))) return { file, mutation };
		}
		return undefined;
	}

	async #mutate(
		kind: Kind,
		n: number,
		write = (file: string, text: string) => this.#project.write(file, text),
		allowed: readonly Kind[] = [kind],
	): Promise<Step | undefined> {
		const chosen = this.#choose(n, allowed);
		if (!chosen) return undefined;
		const { file, mutation } = chosen;
		const before = this.#project.text(file);
		const text = this.#project.record(file, mutation, mutation.what);
		const answer = await this.#agent.edit(file, before, text, () => write(file, text));
		return { kind, what: whatOf(file, mutation), answers: [answer], gone: [] };
	}

	async #whole(kind: Kind, change: (text: string) => string): Promise<Step | undefined> {
		const file = this.#random.pick(this.#project.files.filter((path) => this.#subject.isSource(path)));
		if (file === undefined) return undefined;
		const before = this.#project.text(file);
		const text = change(before);
		if (!this.#subject.language.parses(file, text)) return undefined;
		return this.#write(kind, file, before, text, "the whole file");
	}

	async #write(kind: Kind, file: string, before: string | null, text: string, what: string): Promise<Step> {
		const answer = await this.#agent.edit(file, before, text, () => this.#project.write(file, text));
		return { kind, what: `${file}: ${what}`, answers: [answer], gone: [] };
	}

	/** Undoes one of the open edits; deleted files are written, created ones are removed. */
	async #repair(kind: Kind, n: number, isMeant?: (edit: OpenEdit) => boolean): Promise<Step | undefined> {
		const project = this.#project;
		if (isMeant) {
			const index = project.findOpenEdit(isMeant, this.#random.next());
			return index < 0 ? undefined : this.#undo(kind, index);
		}
		const [missing, added, rewritten] = [project.missing, project.added, project.rewritten()];
		const choice = this.#random.below(project.openEdits + missing.length + added.length + rewritten.length);
		if (choice < project.openEdits) return this.#undo(kind, choice);
		const rest = choice - project.openEdits;
		const file = missing[rest] ?? added[rest - missing.length] ?? rewritten[rest - missing.length - added.length];
		if (file === undefined) return undefined;
		if (missing.includes(file)) return this.#write(kind, file, null, project.pristine(file), `written again (${n})`);
		if (added.includes(file)) return this.#remove(kind, file);
		return this.#write(kind, file, project.text(file), project.pristine(file), "as it was at the beginning");
	}

	async #undo(kind: Kind, index: number): Promise<Step> {
		const { file, text, what } = this.#project.undo(index);
		return this.#write(kind, file, this.#project.text(file), text, `undone: ${what}`);
	}

	async #create(n: number): Promise<Step | undefined> {
		const from = this.#random.pick(this.#project.files.filter((path) => this.#subject.isSource(path)));
		const made = from === undefined ? undefined : this.#subject.language.create(from, this.#project.text(from), n);
		if (!made) return undefined;
		return this.#write("file created", made.path, null, made.text, `from ${from}`);
	}

	async #delete(): Promise<Step | undefined> {
		const file = this.#random.pick(this.#mayGo());
		return file === undefined ? undefined : this.#remove("file deleted", file);
	}

	async #remove(kind: Kind, file: string): Promise<Step> {
		const answer = await this.#agent.command(new Map([[file, this.#project.text(file)]]), () =>
			this.#project.delete(file),
		);
		return { kind, what: `rm ${file}`, answers: [answer], gone: [file] };
	}

	async #rename(n: number): Promise<Step | undefined> {
		const file = this.#random.pick(this.#mayGo());
		if (file === undefined) return undefined;
		const dot = file.lastIndexOf(".");
		const to = `${file.slice(0, dot)}_moved_${n}${file.slice(dot)}`;
		const answer = await this.#agent.command(new Map([[file, this.#project.text(file)]]), () =>
			this.#project.rename(file, to),
		);
		return { kind: "file renamed", what: `mv ${file} ${to}`, answers: [answer], gone: [file] };
	}

	/** Original files, which may be deleted. */
	#sources(): string[] {
		const added = new Set(this.#project.added);
		return this.#project.files.filter((file) => this.#subject.isSource(file) && !added.has(file));
	}

	#mayGo(): string[] {
		const { mayGo = () => true } = this.#subject;
		return this.#sources().filter(mayGo);
	}

	/**
	 * A file changes without an announcement; then a file that names it is edited, and its answer has to consider that
	 * change. The changed file is checked afterwards, as by an agent that reads what has changed.
	 */
	async #behind(kind: Kind, n: number): Promise<Step | undefined> {
		const keeping = kind !== "unannounced change of a dependency";
		const chosen = this.#choose(n, keeping ? ["same size, same mtime"] : ["signature changed", "export renamed"]);
		if (!chosen) return undefined;
		const { file, mutation } = chosen;
		const name = file.slice(file.lastIndexOf("/") + 1, file.lastIndexOf("."));
		const user = this.#random.pick(
			this.#sources().filter((other) => other !== file && new RegExp(`\\b${name}\\b`).test(this.#project.text(other))),
		);
		if (user === undefined) return undefined;
		const silent = this.#project.record(file, mutation, mutation.what);
		if (keeping) this.#project.writeKeepingTimes(file, silent);
		else this.#project.write(file, silent);
		const end = this.#project.text(user).length;
		const before = this.#project.text(user);
		const shift: Replacement = { start: end, end, text: this.#subject.language.comment(n) };
		const text = this.#project.record(user, shift);
		const answer = await this.#agent.edit(user, before, text, () => this.#project.write(user, text));
		const rest = await this.#agent.check([file], "affected");
		return { kind, what: `${whatOf(file, mutation)}; then ${user}`, answers: [answer, rest], gone: [] };
	}

	/** Five agents edit a file each at the same time. */
	async #together(kind: Kind, n: number): Promise<Step | undefined> {
		const taken = new Set<string>();
		const all: { readonly agent: Agent; readonly file: string; readonly text: string; readonly mutation: Mutation }[] =
			[];
		for (const [index, agent] of this.#agents.entries()) {
			const chosen = this.#choose(n * 10 + index, mutationKinds, taken);
			if (!chosen) continue;
			taken.add(chosen.file);
			all.push({ agent, ...chosen, text: "" });
		}
		const calls = all.map(({ agent, file, mutation }) => {
			const before = this.#project.text(file);
			const text = this.#project.record(file, mutation, mutation.what);
			return { agent, file, text, call: agent.announce(file, before, text) };
		});
		for (const { file, text } of calls) this.#project.write(file, text);
		const answers = await Promise.all(calls.map(({ agent, file, call }) => agent.ask(file, call)));
		return { kind, what: all.map(({ file, mutation }) => whatOf(file, mutation)).join("; "), answers, gone: [] };
	}
}

function whatOf(file: string, { kind, what }: Mutation): string {
	return `${file}: ${kind}: ${what}`;
}
