import { Branches } from "./branches.ts";
import type { Language } from "./languages.ts";
import {
	directiveAt,
	endOfComment,
	endOfLine,
	endOfNumber,
	endOfRegex,
	endOfString,
	isWordPart,
	isWordStart,
	Unsure,
} from "./literals.ts";
import { beginsElement, scanElement } from "./scan-jsx.ts";
import { type TokenKind, Tokens, tokenKinds } from "./tokens.ts";

/** A text beyond this many UTF-16 units is not read. */
const mostUnits = 2_000_000;
/** Templates and elements within each other. */
const mostNested = 200;

const opening = "([{";
const closing: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const signs = new Set("=== !== ... => == != <= >= -> :: := ?. ++ -- && || ?? += -= *= /= |= &= ^= %=".split(" "));
const behindSign = new Set(Array.from("=.>:+-&|?", (sign) => sign.charCodeAt(0)));
/** Behind these words a slash begins a regular expression, and a less-than sign an element. */
const beforeValue = new Set(
	"return typeof instanceof in of new delete void throw case do else yield await default extends".split(" "),
);
const beforeCondition = new Set(["if", "while", "for", "with"]);
const pragma =
	/@ts-|@jsx|\btype:|pyright|mypy|noqa|pylint|eslint|biome-|oxlint|prettier-|go:|\+build|nolint|NOLINT|clang-|^\/\/\/\s*</;
const docType =
	/@(?:\w*type\w*|param|arg\w*|returns?|callback|template|prop\w*|enum|this|extends|augments|implements|satisfies|overload|import|class|constructor|private|protected|public|readonly|override|abstract)\b/;

/** The tokens of a text; undefined where they cannot be told for sure. */
export function tokensOf(text: string, language: Language): Tokens | undefined {
	if (text.length > mostUnits) return undefined;
	const scanner = new Scanner(text, language);
	try {
		return scanner.all();
	} catch (error) {
		if (error instanceof Unsure) return undefined;
		throw error;
	}
}

export class Scanner {
	readonly text: string;
	readonly language: Language;
	private readonly starts: number[] = [];
	private readonly ends: number[] = [];
	private readonly kinds: TokenKind[] = [];
	private readonly firsts: number[] = [];
	private readonly partner: number[] = [];
	private readonly folded = new Map<number, string>();
	private readonly docs = new Map<number, string>();
	private readonly pragmas: string[] = [];
	private open: number[] = [];
	private readonly branches = new Branches();
	private readonly last = new Map<string, number>();
	private fresh = true;
	private nested = 0;

	constructor(text: string, language: Language) {
		this.text = text;
		this.language = language;
	}

	all(): Tokens {
		const end = this.text.startsWith("#!") && this.language.family !== "rust" ? endOfLine(this.text, 0) : 0;
		this.code(end, false);
		if (this.open.length > 0) throw new Unsure();
		const { text: source, starts, ends, kinds, firsts, partner, folded, docs, pragmas } = this;
		const isPython = this.language.family === "python";
		return new Tokens({ source, isPython, starts, ends, kinds, firsts, partner, folded, docs, pragmas });
	}

	/** Reads code from `at` on: to the end of the text, or to a closing brace that has no partner if it is nested. */
	code(from: number, isNested: boolean): number {
		const { text } = this;
		const level = this.open.length;
		if (isNested && ++this.nested > mostNested) throw new Unsure();
		let at = from;
		while (at < text.length) {
			const code = text.charCodeAt(at);
			if (code === 10 || code === 13) {
				this.fresh = true;
				at++;
			} else if (code <= 32 || code === 0xa0 || code === 0xfeff) at++;
			else if (isWordStart(code)) at = this.word(at);
			else if (code >= 48 && code <= 57)
				at = this.push(tokenKinds.number, at, endOfNumber(text, at, this.language.family === "c"));
			else if (isNested && code === 125 && this.open.length === level) {
				this.nested--;
				return at;
			} else at = this.other(at);
		}
		if (isNested) throw new Unsure();
		return at;
	}

	/** Adds a token and returns where it ends. `folded` is the text that it counts as, if that is another one. */
	push(kind: TokenKind, start: number, end: number, folded?: string): number {
		if (folded !== undefined) this.folded.set(this.starts.length, folded);
		const isWithin = this.language.family === "python" && this.open.length > 0 && this.open[0] !== this.starts.length;
		this.starts.push(start);
		this.ends.push(end);
		this.kinds.push(kind);
		this.firsts.push(this.fresh && !isWithin ? 1 : 0);
		this.partner.push(-1);
		this.fresh = false;
		return end;
	}

	/** Adds a token that opens a bracket. */
	pushOpen(start: number, end: number, kind: TokenKind = tokenKinds.sign): number {
		this.open.push(this.starts.length);
		return this.push(kind, start, end);
	}

	/** Adds a token that closes the bracket that was opened last. */
	pushClose(start: number, end: number, kind: TokenKind = tokenKinds.sign): number {
		const first = this.open.pop();
		if (first === undefined) throw new Unsure();
		this.partner[first] = this.starts.length;
		this.push(kind, start, end);
		this.partner[this.starts.length - 1] = first;
		return end;
	}

	/** Where a text stands for the last time; -1 if it does not. */
	lastOf(text: string): number {
		const known = this.last.get(text) ?? this.text.lastIndexOf(text);
		this.last.set(text, known);
		return known;
	}

	/** Where a comment ends that begins at `at`; undefined if none does. */
	comment(at: number): number | undefined {
		const end = endOfComment(this.text, at, this.language);
		if (end === undefined) return undefined;
		const said = this.text.slice(at, end);
		if (this.language.docTypes && said.startsWith("/**") && docType.test(said)) this.doc(said);
		// What Python says in such a comment is a type.
		if (this.language.family === "python" && /^#\s*type:(?!\s*ignore\b)/.test(said))
			this.push(tokenKinds.string, at, end);
		else if (pragma.test(said)) this.pragmas.push(said);
		if (said.includes("\n")) this.fresh = true;
		return end;
	}

	private doc(said: string): void {
		const types = said.slice(said.search(docType), -2).replace(/\s*\n\s*\*?\s*/g, " ");
		const before = this.docs.get(this.starts.length);
		this.docs.set(this.starts.length, before === undefined ? types.trim() : `${before} ${types.trim()}`);
	}

	private word(from: number): number {
		const { text, language } = this;
		let at = from + 1;
		while (at < text.length && isWordPart(text.charCodeAt(at))) at++;
		const next = text[at] ?? "";
		if (at - from <= 3 && language.prefix && (next === '"' || next === "'" || next === "#")) {
			const prefix = text.slice(from, at);
			const isRaw = next === "#" && /^#+"/.test(text.slice(at, at + 20));
			if (language.prefix.test(prefix) && (next !== "#" || (isRaw && prefix.endsWith("r"))))
				return this.push(tokenKinds.string, from, endOfString(text, at, prefix, language));
		}
		return this.push(tokenKinds.word, from, at);
	}

	private other(at: number): number {
		const { text, language } = this;
		const sign = text[at] ?? "";
		if (sign === "/" || sign === "#") {
			const end = this.comment(at);
			if (end !== undefined) return end;
		}
		if (sign === "`" && language.family === "script") return this.template(at);
		if (language.quotes[sign] || (sign === "'" && language.family === "rust")) return this.string(at, sign);
		if (sign === "#" && language.family === "c" && this.fresh) return this.directive(at);
		if (sign === "#" && language.family === "script" && isWordStart(text.charCodeAt(at + 1))) return this.word(at);
		if (sign === "\\" && /^\\\r?\n/.test(text.slice(at, at + 3))) return at + (text[at + 1] === "\r" ? 3 : 2);
		if (sign === "/" && language.family === "script" && this.expectsValue()) {
			const end = endOfRegex(text, at);
			if (end !== undefined) return this.push(tokenKinds.string, at, end);
		}
		if (sign === "<" && language.jsx && this.expectsValue() && beginsElement(this, at)) return scanElement(this, at);
		return this.sign(at, sign);
	}

	private sign(at: number, sign: string): number {
		const { text } = this;
		if (opening.includes(sign)) return this.pushOpen(at, at + 1);
		const opened = closing[sign];
		if (opened === undefined) {
			if (!behindSign.has(text.charCodeAt(at + 1))) return this.push(tokenKinds.sign, at, at + 1);
			const long = [3, 2].find((length) => signs.has(text.slice(at, at + length))) ?? 1;
			// `Array<T>= value`: no sign of a script may hide the end of its type arguments.
			const isHiding = sign === ">" && this.language.family === "script";
			return this.push(tokenKinds.sign, at, at + (isHiding ? 1 : long));
		}
		const last = this.open.at(-1);
		if (last !== undefined && this.text[this.starts[last] ?? 0] === opened && this.branches.isOpenHere(last))
			return this.pushClose(at, at + 1);
		// The brackets of another branch than the first are not those that the rest of the text goes on with.
		if (this.branches.isLater) return this.push(tokenKinds.sign, at, at + 1);
		throw new Unsure();
	}

	private string(at: number, quote: string): number {
		const end = endOfString(this.text, at, "", this.language);
		if (end > at + 1) return this.push(tokenKinds.string, at, end);
		if (quote !== "'" || this.language.family !== "rust") return this.push(tokenKinds.sign, at, end);
		// A lifetime.
		let last = end;
		while (isWordPart(this.text.charCodeAt(last))) last++;
		return this.push(tokenKinds.word, at, last);
	}

	private template(from: number): number {
		const { text } = this;
		this.open.push(this.starts.length);
		let start = from;
		for (let at = from + 1; at < text.length; at++) {
			const sign = text[at];
			if (sign === "\\") at++;
			else if (sign === "`") {
				const first = this.open.at(-1);
				// One without a value is a string, and no pair.
				if (first === this.starts.length) {
					this.open.pop();
					return this.push(tokenKinds.string, start, at + 1);
				}
				return this.pushClose(start, at + 1, tokenKinds.string);
			} else if (sign === "$" && text[at + 1] === "{") {
				this.push(tokenKinds.string, start, at + 2);
				start = this.code(at + 2, true);
				at = start;
			}
		}
		throw new Unsure();
	}

	private directive(at: number): number {
		const { text, end } = directiveAt(this.text, at);
		this.push(tokenKinds.directive, at, end, text);
		this.open = this.branches.read(text, this.open);
		return end;
	}

	/** True if a value may begin here, and no operator that goes on with the value before. */
	private expectsValue(): boolean {
		const last = this.starts.length - 1;
		const said = this.said(last);
		const kind = this.kinds[last];
		if (kind === undefined) return true;
		if (kind === tokenKinds.word) return beforeValue.has(said) && this.said(last - 1) !== ".";
		if (kind !== tokenKinds.sign) return said.endsWith("${");
		const partner = this.partner[last] ?? -1;
		if (said === ")") return beforeCondition.has(this.said(partner - 1));
		if (said === "}") return this.fresh;
		if (said === ">") return partner < 0;
		return said !== "]" && said !== "++" && said !== "--";
	}

	private said(at: number): string {
		return this.text.slice(this.starts[at], this.ends[at]);
	}
}
