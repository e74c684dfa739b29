import { type Tokens, tokenKinds } from "./tokens.ts";

const beforeOperand = new Set(
	"typeof delete new await yield keyof in instanceof as satisfies extends return throw case else readonly async".split(
		" ",
	),
);
const betweenOperands = new Set(["in", "instanceof", "as", "satisfies", "extends"]);
const beginsDeclaration = new Set(
	"export import const let var function class interface type enum namespace declare abstract async if for while try switch return throw".split(
		" ",
	),
);
const beforeType = new Set([
	"keyof",
	"typeof",
	"readonly",
	"unique",
	"infer",
	"new",
	"abstract",
	"-",
	"|",
	"&",
	"...",
	"asserts",
]);

/** Operators that stand in no type, so that a less-than sign before them compares two values. */
const valueSigns = new Set("+ * / % && || ?? == === != !== <= ++ -- += -= *= /= ^ ~ !".split(" "));
/** Less-than signs of one expression that are tried as the start of a list, and are none. */
const mostCompared = 20;
const statementWords = new Set(["export", "let", "var", "function", "class", "return", "if", "for", "while"]);

/** Behind the angle brackets that begin at `at`; `at` itself if none do. */
export function afterAngles(tokens: Tokens, from: number, end: number): number {
	if (tokens.text(from) !== "<") return from;
	let depth = 0;
	for (let at = from; at < end; at = tokens.after(at)) {
		const sign = tokens.text(at);
		if (sign === "<") depth++;
		else if (sign === ">" && --depth === 0) return at + 1;
		else if (sign === ";" || valueSigns.has(sign) || (tokens.fresh(at) && isNoType(tokens, at, sign))) break;
	}
	return from;
}

/** True for a word that begins a statement, so that a less-than sign before it compares two values. */
function isNoType(tokens: Tokens, at: number, word: string): boolean {
	return statementWords.has(word) || (word === "const" && [":", "="].includes(tokens.text(at + 2)));
}

/** Behind the type that begins at `from`. */
export function afterType(tokens: Tokens, from: number, end: number): number {
	let tests = 0;
	let open = 0;
	let at = from;
	while (at < end) {
		const next = afterPart(tokens, at, end);
		const text = tokens.text(next);
		const goesOn = next < end && next > at;
		if (!goesOn) return next;
		if (text === "|" || text === "&") at = next + 1;
		else if (text === "=>" && isParameters(tokens, next)) at = next + 1;
		else if (text === "is" && !tokens.fresh(next)) at = next + 1;
		else if (text === "extends") {
			tests++;
			at = next + 1;
		} else if (text === "?" && tests > open) {
			open++;
			at = next + 1;
		} else if (text === ":" && open > 0) {
			open--;
			tests--;
			at = next + 1;
		} else return next;
	}
	return at;
}

/** True if what stands before an arrow in a type are parameters: after `(A | B)` the arrow belongs to a function's body. */
function isParameters(tokens: Tokens, arrow: number): boolean {
	const close = arrow - 1;
	if (tokens.text(close) !== ")") return false;
	const first = tokens.partner(close) + 1;
	if (first === close || tokens.text(first) === "...") return true;
	return (
		(tokens.isWord(first) || "{[".includes(tokens.text(first))) && ":,?=)".includes(tokens.text(tokens.after(first)))
	);
}

/** Behind one operand of a type, with what stands directly before and behind it. */
function afterPart(tokens: Tokens, from: number, end: number): number {
	let at = from;
	while (at < end && beforeType.has(tokens.text(at)) && !(tokens.text(at) === "asserts" && !tokens.isWord(at + 1)))
		at++;
	at = afterAngles(tokens, at, end);
	if (
		at >= end ||
		!(
			tokens.isWord(at) ||
			tokens.isString(at) ||
			tokens.kind(at) === tokenKinds.number ||
			"([{".includes(tokens.text(at))
		)
	)
		return at;
	const isWord = tokens.isWord(at);
	if (tokens.text(at) === "import" && tokens.text(at + 1) === "(") at++;
	at = tokens.after(at);
	for (;;) {
		const sign = tokens.text(at);
		if (at >= end) return end;
		if (sign === "." && (isWord || tokens.text(at - 1) === ")")) at += 2;
		else if (sign === "[" && !tokens.fresh(at)) at = tokens.after(at);
		else if (sign === "<") {
			const behind = afterAngles(tokens, at, end);
			if (behind === at) return at;
			at = behind;
		} else return at;
	}
}

/** Where an expression ends: at a semicolon, at the next statement, or at one of some separators. */
export function endOfExpression(tokens: Tokens, from: number, end: number, stops?: (at: number) => boolean): number {
	let compared = 0;
	for (let at = from; at < end; at = tokens.after(at)) {
		const text = tokens.text(at);
		if (text === ";") return at;
		if (at > from && (stops?.(at) || beginsStatement(tokens, at))) return at;
		// A comma among the type arguments of a call, or among the type parameters of a function, separates nothing else.
		if (text === "<" && stops && compared < mostCompared) {
			const behind = afterAngles(tokens, at, end);
			if (behind === at) compared++;
			else if (tokens.text(behind) === "(") at = behind;
		}
	}
	return end;
}

/** True if the line that begins with a token does not go on with the statement before. */
function beginsStatement(tokens: Tokens, at: number): boolean {
	if (!tokens.fresh(at)) return false;
	const text = tokens.text(at);
	if (tokens.isWord(at)) {
		const next = tokens.text(at + 1);
		if (betweenOperands.has(text) && next !== "=" && next !== ":") return false;
		return endsOperand(tokens, at - 1, beginsDeclaration.has(text) || (text === "type" && tokens.isWord(at + 1)));
	}
	const isValue = tokens.kind(at) === tokenKinds.number || (tokens.isString(at) && !text.startsWith("`"));
	return (isValue || text === "@" || text === "{") && endsOperand(tokens, at - 1, text === "@");
}

function endsOperand(tokens: Tokens, at: number, isDeclarationNext: boolean): boolean {
	if (at < 0) return true;
	const text = tokens.text(at);
	if (tokens.isWord(at)) return !beforeOperand.has(text) || tokens.text(at - 1) === "." || tokens.text(at - 1) === "?.";
	if (tokens.kind(at) !== tokenKinds.sign) return true;
	if (tokens.partner(at) >= 0) return tokens.partner(at) < at;
	return text === "++" || text === "--" || (isDeclarationNext && (text === ">" || text === "!" || text === "*"));
}

/** Behind the decorators that begin at `from`. */
export function afterDecorators(tokens: Tokens, from: number, end: number): number {
	let at = from;
	while (at < end && tokens.text(at) === "@") {
		at = tokens.after(at + 1);
		while (tokens.text(at) === ".") at += 2;
		at = afterAngles(tokens, at, end);
		if (tokens.text(at) === "(") at = tokens.after(at);
	}
	return at;
}

/** The brace that opens the body of a class or an interface, behind what it extends. */
export function braceOf(tokens: Tokens, from: number, end: number): number {
	let at = from;
	let compared = 0;
	while (at < end && tokens.text(at) !== "{") {
		const isTried = tokens.text(at) === "<" && compared < mostCompared;
		const behind = isTried ? afterAngles(tokens, at, end) : at;
		if (isTried && behind === at) compared++;
		at = behind > at ? behind : tokens.after(at);
	}
	return at;
}
