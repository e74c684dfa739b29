import { type Outline, OutlineBuilder } from "./outline.ts";
import { type Span, type Tokens, tokenKinds } from "./tokens.ts";

const keywords = new Set(["package", "import", "func", "type", "var", "const"]);
const typeWithBraces = new Set(["struct", "interface"]);

/** Reads the declarations of a file of Go. */
export function goOutline(tokens: Tokens): Outline {
	const builder = new OutlineBuilder(tokens);
	for (let at = 0; at < tokens.length; ) {
		let end = tokens.after(at);
		while (end < tokens.length && !(tokens.fresh(end) && keywords.has(tokens.text(end)))) end = tokens.after(end);
		if (tokens.text(end - 1) === ";") readStatement(builder, at, end - 1);
		else readStatement(builder, at, end);
		at = end;
	}
	builder.rest += tokens.scan.pragmas.filter((said) => /^\/\/(?:go:build|\s*\+build)/.test(said)).join("\n");
	return builder.outline();
}

function readStatement(builder: OutlineBuilder, from: number, end: number): void {
	const { tokens } = builder;
	const word = tokens.text(from);
	if (word === "package") builder.rest += tokens.textOf([[from, end]]);
	if (word === "func") readFunction(builder, from, end);
	if (!keywords.has(word) || word === "package" || word === "func") return;
	const isGroup = tokens.text(from + 1) === "(";
	const specs = isGroup ? linesOf(tokens, from + 2, tokens.after(from + 1) - 1) : [[from + 1, end] as const];
	let said: Span = [from, from];
	for (const spec of specs) {
		const [first, last] = spec;
		if (word === "import") readImport(builder, first);
		else if (word === "type") declare(builder, first, [spec]);
		else if (word === "var") readVariables(builder, first, last);
		else {
			// A constant without a value repeats what the one before it says.
			const equals = tokens.find(first, last, "=");
			if (equals < last) said = [equals, last];
			for (const name of namesOf(tokens, first, last)) declare(builder, name, [spec, said]);
		}
	}
}

function linesOf(tokens: Tokens, from: number, end: number): Span[] {
	const lines: Span[] = [];
	for (let at = from; at < end; ) {
		let last = tokens.after(at);
		// A line that ends with an operator or a comma goes on.
		while (last < end && tokens.text(last) !== ";" && !(tokens.fresh(last) && endsLine(tokens, last - 1)))
			last = tokens.after(last);
		lines.push([at, last]);
		at = tokens.text(last) === ";" ? last + 1 : last;
	}
	return lines;
}

function endsLine(tokens: Tokens, at: number): boolean {
	return tokens.kind(at) !== tokenKinds.sign || [")", "]", "}", "++", "--"].includes(tokens.text(at));
}

function namesOf(tokens: Tokens, from: number, end: number): number[] {
	const names = [from];
	for (let at = from; tokens.text(at + 1) === "," && at + 2 < end; at += 2) names.push(at + 2);
	return names;
}

function readImport(builder: OutlineBuilder, first: number): void {
	const { tokens } = builder;
	const isNamed = !tokens.isString(first);
	const path = tokens.text(isNamed ? first + 1 : first).slice(1, -1);
	const name = isNamed ? tokens.text(first) : (path.split("/").findLast((word) => !/^v\d+$/.test(word)) ?? path);
	if (name === ".") builder.rest += ` import . ${path}`;
	else builder.declare({ path: name, visible: [], context: `import ${path}` });
}

function readVariables(builder: OutlineBuilder, first: number, last: number): void {
	const { tokens } = builder;
	const names = namesOf(tokens, first, last);
	const equals = tokens.find(first, last, "=");
	const isTyped = equals > (names.at(-1) ?? first) + 1;
	for (const name of names) {
		if (tokens.text(name) === "_") continue;
		if (isTyped) declare(builder, name, [[first, equals]]);
		else if (names.length > 1) declare(builder, name, [[first, last]]);
		else declare(builder, name, [[first, equals]], [[equals, last]]);
	}
}

function declare(
	builder: OutlineBuilder,
	name: number,
	visible: readonly Span[],
	inferred: readonly Span[] = [],
): void {
	const path = builder.tokens.text(name);
	builder.declare({ path, name, visible, inferred });
	builder.see(path);
}

function readFunction(builder: OutlineBuilder, from: number, end: number): void {
	const { tokens } = builder;
	const visible: Span[] = [[from, headOf(tokens, from, end)]];
	if (tokens.text(from + 1) !== "(") {
		// Nobody calls `init`, and a file may have several.
		if (tokens.text(from + 1) !== "init") declare(builder, from + 1, visible);
		return;
	}
	const name = tokens.after(from + 1);
	const close = name - 1;
	const generics = tokens.find(from + 2, close, "[");
	let receiver = generics - 1;
	while (receiver > from + 1 && !tokens.isWord(receiver)) receiver--;
	const names = [tokens.text(receiver), tokens.text(name)];
	builder.declare({ path: names.join("."), names, name, visible });
	for (const each of names) builder.see(each);
}

/** Where the body of a function begins; the end of the declaration if it has none. */
function headOf(tokens: Tokens, from: number, end: number): number {
	let at = from;
	while (at < end) {
		if (tokens.text(at) === "{" && !typeWithBraces.has(tokens.text(at - 1))) return at;
		at = tokens.after(at);
	}
	return end;
}
