import { count } from "../../render/count.ts";

/** Shorter answers cost no more than the word that they were given already. */
const worthShortening = 100;

/** Something that the model read, and the call in whose result it stands. */
interface Read {
	readonly call: string;
	readonly text: string;
}

const blocks = /<diagnostics file="([^"]*)">\n([^<]*)<\/diagnostics>/g;

/**
 * What the model has read since the person spoke last, so that it is not told the same twice: the answers to its
 * questions, and the errors of a file, which the block after an edit tells as well as a tool.
 */
export class TurnMemory {
	readonly #answers = new Map<string, Read>();
	readonly #blocks = new Map<string, Read>();

	/** A new turn: what stands further up may be far away. */
	begin(): void {
		this.#answers.clear();
		this.#blocks.clear();
	}

	/** Only what stands in the results of these calls can still be read; the rest was compacted away. */
	keep(calls: ReadonlySet<string>): void {
		for (const known of [this.#answers, this.#blocks])
			for (const [key, { call }] of known) if (!calls.has(call)) known.delete(key);
	}

	/** What was added to the result of a call. */
	added(call: string, text: string): void {
		for (const [block, file = ""] of text.matchAll(blocks)) this.#blocks.set(file, { call, text: block });
	}

	/** An answer as it is told: in one line where the model has read the very same. */
	answer(call: string, question: string, text: string): string {
		if (text.length < worthShortening) return text;
		if (this.#answers.get(question)?.text === text)
			return "The same answer as to the same question above; nothing has changed.";
		this.#answers.set(question, { call, text });
		const told = text.replace(blocks, (block: string, file: string, lines: string) => {
			const before = this.#blocks.get(file);
			this.#blocks.set(file, before?.text === block ? before : { call, text: block });
			if (before?.text !== block) return block;
			const shown = lines.split("\n").length - 1;
			return `${file}: ${count(shown, "line", "lines")}, the same as in the block above; nothing has changed.`;
		});
		return told;
	}
}
