import { TimeSlices } from "../util/time-slices.ts";

/** Parsed at a stretch, in some 3 ms. */
const maxPieceBytes = 256 * 1024;
/** Deeper parts are parsed at a stretch. */
const maxLevels = 6;
const lookEvery = 32 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** In time slices. Rejects with SyntaxError, or TypeError for invalid UTF-8. */
export function parseLong(bytes: Uint8Array, pieceBytes = maxPieceBytes): Promise<unknown> {
	return new LongText(bytes, pieceBytes).value({ start: 0, end: bytes.length }, 0);
}

interface Span {
	readonly start: number;
	readonly end: number;
}

class LongText {
	readonly #bytes: Uint8Array;
	readonly #pieceBytes: number;
	readonly #slices = new TimeSlices();

	constructor(bytes: Uint8Array, pieceBytes: number) {
		this.#bytes = bytes;
		this.#pieceBytes = pieceBytes;
	}

	async value(span: Span, level: number): Promise<unknown> {
		if (!this.#isLong(span) || level === maxLevels) return this.#parse("", span, "");
		const { start, end } = this.#trimmed(span);
		const [first, last] = [this.#bytes[start], this.#bytes[end - 1]];
		const inside = this.#trimmed({ start: start + 1, end: end - 1 });
		if (first === openList && last === closeList) return this.#list(inside, level);
		if (first === openObject && last === closeObject) return this.#object(inside, level);
		return this.#parse("", span, "");
	}

	async #list(inside: Span, level: number): Promise<unknown[]> {
		const values: unknown[] = [];
		const pieces = await this.#pieces(inside);
		for (const piece of pieces) {
			const more = this.#isLong(piece)
				? [await this.value(piece, level + 1)]
				: (this.#parse("[", piece, "]") as unknown[]);
			if (more.length === 0 && pieces.length > 1) throw new SyntaxError("a place of a list is empty");
			for (const value of more) values.push(value);
			await this.#giveWay();
		}
		return values;
	}

	async #object(inside: Span, level: number): Promise<object> {
		const entries: [string, unknown][] = [];
		const pieces = await this.#pieces(inside);
		for (const piece of pieces) {
			const more = this.#isLong(piece)
				? [await this.#member(piece, level)]
				: Object.entries(this.#parse("{", piece, "}") as object);
			if (more.length === 0 && pieces.length > 1) throw new SyntaxError("a place of an object is empty");
			for (const entry of more) entries.push(entry);
			await this.#giveWay();
		}
		// An assignment would set the prototype for `__proto__`.
		return Object.fromEntries(entries);
	}

	async #member(span: Span, level: number): Promise<[string, unknown]> {
		const { start, end } = this.#trimmed(span);
		let at = start + 1;
		while (at < end && this.#bytes[at] !== quote) at += this.#bytes[at] === backslash ? 2 : 1;
		const name = this.#parse("", { start, end: at + 1 }, "");
		const value = this.#trimmed({ start: at + 1, end });
		if (typeof name !== "string" || this.#bytes[value.start] !== colon) throw new SyntaxError("a member has no name");
		return [name, await this.value({ start: value.start + 1, end }, level + 1)];
	}

	async #pieces({ start, end }: Span): Promise<Span[]> {
		if (start >= end) return [];
		const pieces: Span[] = [];
		let [depth, isString, look] = [0, false, start];
		let [piece, element] = [start, start];
		const endElement = (at: number) => {
			if (piece < element && this.#isLong({ start: piece, end: at })) {
				pieces.push({ start: piece, end: element - 1 });
				piece = element;
			}
			if (at === end || this.#isLong({ start: piece, end: at })) {
				pieces.push({ start: piece, end: at });
				piece = at + 1;
			}
			element = at + 1;
		};
		for (let at = start; at < end; at++) {
			if (at >= look) {
				look = at + lookEvery;
				await this.#giveWay();
			}
			const byte = this.#bytes[at];
			if (byte === quote) isString = !isString;
			else if (isString) at += byte === backslash ? 1 : 0;
			else if (byte === openList || byte === openObject) depth++;
			else if (byte === closeList || byte === closeObject) depth--;
			else if (byte === comma && depth === 0) endElement(at);
		}
		endElement(end);
		return pieces;
	}

	#trimmed({ start, end }: Span): Span {
		while (start < end && isBlank(this.#bytes[start])) start++;
		while (start < end && isBlank(this.#bytes[end - 1])) end--;
		return { start, end };
	}

	#parse(before: string, { start, end }: Span, after: string): unknown {
		return JSON.parse(before + utf8.decode(this.#bytes.subarray(start, end)) + after);
	}

	#isLong({ start, end }: Span): boolean {
		return end - start > this.#pieceBytes;
	}

	async #giveWay(): Promise<void> {
		if (this.#slices.isOver) await this.#slices.next();
	}
}

function isBlank(byte: number | undefined): boolean {
	return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
