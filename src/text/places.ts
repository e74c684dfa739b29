import { oneLine } from "./escape.ts";

/** A place as it is shown: 1-based. */
export interface ShownPlace {
	readonly path: string;
	readonly line: number;
	readonly column: number;
	readonly text?: string;
}

/** Places grouped by file, `line: source`; the count first. */
export function listPlaces(
	places: readonly ShownPlace[],
	{
		total = places.length,
		one,
		many,
		none,
	}: { readonly total?: number; readonly one: string; readonly many: string; readonly none: string },
): string {
	if (places.length === 0) return none;
	const files = new Map<string, ShownPlace[]>();
	for (const place of places) files.set(place.path, [...(files.get(place.path) ?? []), place]);
	const head = `${total} ${total === 1 ? one : many} in ${files.size} ${files.size === 1 ? "file" : "files"}`;
	const groups = [...files].map(([path, group]) =>
		[
			oneLine(path),
			...group.map(({ line, column, text }) =>
				text === undefined ? `  ${line}:${column}` : `  ${line}: ${oneLine(text)}`,
			),
		].join("\n"),
	);
	const cut = total > places.length ? [`... and ${total - places.length} more; ask with a larger limit.`] : [];
	return [head, ...groups, ...cut].join("\n");
}
