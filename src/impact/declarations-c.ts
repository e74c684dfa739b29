import { bodyOf, namesBeforeBodies, withoutBodies } from "./c-bodies.ts";
import { type Outline, OutlineBuilder, wordsOf } from "./outline.ts";
import { type Span, type Tokens, tokenKinds } from "./tokens.ts";

const types = new Set(["struct", "class", "union", "enum"]);
/** A function with one of these says its type, or what it does, in its body. */
const seenWhole = new Set(["constexpr", "consteval", "auto", "decltype", "template", "concept", "requires"]);
const keywords = new Set(
	(
		"public private protected virtual explicit friend mutable final override const volatile int char void long short " +
		"float double unsigned signed bool return sizeof inline operator static extern"
	).split(" "),
);

/** Reads the declarations of a file of C, C++ or Objective-C. */
export function cOutline(tokens: Tokens, path: string): Outline {
	const builder = new OutlineBuilder(tokens);
	const isHeader = /\.(?:h|hh|hpp|hxx|inl)$/.test(path);
	readDirectives(builder);
	readStatements(builder, 0, tokens.length, "", isHeader);
	return builder.outline();
}

function readStatements(builder: OutlineBuilder, from: number, end: number, context: string, isHeader: boolean): void {
	const { tokens } = builder;
	for (let at = from; at < end; ) {
		const isMacro = tokens.isWord(at) && tokens.kind(at + 1) === tokenKinds.directive;
		if (tokens.kind(at) === tokenKinds.directive) {
			if (/^# ?(?:if|el|endif)/.test(tokens.text(at))) builder.rest += `${tokens.text(at)}\n`;
			at++;
		} else if (isMacro || tokens.text(at) === ";" || tokens.text(at) === "}") at++;
		else if (tokens.text(at) === "@") at = readObjective(builder, at, end);
		else at = Math.max(readStatement(builder, at, end, context, isHeader), at + 1);
	}
}

/** Reads the macros and what is included, wherever they stand: a macro of a function's body is one of the file as well. */
function readDirectives(builder: OutlineBuilder): void {
	const { tokens } = builder;
	for (let at = 0; at < tokens.length; at++) {
		if (tokens.kind(at) !== tokenKinds.directive) continue;
		const said = tokens.text(at);
		const macro = /^# ?(?:define|undef) (\w+)/.exec(said)?.[1];
		if (macro !== undefined) {
			builder.declare({ path: `#${macro}`, names: [macro], visible: [[at, at + 1]] });
			builder.see(macro);
		} else if (/^# ?(?:include|import)/.test(said)) builder.rest += `${said}\n`;
	}
}

/** Reads what Objective-C declares between `@interface` and `@end`. */
function readObjective(builder: OutlineBuilder, from: number, end: number): number {
	const { tokens } = builder;
	const word = tokens.text(from + 1);
	let last = from + 2;
	if (word === "interface" || word === "protocol" || word === "implementation") {
		const isForward = word === "protocol" && [";", ","].includes(tokens.text(from + 3));
		while (
			last < end &&
			!(isForward ? tokens.text(last) === ";" : tokens.text(last) === "@" && tokens.text(last + 1) === "end")
		)
			last = tokens.after(last);
		last = Math.min(last + (isForward ? 1 : 2), end);
		if (word === "implementation") return last;
	} else last = Math.min(tokens.find(from, end, ";") + 1, end);
	const names = new Set<string>();
	for (let at = from + 2; at < last; at++)
		if (tokens.isWord(at) && (at === from + 2 || word === "class")) names.add(tokens.text(at));
	builder.declare({ path: [...names].join(), names: [...names], visible: [[from, last]] });
	for (const name of names) builder.see(name);
	return last;
}

/** Reads one declaration and returns where it ends. */
function readStatement(builder: OutlineBuilder, from: number, end: number, context: string, isHeader: boolean): number {
	const { tokens } = builder;
	const open = bodyOf(tokens, from, end);
	const start = afterTemplates(tokens, from, open);
	const first = tokens.text(start);
	const isBlock = tokens.text(open) === "{";
	const isExtern = tokens.isString(open - 1) && tokens.text(open - 2) === "extern";
	if (isBlock && (isExtern || tokens.find(from, open, "namespace") < open)) {
		readStatements(builder, open + 1, tokens.after(open) - 1, `${context}${tokens.textOf([[from, open]])} `, isHeader);
		return tokens.after(open);
	}
	if (first === "using" && tokens.text(from + 1) === "namespace") {
		const last = tokens.find(from, end, ";");
		builder.rest += `${tokens.textOf([[from, last]])}\n`;
		return last + 1;
	}
	const head: Span = [from, open];
	const isType = isBlock && isTypeHead(tokens, start, open);
	const isFunction =
		isBlock && !isType && tokens.find(start, open, "(") < open && tokens.find(start, open, "=") === open;
	// What follows the braces of a type or of a value belongs to the same declaration.
	const last = isFunction
		? tokens.after(open)
		: Math.min(tokens.find(isBlock ? tokens.after(open) : from, end, ";") + 1, end);
	const isWhole = tokens.mentions([head], seenWhole);
	let visible: readonly Span[] = [[from, last]];
	if (!isWhole && isFunction) visible = [head];
	else if (!isWhole && isType) visible = withoutBodies(tokens, from, last);
	else if (!isType) {
		const equals = tokens.find(from, last, "=");
		const isValue = equals < last && first !== "using" && tokens.find(from, equals, "[") === equals;
		if (isValue && !isWhole) visible = [[from, equals]];
	}
	const found = isType
		? namesOfType(tokens, start, open, last)
		: namesBeforeBodies(tokens, start, isFunction ? open : last);
	const isName = (word: string) => !keywords.has(word);
	const names = found.filter(isName);
	// An operator has no name: those who use it name its operands.
	const own = [...new Set(names.length > 0 ? names : [...wordsOf(tokens, [[start, open]], undefined)].filter(isName))];
	builder.declare({ path: own.join(), names: own, visible, context });
	const isHidden = !isHeader && first === "static";
	if (!isHidden) for (const name of own) builder.see(name);
	return last;
}

/** Behind the lists of parameters of templates. */
function afterTemplates(tokens: Tokens, from: number, end: number): number {
	let at = from;
	while (tokens.text(at) === "template" && tokens.text(at + 1) === "<") {
		let depth = 0;
		for (at++; at < end; at = tokens.after(at)) {
			if (tokens.text(at) === "<") depth++;
			else if (tokens.text(at) === ">" && --depth === 0) break;
		}
		at++;
	}
	return Math.min(at, end);
}

/** True if the braces are those of a structure, a class or an enumeration, and no function's that returns one. */
function isTypeHead(tokens: Tokens, from: number, open: number): boolean {
	const word = tokens.find(from, open, ...types);
	if (word === open || tokens.find(from, open, "=") < open) return false;
	let depth = 0;
	for (let at = word; at < open; at = tokens.after(at)) {
		if (tokens.text(at) === "<") depth++;
		else if (tokens.text(at) === ">") depth--;
		else if (tokens.text(at) === ":" && depth === 0) return true;
		// `struct shop *open(int a) {` is a function; an attribute has its parentheses before the name.
		else if (tokens.text(at) === "(" && depth === 0 && !tokens.isWord(tokens.after(at)) && tokens.after(at) === open)
			return false;
	}
	return true;
}

/** The names of a type, of its enumerators, and of what is declared behind its closing brace. */
function namesOfType(tokens: Tokens, from: number, open: number, last: number): string[] {
	const names = namesBeforeBodies(tokens, tokens.after(open), last);
	const word = tokens.find(from, open, ...types);
	const colon = tokens.find(word, open, ":");
	let depth = 0;
	let own = "";
	for (let at = word + 1; at < colon; at = tokens.after(at)) {
		if (tokens.text(at) === "<") depth++;
		else if (tokens.text(at) === ">") depth--;
		else if (depth === 0 && tokens.isWord(at) && !types.has(tokens.text(at)) && !keywords.has(tokens.text(at)))
			own = tokens.text(at);
	}
	if (own !== "") names.unshift(own);
	if (tokens.text(word) === "enum")
		for (const [first] of tokens.split(open + 1, tokens.after(open) - 1))
			if (tokens.isWord(first)) names.push(tokens.text(first));
	return names;
}
