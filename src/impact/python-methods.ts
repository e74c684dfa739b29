import type { OutlineBuilder } from "./outline.ts";
import { colonOf, type Line, spansOf } from "./python-lines.ts";
import type { Span, Tokens } from "./tokens.ts";

/** Reads the attributes that a method's body gives its object: `self.total: int = 0`. */
export function readAttributes(
	builder: OutlineBuilder,
	owner: { readonly path: string; readonly names: readonly string[] },
	self: string,
	body: readonly Line[],
): void {
	const { tokens } = builder;
	let locals: ReadonlySet<string> | undefined;
	let followed = 0;
	for (const line of body) {
		const equals = tokens.find(line.from, line.end, "=");
		// `self.a = self.b = 1` has several targets.
		let last = equals;
		for (let next = equals; next < line.end; next = tokens.find(next + 1, line.end, "=")) last = next;
		const colon = colonOf(tokens, { ...line, end: last });
		const isBound = equals < line.end || colon < line.end || augmented.has(tokens.text(line.from + 3));
		for (let at = line.from; at < line.end; at++) {
			if (tokens.text(at) !== self || tokens.text(at + 1) !== "." || !tokens.isWord(at + 2)) continue;
			const isTarget =
				at < last &&
				isBound &&
				!blocks.has(tokens.text(line.from)) &&
				[",", "=", ":", ")", "]"].includes(tokens.text(at + 3));
			const isAlias = tokens.text(at - 1) === "as" || (tokens.text(at - 1) === "for" && tokens.text(at + 3) === "in");
			const isSum = at === line.from && augmented.has(tokens.text(at + 3));
			if (!isTarget && !isAlias && !isSum) continue;
			const path = `${owner.path}.${tokens.text(at + 2)}`;
			const entry = { path, names: owner.names, name: at + 2 };
			const isPlain =
				at === line.from && ((tokens.text(at + 3) === "=" && equals === last) || tokens.text(at + 3) === ":");
			if (!isPlain) builder.declare({ ...entry, visible: [[line.from, line.end]] });
			else if (tokens.text(at + 3) === ":") builder.declare({ ...entry, visible: [[at, last]] });
			else {
				locals ??= localsOf(tokens, body, self);
				const value: Span = [at + 4, line.end];
				// What a local variable is, the rest of the body says. It is repeated for a few attributes only.
				const isLocal = tokens.mentions([value], locals) && ++followed <= mostFollowed + 1;
				if (isLocal && followed > mostFollowed)
					builder.declare({ path: `${owner.path}.*`, names: owner.names, visible: spansOf(tokens, body) });
				const inferred = isLocal && followed <= mostFollowed ? spansOf(tokens, body) : [value];
				builder.declare({ ...entry, visible: [[at, at + 4]], inferred });
			}
		}
	}
}

const mostFollowed = 12;
const augmented = new Set(["+=", "-=", "*=", "/=", "|=", "&=", "^=", "%="]);
const blocks = new Set([
	"if",
	"elif",
	"while",
	"return",
	"assert",
	"for",
	"with",
	"match",
	"case",
	"raise",
	"yield",
	"del",
]);

/** The names that a body gives values to. */
function localsOf(tokens: Tokens, body: readonly Line[], self: string): ReadonlySet<string> {
	const locals = new Set<string>();
	for (const { from, end } of body) {
		const equals = tokens.find(from, end, "=", ":=", "in", "as");
		for (let at = from; at < equals; at++)
			if (tokens.isWord(at) && tokens.text(at - 1) !== ".") locals.add(tokens.text(at));
		for (let at = equals; at < end; at++) {
			if (tokens.text(at) === ":=") locals.add(tokens.text(at - 1));
			if (tokens.text(at) === "as" || tokens.text(at) === "def") locals.add(tokens.text(at + 1));
		}
	}
	locals.delete(self);
	return locals;
}

/** The name of a method's first parameter; nothing for a static one. */
export function selfOf(tokens: Tokens, open: number): string {
	const first = tokens.text(open) === "(" ? open + 1 : open;
	return tokens.isWord(first) ? tokens.text(first) : "";
}

/** Names of the module that the body of a function gives values to. */
export function readGlobals(builder: OutlineBuilder, body: readonly Line[]): void {
	const { tokens } = builder;
	for (const { from, end } of body) {
		if (tokens.text(from) !== "global") continue;
		for (let at = from + 1; at < end; at++)
			if (tokens.isWord(at)) builder.declare({ path: tokens.text(at), visible: spansOf(tokens, body) });
	}
}
