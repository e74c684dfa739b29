import { amountMember, type Corpus, ceilingLine } from "./corpus.ts";

export type EditKind = "new error" | "fixed error" | "clean stays clean" | "breaks importers" | "repairs importers";

/** An edit of a file, as a call of pi's edit tool, with its expected outcome. */
export interface Edit {
	readonly kind: EditKind;
	readonly file: string;
	readonly oldText: string;
	readonly newText: string;
	/** The whole file after the edit. */
	readonly text: string;
	/** Whether the edited file then has an error. */
	readonly wrong: boolean;
	/** The other files that then have one. */
	readonly broken: readonly string[];
}

/** Each edit starts from the result of the one before it, and no text occurs twice. */
export class Editor {
	readonly #corpus: Corpus;
	readonly #texts: Map<string, string>;
	readonly #current = new Map<string, string>();
	#count = 0;

	constructor(corpus: Corpus) {
		this.#corpus = corpus;
		this.#texts = new Map(Object.entries(corpus.files));
	}

	/** `target` chooses among the corpus's targets. */
	next(kind: EditKind, target = 0): Edit {
		const { contract, brokenByContract, targets } = this.#corpus;
		const value = 10 + ++this.#count;
		switch (kind) {
			case "new error":
				return this.#replace(kind, targets[target % targets.length]!, ceilingLine(`"text ${value}"`));
			case "fixed error":
			case "clean stays clean":
				return this.#replace(kind, targets[target % targets.length]!, ceilingLine(`${value}`));
			case "breaks importers":
				return this.#replace(kind, contract, amountMember(`string | ${value}n`), brokenByContract);
			case "repairs importers":
				return this.#replace(kind, contract, amountMember(`number | ${value}`));
		}
	}

	#replace(kind: EditKind, file: string, newText: string, broken: readonly string[] = []): Edit {
		const before = this.#texts.get(file);
		const oldText =
			this.#current.get(file) ?? (file === this.#corpus.contract ? amountMember("number") : ceilingLine("10"));
		if (!before?.includes(oldText)) throw new Error(`${file} has no ${oldText}`);
		const text = before.replace(oldText, () => newText);
		this.#texts.set(file, text);
		this.#current.set(file, newText);
		return { kind, file, oldText, newText, text, wrong: kind === "new error", broken };
	}
}
