/** So many texts of a document are remembered, and so many documents. */
const mostTexts = 8;
const mostDocuments = 200;

interface Text {
	readonly since: number;
	/** Undefined while the document is closed: then the server reads the file. */
	readonly hash: string | undefined;
}

/** Which texts a server had of its documents, and when: an answer holds as long as no text is another one than it was. */
export class TextHistory {
	readonly #texts = new Map<string, Text[]>();
	/** What was known of documents before this has been forgotten. */
	#forgotten = 0;
	#moment = 0;

	/** A number that grows with every change of a text. */
	get moment(): number {
		return this.#moment;
	}

	/** From now on the server has another text of a document; undefined when it has closed it. */
	add(path: string, hash: string | undefined): void {
		const texts = [...(this.#texts.get(path) ?? []), { since: ++this.#moment, hash }].slice(-mostTexts);
		this.#texts.delete(path);
		this.#texts.set(path, texts);
		const [oldest] = this.#texts;
		if (!oldest || this.#texts.size <= mostDocuments) return;
		this.#texts.delete(oldest[0]);
		this.#forgotten = oldest[1].at(-1)?.since ?? this.#moment;
	}

	/**
	 * The documents of which the server may have another text than at a moment: a text that came and went counts for
	 * nothing. Undefined where that is too long ago.
	 */
	differingSince(moment: number): string[] | undefined {
		if (moment < this.#forgotten) return undefined;
		return [...this.#texts].flatMap(([path, texts]) => {
			const now = texts.at(-1);
			if (!now || now.since <= moment) return [];
			const then = texts.findLast(({ since }) => since <= moment);
			return then?.hash !== undefined && then.hash === now.hash ? [] : [path];
		});
	}
}
