import { type Outline, OutlineBuilder } from "./outline.ts";
import type { Span, Tokens } from "./tokens.ts";

/** What the items of a module or an implementation are a part of. */
interface Scope {
	/** The type that an implementation or a trait is of. */
	readonly owner: string | undefined;
	readonly context: string;
}

const modifiers = new Set(["pub", "crate", "unsafe", "async", "default", "extern", "auto", "move", "safe"]);

/** Reads the declarations of a file of Rust. */
export function rustOutline(tokens: Tokens): Outline {
	const builder = new OutlineBuilder(tokens);
	readItems(builder, 0, tokens.length, { owner: undefined, context: "" });
	// Items are named by their path in the crate, and methods by their name alone: no import leads to all who use them.
	builder.isGlobal = true;
	return builder.outline();
}

function readItems(builder: OutlineBuilder, from: number, end: number, scope: Scope): void {
	for (let at = from; at < end; ) at = Math.max(readItem(builder, at, end, scope), at + 1);
}

function readItem(builder: OutlineBuilder, from: number, end: number, scope: Scope): number {
	const { tokens } = builder;
	let at = from;
	while (tokens.text(at) === "#") at = tokens.after(tokens.text(at + 1) === "!" ? at + 2 : at + 1);
	const attributes = tokens.textOf([[from, at]]);
	const first = at;
	for (; ; at++) {
		if (tokens.text(at) === "const" && ["fn", "unsafe", "extern", "async"].includes(tokens.text(at + 1))) continue;
		if (!modifiers.has(tokens.text(at)) && !tokens.isString(at)) break;
		if (tokens.text(at) === "extern" && tokens.text(at + 1) === "crate") break;
		if (tokens.text(at) === "pub" && tokens.text(at + 1) === "(") at = tokens.after(at + 1) - 1;
	}
	const word = tokens.text(at);
	const isTest = /# \[ (?:cfg \( test \)|test|\w+ :: test) \]/.test(attributes);
	const body = tokens.find(at, end, "{", ";");
	const last = body < end ? tokens.after(body) : end;
	if (isTest) return word === "use" || word === "static" || word === "const" ? semicolonOf(tokens, at, end) : last;
	const declare = (name: number, visible: readonly Span[], names = namesIn(scope, tokens.text(name))) => {
		builder.declare({ path: pathIn(scope, tokens.text(name)), names, name, visible, context: scope.context });
		for (const each of names) builder.see(each);
	};
	if (word === "fn") {
		const open = bodyOf(tokens, at, end);
		// That a method of a trait has a body says that nobody has to write it.
		declare(at + 1, [[from, open], ...(tokens.text(open) === "{" ? ([[open, open + 1]] as const) : [])]);
		return open < end ? tokens.after(open) : end;
	}
	if (word === "struct" || word === "enum" || word === "union") {
		if (!tokens.isWord(at + 1)) return last;
		const isTuple = tokens.text(body) === ";" || body === end;
		const whole: Span[] = [[from, isTuple ? body : last]];
		declare(at + 1, whole);
		if (word === "enum")
			for (const variant of variantsOf(tokens, body))
				declare(variant, whole, [tokens.text(at + 1), tokens.text(variant)]);
		return last;
	}
	if (word === "trait" || word === "mod") {
		declare(at + 1, [[from, body]]);
		if (tokens.text(body) !== "{") return last;
		const owner = word === "trait" ? tokens.text(at + 1) : scope.owner;
		readItems(builder, body + 1, last - 1, { owner, context: word === "mod" ? `${scope.context}${attributes}` : "" });
		return last;
	}
	if (word === "impl") return readImplementation(builder, from, at, body, last);
	if (word === "use" || (word === "extern" && tokens.text(at + 1) === "crate"))
		return readUse(builder, from, at, semicolonOf(tokens, at, end));
	if (word === "const" || word === "static" || word === "type") {
		const close = semicolonOf(tokens, at, end);
		const name = tokens.text(at + 1) === "mut" ? at + 2 : at + 1;
		const equals = word === "static" ? tokens.find(at, close, "=") : close;
		declare(name, [[from, Math.min(equals, close)]]);
		return close;
	}
	if (word === "macro_rules" && tokens.text(at + 1) === "!") {
		declare(at + 2, [[from, tokens.after(at + 3)]]);
		return tokens.after(at + 3);
	}
	return readMacro(builder, from, first, at, end);
}

/** A macro that is called may declare whatever it is given. */
function readMacro(builder: OutlineBuilder, from: number, first: number, at: number, end: number): number {
	const { tokens } = builder;
	const bang = tokens.find(first, end, "!", ";", "{");
	if (tokens.text(bang) !== "!") return Math.max(tokens.after(bang), at + 1);
	const open = tokens.isWord(bang + 1) ? bang + 2 : bang + 1;
	const close = tokens.after(open);
	const names = new Set([tokens.text(bang - 1)]);
	for (let inner = bang; inner < close; inner++) if (tokens.isWord(inner)) names.add(tokens.text(inner));
	builder.declare({ path: `${tokens.text(bang - 1)}!`, names: [...names], visible: [[from, close]] });
	for (const name of names) builder.see(name);
	return close;
}

function namesIn({ owner }: Scope, name: string): readonly string[] {
	return owner === undefined ? [name] : [owner, name];
}

function pathIn({ owner }: Scope, name: string): string {
	return owner === undefined ? name : `${owner}.${name}`;
}

function bodyOf(tokens: Tokens, from: number, end: number): number {
	return tokens.find(from, end, "{", ";");
}

function semicolonOf(tokens: Tokens, from: number, end: number): number {
	return Math.min(tokens.find(from, end, ";") + 1, end);
}

function variantsOf(tokens: Tokens, open: number): number[] {
	return tokens.split(open + 1, tokens.after(open) - 1).map(([from, end]) => {
		let at = from;
		while (tokens.text(at) === "#" && at < end) at = tokens.after(at + 1);
		return at;
	});
}

function readImplementation(builder: OutlineBuilder, from: number, at: number, body: number, last: number): number {
	const { tokens } = builder;
	const by = tokens.find(at, body, "for");
	const type = by < body ? by + 1 : at + 1;
	const stop = tokens.find(type, body, "where");
	// The last word outside of type arguments: `crate::shop::Cart<'a, T>` is `Cart`.
	let depth = 0;
	let owner = "";
	for (let inner = type; inner < stop; inner++) {
		if (tokens.text(inner) === "<") depth++;
		else if (tokens.text(inner) === ">") depth--;
		else if (depth === 0 && tokens.isWord(inner)) owner = tokens.text(inner);
	}
	const head: Span = [from, body];
	const context = tokens.textOf([head]);
	builder.declare({ path: context, names: [owner], visible: [head] });
	builder.see(owner);
	if (tokens.text(body) === "{") readItems(builder, body + 1, last - 1, { owner, context });
	return last;
}

function readUse(builder: OutlineBuilder, from: number, at: number, last: number): number {
	const { tokens } = builder;
	const isSeen = tokens.mentions([[from, at]], new Set(["pub"]));
	const end = tokens.text(last - 1) === ";" ? last - 1 : last;
	readTree(builder, at + 1, end, `${tokens.textOf([[from, at]])} use`, isSeen);
	return last;
}

/** Reads the names of a tree of imports. Each is told by itself, with the path that leads to it. */
function readTree(builder: OutlineBuilder, from: number, end: number, before: string, isSeen: boolean): void {
	const { tokens } = builder;
	for (const [first, last] of tokens.split(from, end)) {
		const open = tokens.find(first, last, "{");
		const path = `${before} ${tokens.textOf([[first, open]])}`;
		if (open < last) {
			readTree(builder, open + 1, tokens.after(open) - 1, path, isSeen);
			continue;
		}
		const text = tokens.text(last - 1);
		const name = text === "self" ? (/(\w+) ::(?: self)?$/.exec(path.replace(/ self$/, ""))?.[1] ?? text) : text;
		if (name === "*" && isSeen) builder.rest += path;
		if (!tokens.isWord(last - 1) || name === "_") continue;
		builder.declare({ path: name, visible: [], context: path });
		if (isSeen) builder.see(name);
	}
}
