import type { Range } from "vscode-languageserver-protocol";
import type { FileQuery } from "../../query/file-query.ts";
import type { Pointer } from "../../query/find-position.ts";
import { lineRangeOf } from "./line-range.ts";
import { pointerOf } from "./parse-pointer.ts";

type PositionInput = Omit<Pointer, "endLine"> & { readonly end_line?: number; readonly end_column?: number };

export async function actionRange(
	query: FileQuery,
	{ end_line: endLine, end_column: endColumn, ...position }: PositionInput,
): Promise<Range> {
	const { symbol, line, column, pattern } = position;
	if (symbol === undefined && pattern === undefined && column === undefined) {
		const range = { ...(line === undefined ? {} : { line }), ...(endLine === undefined ? {} : { end_line: endLine }) };
		const { first, last } = lineRangeOf(range, query.lines.length);
		return query.lineRange(first, last);
	}
	if (line !== undefined && endColumn !== undefined) {
		const last = (at: number, wanted: number) => Math.min(wanted, (query.lines[at - 1]?.length ?? 0) + 1);
		const endsAt = endLine ?? line;
		const start = { ...position, column: last(line, column ?? 1) };
		const end = { line: endsAt, column: last(endsAt, endColumn) };
		return { start: await query.position(start), end: await query.position(end) };
	}
	const pointer = symbol !== undefined && line === undefined ? pointerOf(symbol) : position;
	const start = await query.position({ ...pointer, ...(endLine === undefined ? {} : { endLine }) });
	return { start, end: start };
}
