import type { Spot } from "../../util/positions.ts";

const maxLines = 20;
const maxCharacters = 4000;
const maxName = 500;

export function calleeAt(lines: readonly string[], { line, column }: Spot): Spot | undefined {
	const own = (lines[line - 1] ?? "").slice(column - 1, column - 1 + maxName);
	const named = /^[\p{L}\p{N}_$.]*?([\p{L}\p{N}_$]+)\s*(?:<[^<>()]*>)?!?\(/u.exec(own);
	return named ? { line, column: column + named[0].indexOf(named[1] ?? "", named[0].lastIndexOf(".") + 1) } : undefined;
}

export function calleeBefore(lines: readonly string[], { line, column }: Spot): Spot | undefined {
	let depth = 0;
	for (let at = line; at > Math.max(line - maxLines, 0); at--) {
		const text = (lines[at - 1] ?? "").slice(0, at === line ? column - 1 : maxCharacters);
		for (let index = text.length - 1; index >= 0; index--) {
			const letter = text[index];
			if (letter === ")" || letter === "]" || letter === "}") depth++;
			else if (letter === "(" && depth === 0) {
				const before = text.slice(Math.max(index - maxName, 0), index);
				const name = /([\p{L}\p{N}_$]+)!?(?:<[^<>()]*>)?\s*$/u.exec(before)?.[1];
				return name === undefined
					? undefined
					: { line: at, column: index - before.length + before.lastIndexOf(name) + 1 };
			} else if (letter === "(" || letter === "[" || letter === "{") {
				if (depth === 0) return undefined;
				depth--;
			}
		}
	}
	return undefined;
}
