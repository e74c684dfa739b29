import type { Position } from "vscode-languageserver-protocol";
import type { PositionEncoding } from "../util/positions.ts";
import { linesOf, toSpot } from "../util/positions.ts";

const maxShown = 120;

export function describePosition(text: string, position: Position, encoding: PositionEncoding): string {
	const lines = linesOf(text);
	const { line, column } = toSpot(position, lines, encoding);
	const source = lines[line - 1] ?? "";
	if (source.trim() === "") return `Nothing stands at ${line}:${column}: the line is blank.`;
	const before = /[\p{L}\p{N}_$]*$/u.exec(source.slice(0, column - 1))?.[0] ?? "";
	const word = before + (/^[\p{L}\p{N}_$]*/u.exec(source.slice(column - 1))?.[0] ?? "");
	const shown = source.trim().slice(0, maxShown);
	return word === ""
		? `No name stands at ${line}:${column}: ${shown}`
		: `At ${line}:${column} stands ${word}: ${shown}`;
}
