import type { OperationContext } from "../../daemon/operation-context.ts";
import type { DocumentSymbolEntry } from "../../query/document-symbols.ts";

interface Place {
	readonly line: number;
	/** 1-based; undefined for the whole line. */
	readonly column?: number | undefined;
}

/** Innermost declarations, within `ms`; undefined if unknown. */
export async function symbolsAround(
	file: string,
	places: readonly Place[],
	on: OperationContext,
	ms?: number,
): Promise<(string | undefined)[]> {
	if (places.length === 0) return [];
	const { declared } = await on
		.ask({ file, ...(ms === undefined ? {} : { ms }) }, async (query) => ({ declared: await query.symbols() }))
		.catch(() => ({ declared: [] }));
	on.signal.throwIfAborted();
	return places.map((place) => innermostAround(place, declared));
}

function innermostAround(place: Place, declared: readonly DocumentSymbolEntry[]): string | undefined {
	const { line, column } = place;
	const around = declared.find(
		({ start, end }) =>
			(start.line < line || (start.line === line && (column === undefined || start.column <= column))) &&
			(end.line > line || (end.line === line && (column === undefined || end.column >= column))),
	);
	return around && (innermostAround(place, around.children) ?? around.path);
}
