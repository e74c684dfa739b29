import type { LocationResult } from "../util/positions.ts";
import type { FileQuery } from "./file-query.ts";
import type { Pointer } from "./find-position.ts";
import { declarationAround, isAtName, type Overloads, overloadsIn, selectDeclaration } from "./find-symbol.ts";

export interface Declaration {
	/** Displayed path. */
	readonly path: string;
	readonly group: Overloads;
	readonly lines: readonly string[];
}

/**
 * Of a name: in the file, else the definition of its first use; of a position: the innermost, or with `follow` the
 * symbol's definition. Undefined in libraries. Rejects like `findPosition`.
 */
export async function findDeclaration(
	query: FileQuery,
	pointer: Pointer,
	follow: boolean,
): Promise<Declaration | undefined> {
	const { symbol, line, pattern } = pointer;
	const isName = symbol !== undefined && line === undefined && pattern === undefined;
	const definition = isName || !follow || query.hasSymbols ? undefined : requestDefinition(query, pointer);
	definition?.catch(() => {});
	const symbols = await query.symbols();
	const inFile = (group: Overloads | undefined): Declaration | undefined =>
		group && { path: query.displayPath(query.document.path), group, lines: query.lines };
	if (isName) {
		const named = selectDeclaration(overloadsIn(symbols), symbol, query.lines, { preferWholePath: true });
		if (named) return inFile(named);
	}
	const position = query.toSpot(await query.position(pointer));
	const around = declarationAround(symbols, position);
	if (!isName && (!follow || (around && isAtName(around, position)))) return inFile(around);
	const elsewhere = await declarationAt(query, await (definition ?? requestDefinition(query, pointer)));
	return elsewhere ?? (isName ? undefined : inFile(around));
}

function requestDefinition(query: FileQuery, pointer: Pointer): Promise<LocationResult> {
	return query.request<LocationResult>("textDocument/definition", pointer);
}

async function declarationAt(query: FileQuery, definition: LocationResult): Promise<Declaration | undefined> {
	const { places } = await query.locations(definition);
	const place = places.find(({ text }) => text !== undefined);
	if (!place) return undefined;
	return query.inFile(place.path, async (other) => {
		const group = declarationAround(await other.symbols(), place);
		return group && { path: place.path, group, lines: other.lines };
	});
}
