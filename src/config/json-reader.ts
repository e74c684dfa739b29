/** A place in a JSON value: names of fields and numbers of items, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** A text that is no JSON, and where. */
export class JsonMistake extends Error {
	override readonly name = "JsonMistake";
	readonly line: number;
	readonly column: number;

	constructor(message: string, line: number, column: number) {
		super(message);
		this.line = line;
		this.column = column;
	}
}

/** A JSON value that knows where in its text everything in it stands. */
export interface JsonText {
	readonly value: unknown;
	/** The first thousand fields that stand in their object more than once; the last one counts. */
	readonly repeated: readonly JsonPath[];
	/** The 1-based line of a field or an item; of the nearest one around it if there is none. */
	lineOf(path: JsonPath): number;
}

const maxDepth = 100;
const maxRepeated = 1000;

/**
 * Reads JSON with comments and commas behind the last item, as editors' own settings have it. Throws a JsonMistake.
 * JSON.parse tells no lines, and of the readers that do none loads alike in Node, in a bundle and inside pi.
 */
export function readJson(text: string): JsonText {
	return new Reader(text).read();
}

/** Where a value stands, a field by its name, and the values in it. */
interface Place {
	readonly offset: number;
	below?: Map<string | number, Place>;
}

class Reader {
	readonly #text: string;
	#at = 0;
	/** Of the value that is being read. */
	readonly #path: (string | number)[] = [];
	readonly #repeated: JsonPath[] = [];

	constructor(text: string) {
		this.#text = text;
	}

	read(): JsonText {
		this.#blank();
		const top: Place = { offset: this.#at };
		const value = this.#value(top);
		this.#blank();
		if (this.#at < this.#text.length) throw this.#mistake("there is more behind the end of the value");
		let starts: readonly number[] | undefined;
		const lineOf = (path: JsonPath): number => {
			let place = top;
			for (const part of path) {
				const inner = place.below?.get(part);
				if (!inner) break;
				place = inner;
			}
			starts ??= this.#lineStarts();
			return lineAt(starts, place.offset);
		};
		return { value, repeated: this.#repeated, lineOf };
	}

	#value(place: Place): unknown {
		this.#blank();
		if (this.#path.length > maxDepth) throw this.#mistake(`it is nested more than ${maxDepth} deep`);
		const next = this.#text[this.#at];
		if (next === "{") return this.#object(place);
		if (next === "[") return this.#array(place);
		if (next === '"') return this.#string();
		const word = /[-+.\w]+/y;
		word.lastIndex = this.#at;
		const [found] = word.exec(this.#text) ?? [];
		if (found === undefined) throw this.#mistake(next === undefined ? "the text ends too early" : "a value is missing");
		try {
			const value: unknown = JSON.parse(found);
			this.#at += found.length;
			return value;
		} catch {
			throw this.#mistake(`${found.slice(0, 20)} is no value`);
		}
	}

	/** The value of a field or an item, whose place is added to those of the value around it. */
	#inner(part: string | number, offset: number, around: Place): unknown {
		around.below ??= new Map();
		const before = around.below.get(part)?.below;
		const place: Place = { offset, ...(before ? { below: before } : {}) };
		around.below.set(part, place);
		this.#path.push(part);
		const value = this.#value(place);
		this.#path.pop();
		return value;
	}

	#object(place: Place): Record<string, unknown> {
		const object: Record<string, unknown> = {};
		this.#at++;
		while (!this.#ends("}")) {
			if (this.#text[this.#at] !== '"') throw this.#mistake('a name in double quotes or "}" is missing');
			const offset = this.#at;
			const name = this.#string();
			if (Object.hasOwn(object, name) && this.#repeated.length < maxRepeated)
				this.#repeated.push([...this.#path, name]);
			this.#blank();
			if (this.#text[this.#at] !== ":") throw this.#mistake('":" is missing');
			this.#at++;
			const value = this.#inner(name, offset, place);
			// An assignment to `__proto__` would set another prototype.
			Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
			this.#comma("}");
		}
		return object;
	}

	#array(place: Place): unknown[] {
		const items: unknown[] = [];
		this.#at++;
		while (!this.#ends("]")) {
			items.push(this.#inner(items.length, this.#at, place));
			this.#comma("]");
		}
		return items;
	}

	/** Past the end of a list, if it is here. */
	#ends(end: string): boolean {
		this.#blank();
		if (this.#text[this.#at] !== end) return false;
		this.#at++;
		return true;
	}

	#comma(end: string): void {
		this.#blank();
		if (this.#text[this.#at] === ",") this.#at++;
		else if (this.#text[this.#at] !== end) throw this.#mistake(`"," or "${end}" is missing`);
	}

	#string(): string {
		const pattern = /"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"/y;
		pattern.lastIndex = this.#at;
		const [found] = pattern.exec(this.#text) ?? [];
		if (found === undefined) throw this.#mistake("a text has no end");
		try {
			const value = JSON.parse(found) as string;
			this.#at += found.length;
			return value;
		} catch {
			throw this.#mistake("a text has a character or an escape that JSON does not know");
		}
	}

	/** Past blanks and comments. */
	#blank(): void {
		const pattern = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;
		pattern.lastIndex = this.#at;
		pattern.exec(this.#text);
		this.#at = pattern.lastIndex;
	}

	#mistake(message: string): JsonMistake {
		const starts = this.#lineStarts();
		const line = lineAt(starts, this.#at);
		return new JsonMistake(message, line, this.#at - (starts[line - 1] ?? 0) + 1);
	}

	#lineStarts(): number[] {
		const starts = [0];
		for (let end = this.#text.indexOf("\n"); end >= 0; end = this.#text.indexOf("\n", end + 1)) starts.push(end + 1);
		return starts;
	}
}

/** The 1-based line of an offset, by where the lines start. */
function lineAt(starts: readonly number[], offset: number): number {
	let [low, high] = [0, starts.length];
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if ((starts[middle] ?? 0) <= offset) low = middle;
		else high = middle;
	}
	return low + 1;
}
