import { type Span, type Tokens, tokenKinds } from "./tokens.ts";

/** The first brace or semicolon of a declaration that begins at `from`, and no brace of a list of a constructor's values. */
export function bodyOf(tokens: Tokens, from: number, end: number): number {
	for (let at = from; at < end; at = tokens.after(at)) {
		const text = tokens.text(at);
		if (text === "{" || text === ";") return at;
		if (text === ":" && tokens.text(at - 1) !== ":" && hasParameters(tokens, from, at))
			return afterValues(tokens, at + 1, end);
	}
	return end;
}

function hasParameters(tokens: Tokens, from: number, colon: number): boolean {
	const before = tokens.text(colon - 1);
	return (before === ")" || before === "noexcept") && tokens.find(from, colon, "(") < colon;
}

/** Where the body of a constructor begins whose values begin at `from`: `a(1), b{2} {`. */
function afterValues(tokens: Tokens, from: number, end: number): number {
	let at = from;
	while (at < end) {
		while (at < end && tokens.text(at) !== "(" && tokens.text(at) !== "{" && tokens.text(at) !== ";") at++;
		if (at >= end || tokens.text(at) === ";") return at;
		at = tokens.after(at);
		if (tokens.text(at) === "...") at++;
		if (tokens.text(at) !== ",") return at;
		at++;
	}
	return end;
}

/** The tokens of a type without the bodies of its functions. */
export function withoutBodies(tokens: Tokens, from: number, end: number): Span[] {
	const spans: Span[] = [];
	let start = from;
	let statement = from;
	let isSeen = false;
	for (let at = from; at < end; at++) {
		const text = tokens.text(at);
		if (tokens.kind(at) === tokenKinds.directive) continue;
		if (text === "template" || text === "auto" || text === "constexpr") isSeen = true;
		if (text === "(") {
			at = tokens.after(at) - 1;
			continue;
		}
		if (text === ";" || text === "}" || (text === ":" && tokens.text(at - 1) !== ")")) {
			statement = at + 1;
			isSeen = false;
		}
		const isList = text === ":" && tokens.text(at - 1) === ")";
		const body = isList ? afterValues(tokens, at + 1, end) : at;
		if (tokens.text(body) !== "{" || !isFunction(tokens, statement, isList ? at : body) || isSeen) {
			if (text === "{") statement = at + 1;
			continue;
		}
		spans.push([start, isList ? at : body]);
		start = tokens.after(body);
		statement = start;
		at = start - 1;
	}
	if (start < end) spans.push([start, end]);
	return spans;
}

/** True if parameters stand before a brace, and no base of a type or initial value. */
function isFunction(tokens: Tokens, from: number, brace: number): boolean {
	return tokens.find(from, brace, "(") < brace && tokens.find(from, brace, "=") === brace;
}

/**
 * The names that a declaration may declare: words before parameters, a comma, a semicolon, an initial value or an array's
 * length. One too many does no harm; a macro that is called before a function is one.
 */
export function namesBeforeBodies(tokens: Tokens, from: number, end: number): string[] {
	const names: string[] = [];
	for (let at = from; at < end; at = tokens.after(at)) {
		const next = tokens.text(at + 1);
		// A macro may stand between a name and its parameters: `open ARGS((int a))`.
		if (next === "(" && tokens.isWord(at - 1) && at > from && /^[A-Z_][A-Z0-9_]*$/.test(tokens.text(at)))
			names.push(tokens.text(at - 1));
		if (tokens.isWord(at) && ["(", ";", ",", "=", "[", "{", ":"].includes(next)) names.push(tokens.text(at));
		else if (tokens.isWord(at) && at + 1 >= end) names.push(tokens.text(at));
		else if (tokens.isWord(at) && next === "::" && tokens.isWord(at + 2)) names.push(tokens.text(at));
		else if (tokens.text(at) === "(" && tokens.text(at + 1) === "*") names.push(tokens.text(at + 2));
		if (tokens.text(at) === "=") {
			const comma = tokens.find(at, end, ",", ";");
			if (comma >= end) break;
			at = comma - 1;
		}
	}
	return names;
}
