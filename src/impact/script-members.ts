import type { OutlineBuilder } from "./outline.ts";
import { afterAngles, afterDecorators, afterType, endOfExpression } from "./script-types.ts";
import { readFunction, readValue } from "./script-values.ts";
import type { Span } from "./tokens.ts";

/** The class that some members belong to. */
export interface Owner {
	readonly path: string;
	readonly names: readonly string[];
	readonly everywhere: boolean;
	/** True if the file says its types, so that nothing is declared by an assignment in a constructor. */
	readonly isTyped: boolean;
}

const modifiers = new Set(
	"public private protected static readonly abstract override async declare accessor get set".split(" "),
);
/** Behind these signs a word is a member's name, and no modifier of one. */
const behindName = new Set(["(", "=", ";", ":", "?", "!", "<", "}", ","]);

/** Reads the members of a class from the token behind its opening brace on. */
export function readMembers(builder: OutlineBuilder, from: number, end: number, owner: Owner): void {
	for (let at = from; at < end; ) {
		const next = builder.tokens.text(at) === ";" ? at + 1 : readMember(builder, at, end, owner);
		at = Math.max(next, at + 1);
	}
}

function readMember(builder: OutlineBuilder, from: number, end: number, owner: Owner): number {
	const { tokens } = builder;
	const declare = (path: string, name: number | undefined, visible: readonly Span[], inferred: readonly Span[] = []) =>
		builder.declare({ path, names: owner.names, name, visible, inferred, everywhere: owner.everywhere });
	let at = afterDecorators(tokens, from, end);
	let isSetter = false;
	while (modifiers.has(tokens.text(at)) && at + 1 < end && !behindName.has(tokens.text(at + 1))) {
		if (tokens.text(at) === "static" && tokens.text(at + 1) === "{") {
			// Without types a static block may declare a property.
			const block = tokens.after(at + 1);
			if (!owner.isTyped) declare(`${owner.path}.static`, undefined, [[at, block]]);
			return block;
		}
		isSetter ||= tokens.text(at) === "set";
		at++;
	}
	if (tokens.text(at) === "*") at++;
	const name = at;
	at = tokens.after(at);
	const path = `${owner.path}.${tokens.textOf([[name, at]])}`;
	if (tokens.text(at) === "?" || tokens.text(at) === "!") at++;
	if (tokens.text(afterAngles(tokens, at, end)) === "(") {
		const isConstructor = tokens.text(name) === "constructor";
		const read = readFunction(tokens, from, at, end, owner.isTyped && (isSetter || isConstructor));
		declare(path, name, read.visible, read.inferred);
		return read.end;
	}
	const isTyped = tokens.text(at) === ":";
	if (isTyped) at = afterType(tokens, at + 1, end);
	if (tokens.text(at) !== "=") {
		const last = endOfExpression(tokens, at, end);
		// A type that is not understood to its end is seen as a whole.
		const isWhole = at === last || tokens.fresh(at);
		declare(path, name, [[from, isWhole ? at : last]]);
		return isWhole ? at : last;
	}
	const last = endOfExpression(tokens, at + 1, end);
	if (isTyped) declare(path, name, [[from, at]]);
	else {
		const read = readValue(tokens, from, at + 1, last);
		declare(path, name, read.visible, read.inferred);
	}
	return last;
}
