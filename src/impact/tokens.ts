export const tokenKinds = { word: 0, number: 1, string: 2, sign: 3, directive: 4 } as const;

export type TokenKind = (typeof tokenKinds)[keyof typeof tokenKinds];

/** Some tokens that follow each other: from the first to the one before the second. */
export type Span = readonly [from: number, end: number];

/** What a scan finds. Numbers in lists, and no object for each token: a file has tens of thousands. */
export interface Scan {
	readonly source: string;
	readonly isPython: boolean;
	/** UTF-16 offsets. */
	readonly starts: readonly number[];
	readonly ends: readonly number[];
	readonly kinds: readonly TokenKind[];
	/**
	 * 1 for a token that is the first of its line; in Python, where lines go on within brackets, of its statement.
	 */
	readonly firsts: readonly number[];
	/** The other one of a pair of brackets; -1 for what is no bracket. A template and an element of JSX are pairs too. */
	readonly partner: readonly number[];
	/** The texts of tokens that count as another text than the one that stands there. */
	readonly folded: ReadonlyMap<number, string>;
	/** The comments of JSDoc that say a type, by the token that they stand before. */
	readonly docs: ReadonlyMap<number, string>;
	/** Comments that tell a compiler or a checker something. */
	readonly pragmas: readonly string[];
}

/** Behind these a line break ends a statement of a script, whatever follows. */
const endedByLine = new Set(["return", "break", "continue", "yield"]);
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** A text without its comments and white space. */
export class Tokens {
	readonly scan: Scan;
	readonly length: number;

	constructor(scan: Scan) {
		this.scan = scan;
		this.length = scan.starts.length;
	}

	text(at: number): string {
		const { source, starts, ends, folded } = this.scan;
		const [start, end] = [starts[at], ends[at]];
		if (start === undefined || end === undefined) return "";
		if (end - start === 1) return ascii[source.charCodeAt(start)] ?? source.charAt(start);
		return (folded.size > 0 ? folded.get(at) : undefined) ?? source.slice(start, end);
	}

	kind(at: number): TokenKind | undefined {
		return this.scan.kinds[at];
	}

	isWord(at: number): boolean {
		return this.scan.kinds[at] === tokenKinds.word;
	}

	isString(at: number): boolean {
		return this.scan.kinds[at] === tokenKinds.string;
	}

	/** True for the first token of a line, and behind the last one of all. */
	fresh(at: number): boolean {
		return this.scan.firsts[at] !== 0;
	}

	start(at: number): number {
		return this.scan.starts[at] ?? this.scan.source.length;
	}

	partner(at: number): number {
		return this.scan.partner[at] ?? -1;
	}

	doc(at: number): string | undefined {
		return this.scan.docs.size > 0 ? this.scan.docs.get(at) : undefined;
	}

	/** What follows a token, or the pair of brackets that it opens. */
	after(at: number): number {
		const partner = this.partner(at);
		return partner > at ? partner + 1 : at + 1;
	}

	/** The first token with one of some texts that stands in no brackets; `end` if none does. */
	find(from: number, end: number, ...texts: readonly string[]): number {
		for (let at = from; at < end; at = this.after(at)) if (texts.includes(this.text(at))) return at;
		return end;
	}

	/** The parts of a list that are separated by a comma outside of brackets. */
	split(from: number, end: number, separator = ","): Span[] {
		const parts: Span[] = [];
		for (let at = from; at < end; ) {
			const next = this.find(at, end, separator);
			if (next > at) parts.push([at, next]);
			at = next + 1;
		}
		return parts;
	}

	/** The text of some tokens, the same however it is formatted. */
	textOf(spans: readonly Span[]): string {
		const parts: string[] = [];
		for (const [from, end] of spans)
			for (let at = from; at < end && at < this.length; at++) {
				const before = this.before(at);
				parts.push(before === "" ? this.text(at) : `${before} ${this.text(at)}`);
			}
		return parts.join(" ");
	}

	/** What counts before a token beside its own text: a comment that says a type, a line break, how it is indented. */
	before(at: number): string {
		const doc = this.doc(at) ?? "";
		if (this.scan.firsts[at] !== 1) return doc;
		if (this.scan.isPython) return `\n${this.indent(at)}`;
		return endedByLine.has(this.text(at - 1)) ? `${doc}\n` : doc;
	}

	/** UTF-16 units between a token and the start of its line. */
	private indent(at: number): number {
		const { source } = this.scan;
		const start = this.start(at);
		let first = start;
		while (first > 0 && source[first - 1] !== "\n" && source[first - 1] !== "\r") first--;
		return start - first;
	}

	/** True if one of some words stands within some tokens. */
	mentions(spans: readonly Span[], words: ReadonlySet<string>): boolean {
		return spans.some(([from, end]) => {
			for (let at = from; at < end; at++) if (this.isWord(at) && words.has(this.text(at))) return true;
			return false;
		});
	}
}

/** Some tokens of a text. */
export interface Extract {
	readonly tokens: Tokens;
	readonly spans: readonly Span[];
}

/** True if two extracts have the same text. */
export function isSameText(a: Extract, b: Extract): boolean {
	const [left, right] = [new Cursor(a), new Cursor(b)];
	for (;;) {
		const [at, other] = [left.next(), right.next()];
		if (at < 0 || other < 0) return at === other;
		if (!isSameToken(a.tokens, at, b.tokens, other)) return false;
	}
}

function isSameToken(a: Tokens, at: number, b: Tokens, other: number): boolean {
	const [start, end] = [a.start(at), a.scan.ends[at] ?? 0];
	const [from, to] = [b.start(other), b.scan.ends[other] ?? 0];
	if (a.before(at) !== b.before(other)) return false;
	if (a.scan.folded.has(at) || b.scan.folded.has(other)) return a.text(at) === b.text(other);
	if (end - start !== to - from) return false;
	for (let index = 0; index < end - start; index++)
		if (a.scan.source.charCodeAt(start + index) !== b.scan.source.charCodeAt(from + index)) return false;
	return true;
}

/** Walks the tokens of an extract. */
class Cursor {
	private readonly extract: Extract;
	private span = 0;
	private at: number;

	constructor(extract: Extract) {
		this.extract = extract;
		this.at = extract.spans[0]?.[0] ?? 0;
	}

	/** The next token; -1 behind the last one. */
	next(): number {
		const { spans, tokens } = this.extract;
		for (;;) {
			const span = spans[this.span];
			if (!span) return -1;
			if (this.at < Math.min(span[1], tokens.length)) return this.at++;
			this.span++;
			this.at = spans[this.span]?.[0] ?? 0;
		}
	}
}
