import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

/** A place as it is shown: 1-based. */
export interface ShownPlace {
	readonly path: string;
	readonly line: number;
	readonly column: number;
	readonly text?: string;
	/** True in a file of tests. */
	readonly test?: boolean;
}

interface Words {
	readonly total?: number;
	/** How many of the total are in tests. */
	readonly tests?: number;
	readonly offset?: number;
	readonly one: string;
	readonly many: string;
	readonly none: string;
}

/**
 * Places grouped by file, `line: source`, then those in tests, then those whose source is not told; the counts first, what
 * was left out at the end.
 */
export function listPlaces(
	places: readonly ShownPlace[],
	{ total = places.length, tests = places.filter(({ test }) => test).length, offset = 0, one, many, none }: Words,
): string {
	if (total === 0) return none;
	const inTests = tests === 0 ? "" : tests === total ? ", all in tests" : `, ${tests} of them in tests`;
	const rest = total - offset - places.length;
	if (places.length === 0) return `${count(total, one, many)}${inTests}, none of them behind the first ${offset}.`;
	const files = new Set(places.map(({ path }) => path)).size;
	const shown = total > places.length ? `; ${offset + 1} to ${offset + places.length}` : "";
	const inCode = places.filter(({ test, text }) => !test && text !== undefined);
	const inTestFiles = places.filter(({ test }) => test);
	const elsewhere = places.filter(({ test, text }) => !test && text === undefined);
	return [
		`${count(total, one, many)}${shown} in ${count(files, "file", "files")}${inTests}`,
		...groups(inCode),
		...(inTestFiles.length > 0 && inTestFiles.length < places.length ? ["tests:"] : []),
		...groups(inTestFiles),
		...(elsewhere.length > 0 && elsewhere.length < places.length ? ["elsewhere:"] : []),
		...groups(elsewhere),
		...(rest > 0 ? [`... and ${rest} more from offset ${offset + places.length} on`] : []),
	].join("\n");
}

function groups(places: readonly ShownPlace[]): string[] {
	const files = new Map<string, ShownPlace[]>();
	for (const place of places) {
		const group = files.get(place.path) ?? [];
		files.set(place.path, group);
		group.push(place);
	}
	return [...files].map(([path, group]) => {
		const named = group.every(({ text }) => text === undefined);
		if (named) return `${oneLine(path)}  ${group.map(({ line, column }) => `${line}:${column}`).join(", ")}`;
		return [oneLine(path), ...linesOf(group)].join("\n");
	});
}

/** A line of source is told once, however many places it has. */
function linesOf(group: readonly ShownPlace[]): string[] {
	const lines = new Map(group.map(({ line, column, text }) => [text === undefined ? `${line}:${column}` : line, text]));
	return [...lines].map(([line, text]) => (text === undefined ? `  ${line}` : `  ${line}: ${oneLine(text)}`));
}
