import type { Spot } from "../util/positions.ts";

/** A place in tsserver's own protocol: 1-based, in UTF-16 units. */
export interface TsserverSpot {
	readonly line: number;
	readonly offset: number;
}

const separators = /[\u2028\u2029]/;

/** True for a text that tsserver takes apart into other lines than LSP does. */
export function hasSeparators(text: string): boolean {
	return separators.test(text);
}

/**
 * One text with tsserver's lines and with LSP's. To tsserver U+2028 and U+2029 end a line; and for the end of a text that
 * ends with a line end it names a place behind that end on the line before. LSP's lines are those of editors.
 */
export class TsserverLines {
	readonly #length: number;
	readonly #tsserver: readonly number[];
	readonly #lsp: readonly number[];

	constructor(text: string) {
		this.#length = text.length;
		this.#tsserver = startsOf(text, true);
		this.#lsp = startsOf(text, false);
	}

	/** What lies outside of the text becomes its nearest place. */
	fromTsserver({ line, offset }: TsserverSpot): Spot {
		const place = this.#place(this.#lsp, this.#offset(this.#tsserver, line, offset));
		return { line: place.line, column: place.unit };
	}

	toTsserver({ line, column }: Spot): TsserverSpot {
		const place = this.#place(this.#tsserver, this.#offset(this.#lsp, line, column));
		return { line: place.line, offset: place.unit };
	}

	#offset(starts: readonly number[], line: number, unit: number): number {
		if (line > starts.length) return this.#length;
		const start = starts[Math.max(line, 1) - 1] ?? 0;
		return Math.min(start + Math.max(unit, 1) - 1, this.#length);
	}

	#place(starts: readonly number[], offset: number): { readonly line: number; readonly unit: number } {
		let low = 0;
		let high = starts.length - 1;
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			if ((starts[middle] ?? 0) <= offset) low = middle;
			else high = middle - 1;
		}
		return { line: low + 1, unit: offset - (starts[low] ?? 0) + 1 };
	}
}

/** Where the lines of a text start; U+2028 and U+2029 may end one. */
function startsOf(text: string, endAtSeparators: boolean): number[] {
	const starts = [0];
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		// Between the halves of CRLF no line ends.
		const isEnd = unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a);
		if (isEnd || (endAtSeparators && (unit === 0x2028 || unit === 0x2029))) starts.push(at + 1);
	}
	return starts;
}
