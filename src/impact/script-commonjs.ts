import type { OutlineBuilder } from "./outline.ts";
import { readList } from "./script-imports.ts";
import { endOfExpression } from "./script-types.ts";
import { readValue } from "./script-values.ts";
import type { Tokens } from "./tokens.ts";

const blocks = new Set(["if", "else", "for", "while", "do", "try", "catch", "finally", "switch", "with", "{"]);
const exportWords = new Set(["exports", "module"]);

/** True if a file of JavaScript without `import` and `export` is a module of CommonJS. */
export function isCommonJs(tokens: Tokens): boolean {
	for (let at = 0; at < tokens.length; at++) {
		if (!tokens.isWord(at) || tokens.text(at - 1) === ".") continue;
		const text = tokens.text(at);
		if (text === "module" && tokens.text(at + 1) === "." && tokens.text(at + 2) === "exports") return true;
		if (text === "require" && tokens.text(at + 1) === "(") return true;
		if (text === "exports" && tokens.text(at + 1) === ".") return true;
	}
	return false;
}

/** Reads a statement that is no declaration, and returns where it ends. */
export function readStatement(builder: OutlineBuilder, from: number, end: number, isTyped: boolean): number {
	const { tokens } = builder;
	if (blocks.has(tokens.text(from))) return readBlock(builder, from, end, isTyped);
	const last = endOfExpression(tokens, from, end);
	const equals = tokens.find(from, last, "=");
	const path = targetOf(tokens, from, equals);
	if (equals === last || path === undefined) readExports(builder, from, last, isTyped);
	else if (!isTyped && path[0] === "module" && path[1] === "exports" && path.length === 2)
		readAll(builder, equals + 1, last);
	else if (!isTyped && (path[0] === "exports" || (path[0] === "module" && path[1] === "exports"))) {
		const name = path[path[0] === "exports" ? 1 : 2] ?? "";
		const own = `exports.${name}`;
		const read = readValue(tokens, equals, equals + 1, last);
		builder.declare({ path: own, name: equals - 1, visible: read.visible, inferred: read.inferred });
		builder.see(own, name);
	} else {
		// A property that is assigned to a function or a class is one of its members.
		const read = readValue(tokens, from, equals + 1, last);
		const names = [path[0] ?? ""];
		builder.declare({ path: path.join("."), names, name: equals - 1, visible: read.visible, inferred: read.inferred });
	}
	return last;
}

/** The words of `Shop.prototype.total`; undefined for anything else, and for a word alone. */
function targetOf(tokens: Tokens, from: number, end: number): string[] | undefined {
	const words: string[] = [];
	for (let at = from; at < end; at += 2) {
		if (!tokens.isWord(at) || (at + 1 < end && tokens.text(at + 1) !== ".")) return undefined;
		words.push(tokens.text(at));
	}
	return words.length > 1 ? words : undefined;
}

/** Reads the value of `module.exports`. */
function readAll(builder: OutlineBuilder, from: number, last: number): void {
	const { tokens } = builder;
	const isList = tokens.text(from) === "{" && tokens.after(from) === last;
	const parts = isList ? tokens.split(from + 1, last - 1) : [];
	const isPlain = parts.every(
		([first, behind]) =>
			tokens.isWord(first) &&
			(behind === first + 1 || (behind === first + 3 && tokens.text(first + 1) === ":" && tokens.isWord(first + 2))),
	);
	if (isList && isPlain) for (const { name, as } of readList(tokens, from, ":")) builder.see(as, name);
	else if (last === from + 1 && tokens.isWord(from)) builder.see(tokens.text(from), "default");
	else {
		builder.declare({ path: "module.exports", visible: [[from, last]] });
		builder.see("module.exports", "default");
	}
}

/** What a file of JavaScript does to its exports in a way that nobody reads, its importers may see under any name. */
function readExports(builder: OutlineBuilder, from: number, last: number, isTyped: boolean): void {
	if (isTyped || !builder.tokens.mentions([[from, last]], exportWords)) return;
	builder.declare({ path: "exports", visible: [[from, last]] });
	builder.see("exports", "default");
}

/** Reads `if (...) { ... }` up to its closing brace, or a block alone. Only `var` declares something beyond it. */
function readBlock(builder: OutlineBuilder, from: number, end: number, isTyped: boolean): number {
	const { tokens } = builder;
	let at = tokens.text(from) === "{" ? from : from + 1;
	if (tokens.text(at) === "await") at++;
	if (tokens.text(at) === "(") at = tokens.after(at);
	const last = tokens.text(at) === "{" ? tokens.after(at) : at;
	for (let inner = from; inner < last; inner++)
		if (tokens.text(inner) === "var" && tokens.isWord(inner + 1))
			builder.declare({ path: tokens.text(inner + 1), visible: [[from, last]] });
	readExports(builder, from, last, isTyped);
	return Math.max(last, Math.min(from + 1, end));
}

/** Types that are declared in a comment. */
export function readTypedefs(builder: OutlineBuilder, doc: string): void {
	const found = doc.matchAll(/@(?:typedef|callback)\s+(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)?([\w$]+)/g);
	for (const [, name = ""] of found) {
		builder.declare({ path: name, visible: [], context: doc });
		builder.see(name);
	}
}
