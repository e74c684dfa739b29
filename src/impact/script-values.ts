import { afterAngles, afterType } from "./script-types.ts";
import type { Span, Tokens } from "./tokens.ts";

/** Of a function, a method or a value: what others see for sure, and what its type is inferred from. */
export interface Parts {
	readonly visible: readonly Span[];
	readonly inferred: readonly Span[];
	readonly end: number;
}

/** A signature names these without saying what they look like. */
const namesTypes = new Set(["class", "enum", "interface"]);

/**
 * Reads a function from its type parameters or its parameters on. `start` is where its visible text begins, `isTyped` is
 * true for one without a return type whose body is nobody's affair all the same.
 */
export function readFunction(tokens: Tokens, start: number, from: number, end: number, isTyped: boolean): Parts {
	const parameters = afterAngles(tokens, from, end);
	const close = tokens.text(parameters) === "(" ? tokens.after(parameters) : parameters;
	const type = tokens.text(close) === ":" ? afterType(tokens, close + 1, end) : close;
	if (tokens.text(type) !== "{") return { visible: [[start, type]], inferred: [], end: type };
	const last = tokens.after(type);
	if (isTyped || type > close) return { visible: [[start, type]], inferred: [], end: last };
	return { ...inferredFrom(tokens, start, close, [close, last]), end: last };
}

/** Reads the initial value from `from` to `end` of a declaration that does not say its type. */
export function readValue(tokens: Tokens, start: number, from: number, end: number): Parts {
	const first = tokens.text(from) === "async" && !tokens.fresh(from + 1) ? from + 1 : from;
	if (tokens.text(first) === "function") {
		const parameters = tokens.find(first, end, "(", "<");
		const read = readFunction(tokens, start, parameters, end, false);
		if (read.end === end) return read;
	} else {
		const parameters = afterAngles(tokens, first, end);
		const close = tokens.after(parameters);
		const isList = tokens.text(parameters) === "(";
		if ((isList || tokens.isWord(parameters)) && tokens.text(close) === "=>" && close < end)
			return { ...inferredFrom(tokens, start, close, [close, end]), end };
		if (isList && tokens.text(close) === ":") {
			const type = afterType(tokens, close + 1, end);
			if (tokens.text(type) === "=>" && type < end) return { visible: [[start, type]], inferred: [], end };
		}
	}
	return { ...inferredFrom(tokens, start, from, [from, end]), end };
}

function inferredFrom(tokens: Tokens, start: number, head: number, body: Span): Omit<Parts, "end"> {
	// What a script without types assigns to `this` is a property, and no signature of the function tells of it.
	const isSeen = tokens.mentions([body], namesTypes) || assignsToThis(tokens, body);
	return isSeen ? { visible: [[start, body[1]]], inferred: [] } : { visible: [[start, head]], inferred: [body] };
}

function assignsToThis(tokens: Tokens, [from, end]: Span): boolean {
	for (let at = from; at < end; at++)
		if (tokens.text(at) === "this" && tokens.text(at + 1) === "." && tokens.text(at + 3) === "=") return true;
	return false;
}
