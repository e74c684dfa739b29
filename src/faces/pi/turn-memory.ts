import { count } from "../../render/count.ts";

const minLength = 100;

interface Shown {
	readonly call: string;
	readonly text: string;
}

const blocks = /<diagnostics file="([^"]*)">\n([^<]*)<\/diagnostics>/g;

/** Since the last prompt: the model reads no text twice. */
export class TurnMemory {
	readonly #answers = new Map<string, Shown>();
	readonly #blocks = new Map<string, Shown>();

	begin(): void {
		this.#answers.clear();
		this.#blocks.clear();
	}

	keep(calls: ReadonlySet<string>): void {
		for (const shown of [this.#answers, this.#blocks])
			for (const [key, { call }] of shown) if (!calls.has(call)) shown.delete(key);
	}

	added(call: string, text: string): void {
		for (const [block, file = ""] of text.matchAll(blocks)) this.#blocks.set(file, { call, text: block });
	}

	answer(call: string, question: string, text: string): string {
		if (text.length < minLength) return text;
		if (this.#answers.get(question)?.text === text)
			return "The same answer as to the same question above; nothing has changed.";
		this.#answers.set(question, { call, text });
		return text.replace(blocks, (block: string, file: string, lines: string) => {
			if (this.#blocks.get(file)?.text !== block) {
				this.#blocks.set(file, { call, text: block });
				return block;
			}
			const shown = lines.split("\n").length - 1;
			return `${file}: ${count(shown, "line", "lines")}, the same as in the block above; nothing has changed.`;
		});
	}
}
