import type { Position } from "vscode-languageserver-protocol";
import { type FoundPlaces, placesByFile } from "./group-locations.ts";
import type { NameFile } from "./uri-names.ts";

/** How many places there are in one file. */
export interface FileCount {
	readonly path: string;
	readonly count: number;
	readonly test?: boolean;
}

export interface CountOptions {
	/** Places that do not count. */
	readonly without?: FoundPlaces;
	/** True for a place, by its file as it is shown, that does not count either. */
	isDeclaration?(shown: string, start: Position): boolean;
}

/** A server's locations counted by file, each once: code before tests, the files with the most first. Nothing is read. */
export async function countByFile(
	found: FoundPlaces,
	named: NameFile,
	{ without = null, isDeclaration = () => false }: CountOptions = {},
): Promise<FileCount[]> {
	const files = await placesByFile(found, named, without);
	const counts = files.map(({ file: { shown, test }, ranges }): FileCount => {
		let count = 0;
		for (const { start } of ranges.values()) if (!isDeclaration(shown, start)) count++;
		return { path: shown, count, ...(test ? { test } : {}) };
	});
	return counts
		.filter(({ count }) => count > 0)
		.sort(
			(one, other) =>
				Number(one.test === true) - Number(other.test === true) ||
				other.count - one.count ||
				(one.path < other.path ? -1 : 1),
		);
}
