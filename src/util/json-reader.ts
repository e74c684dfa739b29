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
	/** Fields that stand in their object more than once; the last one counts. */
	readonly repeated: readonly JsonPath[];
	/** The 1-based line of a field or an item; of the nearest one around it if there is none. */
	lineOf(path: JsonPath): number;
}

const mostDepth = 100;

/**
 * Reads JSON with comments and commas behind the last item, as editors' own settings have it. Throws a JsonMistake.
 * JSON.parse tells no lines, and of the readers that do none loads alike in Node, in a bundle and inside pi.
 */
export function readJson(text: string): JsonText {
	return new Reader(text).read();
}

class Reader {
	readonly #text: string;
	#at = 0;
	readonly #offsets = new Map<string, number>();
	readonly #repeated: JsonPath[] = [];

	constructor(text: string) {
		this.#text = text;
	}

	read(): JsonText {
		const value = this.#value([]);
		this.#blank();
		if (this.#at < this.#text.length) throw this.#mistake("there is more behind the end of the value");
		const lineOf = (path: JsonPath): number => {
			const offset = this.#offsets.get(JSON.stringify(path));
			if (offset !== undefined) return this.#placeOf(offset).line;
			return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
		};
		return { value, repeated: this.#repeated, lineOf };
	}

	#value(path: JsonPath): unknown {
		this.#blank();
		if (path.length > mostDepth) throw this.#mistake(`it is nested more than ${mostDepth} deep`);
		// A field's place is that of its name.
		const key = JSON.stringify(path);
		if (!this.#offsets.has(key)) this.#offsets.set(key, this.#at);
		const next = this.#text[this.#at];
		if (next === "{") return this.#object(path);
		if (next === "[") return this.#array(path);
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

	#object(path: JsonPath): Record<string, unknown> {
		const object: Record<string, unknown> = {};
		this.#at++;
		while (!this.#ends("}")) {
			if (this.#text[this.#at] !== '"') throw this.#mistake('a name in double quotes or "}" is missing');
			const place = this.#at;
			const name = this.#string();
			const field = [...path, name];
			if (Object.hasOwn(object, name)) this.#repeated.push(field);
			this.#offsets.set(JSON.stringify(field), place);
			this.#blank();
			if (this.#text[this.#at] !== ":") throw this.#mistake('":" is missing');
			this.#at++;
			const value = this.#value(field);
			// An assignment to `__proto__` would set another prototype.
			Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
			this.#comma("}");
		}
		return object;
	}

	#array(path: JsonPath): unknown[] {
		const items: unknown[] = [];
		this.#at++;
		while (!this.#ends("]")) {
			items.push(this.#value([...path, items.length]));
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
		const pattern = /"(?:[^"\\\n\r]|\\[^\n\r])*"/y;
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
		const { line, column } = this.#placeOf(this.#at);
		return new JsonMistake(message, line, column);
	}

	#placeOf(offset: number): { readonly line: number; readonly column: number } {
		const before = this.#text.slice(0, offset).split("\n");
		return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
	}
}
