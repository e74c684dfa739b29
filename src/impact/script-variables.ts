import type { OutlineBuilder } from "./outline.ts";
import { readList, type Scope } from "./script-imports.ts";
import { afterType, endOfExpression } from "./script-types.ts";
import { readValue } from "./script-values.ts";
import type { Span, Tokens } from "./tokens.ts";

/** Reads the variables of a statement from the token behind `const`, and returns where it ends. */
export function readVariables(
	builder: OutlineBuilder,
	said: readonly Span[],
	from: number,
	first: number,
	end: number,
	scope: Scope,
	named: (name: number) => string[],
): number {
	const { tokens } = builder;
	const keyword: readonly Span[] = [...said, [from, first]];
	const isConstant = tokens.text(first - 1) === "const";
	for (let at = first; at < end; ) {
		const target = tokens.after(at);
		const isTyped = tokens.text(target) === ":" || (tokens.text(target) === "!" && tokens.text(target + 1) === ":");
		const type = isTyped ? afterType(tokens, tokens.find(target, end, ":") + 1, end) : target;
		const hasValue = tokens.text(type) === "=";
		const isNext = (comma: number) => tokens.text(comma) === "," && isVariable(tokens, type, comma, end, isConstant);
		// A type that is not understood to its end is seen as a whole, and what stands behind it as well.
		const last = hasValue ? endOfExpression(tokens, type + 1, end, isNext) : endOf(tokens, type, end, isNext);
		if (tokens.isWord(at)) variable(at, target, type, hasValue, last, isTyped);
		else pattern(at, type, last);
		if (tokens.text(last) !== "," || last >= end) return last;
		at = last + 1;
	}
	return end;

	function variable(at: number, target: number, type: number, hasValue: boolean, last: number, isTyped: boolean): void {
		const path = `${scope.prefix}${tokens.text(at)}`;
		const names = named(at);
		const { everywhere } = scope;
		if (
			hasValue &&
			tokens.text(type + 1) === "require" &&
			tokens.text(type + 2) === "(" &&
			tokens.after(type + 2) === last
		) {
			builder.declare({ path, names, visible: [[at, last]], takes: "any", everywhere });
			return;
		}
		const isInferred = hasValue && !isTyped;
		const read = isInferred ? readValue(tokens, target, type + 1, last) : { visible: [], inferred: [] };
		const own: Span = [at, isInferred ? target : isTyped && hasValue ? type : last];
		builder.declare({
			path,
			names,
			name: at,
			visible: [...keyword, own, ...read.visible],
			inferred: read.inferred,
			everywhere,
		});
	}

	function pattern(open: number, type: number, last: number): void {
		const value = type + 1;
		if (
			tokens.text(open) === "{" &&
			tokens.text(value) === "require" &&
			tokens.text(value + 1) === "(" &&
			tokens.after(value + 1) === last
		) {
			for (const { name, as, at } of readList(tokens, open, ":"))
				builder.declare({
					path: as,
					names: named(at),
					visible: [[value, last]],
					context: `${name} `,
					takes: new Set([name]),
				});
			return;
		}
		for (let at = open + 1; at < tokens.after(open) - 1; at++) {
			if (!tokens.isWord(at) || tokens.text(at + 1) === ":" || tokens.text(at - 1) === ".") continue;
			builder.declare({
				path: `${scope.prefix}${tokens.text(at)}`,
				names: named(at),
				visible: [...keyword, [open, last]],
				everywhere: scope.everywhere,
			});
		}
	}
}

function endOf(tokens: Tokens, at: number, end: number, isNext: (comma: number) => boolean): number {
	if (at >= end || tokens.fresh(at) || tokens.text(at) === ";" || isNext(at)) return at;
	return endOfExpression(tokens, at, end, isNext);
}

/** True if another variable follows a comma, and not another type argument of a call. */
function isVariable(tokens: Tokens, from: number, comma: number, end: number, isConstant: boolean): boolean {
	const at = comma + 1;
	if (!tokens.isWord(at) && tokens.text(at) !== "{" && tokens.text(at) !== "[") return false;
	const behind = tokens.after(at);
	const sign = tokens.text(behind);
	if (sign === "=" || sign === ":" || (sign === "!" && tokens.text(behind + 1) === ":")) return true;
	const isBare = sign === "," || sign === ";" || tokens.fresh(behind) || behind >= end;
	return isBare && (!isConstant || tokens.find(from, comma, "=") === comma) && tokens.find(from, comma, "<") === comma;
}
