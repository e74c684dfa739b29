import type { Location, Locations } from "../../operations/common/inputs.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

export interface LocationWords {
	readonly one: string;
	readonly many: string;
	readonly none: string;
}

export function listLocations({ places, total, ...page }: Locations, words: LocationWords, offset = 0): string {
	const { one, many, none } = words;
	const tests = page.tests ?? places.filter(({ test }) => test).length;
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
		...fileBlocks(inCode),
		...(inTestFiles.length > 0 && inTestFiles.length < places.length ? ["tests:"] : []),
		...fileBlocks(inTestFiles),
		...(elsewhere.length > 0 && elsewhere.length < places.length ? ["elsewhere:"] : []),
		...fileBlocks(elsewhere),
		...(rest > 0 ? [`... and ${rest} more from offset ${offset + places.length} on`] : []),
	].join("\n");
}

function fileBlocks(places: readonly Location[]): string[] {
	const files = new Map<string, Location[]>();
	for (const location of places) {
		const group = files.get(location.path) ?? [];
		files.set(location.path, group);
		group.push(location);
	}
	return [...files].map(([path, group]) => {
		const hasNoText = group.every(({ text }) => text === undefined);
		if (hasNoText) return `${oneLine(path)}  ${group.map(({ line, column }) => `${line}:${column}`).join(", ")}`;
		return [oneLine(path), ...linesOf(group)].join("\n");
	});
}

function linesOf(group: readonly Location[]): string[] {
	const lines = new Map(group.map(({ line, column, text }) => [text === undefined ? `${line}:${column}` : line, text]));
	return [...lines].map(([line, text]) => (text === undefined ? `  ${line}` : `  ${line}: ${oneLine(text)}`));
}
