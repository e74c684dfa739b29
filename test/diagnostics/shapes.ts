import { isToldOf, type Shape, type ShapeSymbol, symbolKinds } from "../../src/diagnostics/shape.ts";
import { linesOf } from "../../src/lsp/positions.ts";

/** A declaration of a text: its dotted path, its kind, its first and its last line, from 0. */
export type Declared = readonly [path: string, kind: keyof typeof symbolKinds, first: number, last: number];

const signed = ["method", "property", "field", "function", "variable", "constant"];

/** The shape that a server would tell of a text with these declarations, and the signatures of those that have one. */
export function shape(path: string, text: string, declared: readonly Declared[]): Shape {
	const lines = linesOf(text);
	const covered = new Set<number>();
	const symbols = new Map<string, ShapeSymbol>();
	for (const [name, kind, first, last] of declared) {
		const word = name.split(".").at(-1) ?? name;
		const character = lines[first]?.search(new RegExp(`\\b${word}\\b`)) ?? -1;
		const line = lines[last] ?? "";
		const members = declared.some(([other]) => other.startsWith(`${name}.`));
		for (let at = first; at <= last; at++) covered.add(at);
		symbols.set(name, {
			path: name,
			kind: symbolKinds[kind],
			range: { start: { line: first, character: 0 }, end: { line: last, character: line.length } },
			selection: { start: { line: first, character }, end: { line: first, character: character + word.length } },
			text: members ? (lines[first] ?? "") : lines.slice(first, last + 1).join(" "),
			lead: lines[first]?.slice(0, character).trim() ?? "",
			signed: signed.includes(kind),
			members,
		});
	}
	const document = { path, uri: `file://${path}`, languageId: "", version: 1, text, hash: "", sentAt: 0 };
	const rest = lines.filter((_, line) => !covered.has(line)).join(" ");
	const told = [...symbols.values()].filter((symbol) => symbol.signed && isToldOf(symbol));
	return { document, symbols, rest, signatures: new Map(told.map((symbol) => [symbol.path, symbol.text])) };
}
