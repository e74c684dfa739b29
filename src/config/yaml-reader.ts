import { JsonMistake, type JsonPath, type JsonText } from "./json-reader.ts";

interface Line {
	/** 1-based. */
	readonly number: number;
	readonly indent: number;
	readonly text: string;
}

const maxDepth = 50;
/** A megabyte of short lines took half a second. */
const maxLength = 256 * 1024;

/**
 * Only of `lsp`: maps and lists by indentation, `[…]` of scalars, quotes and comments. Throws a JsonMistake at other
 * forms there.
 */
export function readYaml(text: string): JsonText {
	if (text.length > maxLength) throw new JsonMistake(`the text has more than ${maxLength / 1024} KB`, 1, 1);
	const all = text.split("\n").flatMap((line, index) => lineOf(line.replace(/\r$/, ""), index + 1));
	const first = all.findIndex(({ indent, text: own }) => indent === 0 && /^lsp[ \t]*:/.test(own));
	if (first < 0) return { value: {}, repeated: [], lineOf: () => 1 };
	const rest = all.slice(first + 1);
	const end = rest.findIndex(({ indent, text: own }) => indent === 0 && !isItem(own));
	const reader = new BlockReader([all[first] as Line, ...(end < 0 ? rest : rest.slice(0, end))]);
	const value = reader.read();
	return { value, repeated: reader.repeated, lineOf: (path) => reader.lineAt(path) };
}

function lineOf(line: string, number: number): Line[] {
	const text = withoutComment(line);
	const indent = text.length - text.trimStart().length;
	return text.trim() === "" || /^(?:---|\.\.\.)\s*$/.test(text) ? [] : [{ number, indent, text: text.trim() }];
}

function withoutComment(line: string): string {
	let quote = "";
	for (let at = 0; at < line.length; at++) {
		const letter = line[at] as string;
		if (quote !== "") {
			if (letter === "\\" && quote === '"') at++;
			else if (letter === quote) quote = "";
		} else if (letter === "#" && (at === 0 || /\s/.test(line[at - 1] as string))) return line.slice(0, at);
		else if ((letter === '"' || letter === "'") && /[\s:[,-]/.test(line[at - 1] ?? " ")) quote = letter;
	}
	return line;
}

function isItem(text: string): boolean {
	return text === "-" || text.startsWith("- ");
}

class BlockReader {
	readonly #lines: Line[];
	#at = 0;
	readonly #numbers = new Map<string, number>();
	readonly repeated: JsonPath[] = [];

	constructor(lines: Line[]) {
		this.#lines = lines;
	}

	read(): unknown {
		const value = this.#block([], this.#next?.indent ?? 0);
		if (this.#next) throw mistake(this.#next, "is indented in a way that fits nothing above it");
		return value;
	}

	lineAt(path: JsonPath): number {
		for (let length = path.length; length > 0; length--) {
			const number = this.#numbers.get(JSON.stringify(path.slice(0, length)));
			if (number !== undefined) return number;
		}
		return this.#lines[0]?.number ?? 1;
	}

	get #next(): Line | undefined {
		return this.#lines[this.#at];
	}

	#block(path: JsonPath, indent: number): unknown {
		const first = this.#next;
		if (first && path.length > maxDepth) throw mistake(first, `is nested more than ${maxDepth} deep`);
		return first && isItem(first.text) ? this.#list(path, indent) : this.#map(path, indent);
	}

	#map(path: JsonPath, indent: number): object {
		const found: Record<string, unknown> = {};
		for (let line = this.#next; line?.indent === indent && !isItem(line.text); line = this.#next) {
			const entry = keyAndRest(line.text);
			if (!entry) throw mistake(line, 'is no "name: value"');
			const own = [...path, entry.key];
			if (Object.hasOwn(found, entry.key)) this.repeated.push(own);
			this.#numbers.set(JSON.stringify(own), line.number);
			this.#at++;
			const value = entry.rest === "" ? this.#below(own, indent) : scalarOf(entry.rest, line);
			Object.defineProperty(found, entry.key, { value, enumerable: true, configurable: true, writable: true });
		}
		return found;
	}

	#list(path: JsonPath, indent: number): unknown[] {
		const found: unknown[] = [];
		for (let line = this.#next; line?.indent === indent && isItem(line.text); line = this.#next) {
			const own = [...path, found.length];
			this.#numbers.set(JSON.stringify(own), line.number);
			const rest = line.text.slice(1).trimStart();
			const isNested = isItem(rest) || (!/^["'[{]/.test(rest) && keyAndRest(rest) !== undefined);
			if (isNested) {
				const inner = indent + line.text.length - rest.length;
				this.#lines[this.#at] = { number: line.number, indent: inner, text: rest };
				found.push(this.#block(own, inner));
			} else {
				this.#at++;
				found.push(rest === "" ? this.#below(own, indent) : scalarOf(rest, line));
			}
		}
		return found;
	}

	#below(path: JsonPath, indent: number): unknown {
		const next = this.#next;
		if (!next || next.indent < indent) return null;
		if (next.indent === indent)
			return isItem(next.text) && typeof path.at(-1) === "string" ? this.#list(path, indent) : null;
		return this.#block(path, next.indent);
	}
}

function keyAndRest(text: string): { readonly key: string; readonly rest: string } | undefined {
	const quote = /^["']/.test(text) ? (text[0] as string) : undefined;
	const colon = quote === undefined ? /:(?=\s|$)/.exec(text)?.index : text.indexOf(quote, 1) + 1;
	if (colon === undefined || colon < 1 || text[colon] !== ":" || (quote === undefined && /^[[{&*!|>%@`?]/.test(text)))
		return undefined;
	const key = quote === undefined ? text.slice(0, colon).trim() : text.slice(1, colon - 1);
	return { key, rest: text.slice(colon + 1).trim() };
}

function scalarOf(text: string, line: Line): unknown {
	if (text === "{}") return {};
	if (text.startsWith("[")) {
		if (!text.endsWith("]")) throw mistake(line, "is a list without its end on the line");
		return itemsOf(text.slice(1, -1), line).map((item) => scalarOf(item, line));
	}
	if (text.startsWith('"')) {
		try {
			const value: unknown = JSON.parse(text);
			if (typeof value === "string") return value;
		} catch {}
		throw mistake(line, "has a text in quotes that is not read here");
	}
	if (text.startsWith("'")) {
		if (!/^'(?:[^']|'')*'$/.test(text)) throw mistake(line, "has a text in quotes that is not read here");
		return text.slice(1, -1).replaceAll("''", "'");
	}
	if (/^[{}\]&*!|>%@`,?]/.test(text)) throw mistake(line, "is written in a form of YAML that is not read here");
	if (/^(?:true|True|TRUE)$/.test(text)) return true;
	if (/^(?:false|False|FALSE)$/.test(text)) return false;
	if (/^(?:null|Null|NULL|~)$/.test(text)) return null;
	return /^[-+]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function itemsOf(text: string, line: Line): string[] {
	const items: string[] = [];
	let quote = "";
	let from = 0;
	for (let at = 0; at <= text.length; at++) {
		const letter = text[at];
		if (letter !== undefined && quote !== "") {
			if (letter === "\\" && quote === '"') at++;
			else if (letter === quote) quote = "";
		} else if (letter === '"' || letter === "'") quote = letter;
		else if (letter === "[" || letter === "{")
			throw mistake(line, "is written in a form of YAML that is not read here");
		else if (letter === "," || letter === undefined) {
			items.push(text.slice(from, at).trim());
			from = at + 1;
		}
	}
	return items.at(-1) === "" ? items.slice(0, -1) : items;
}

function mistake({ number, indent }: Line, what: string): JsonMistake {
	return new JsonMistake(`this line ${what}`, number, indent + 1);
}
