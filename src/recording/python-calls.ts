import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Executed, executedAt } from "./executed.ts";
import { readJson } from "./json-file.ts";

type Found = Readonly<Record<string, readonly [isLoaded: boolean, lines: readonly number[]]>>;

/** Of test files that are run together; none if a process has ended without writing. */
export function pythonCalls(directory: string, paths: readonly string[]): ReadonlyMap<string, Executed> {
	const lines = new Map<string, number[]>();
	for (const name of readdirSync(directory)) {
		const found = readJson<Found>(join(directory, name));
		if (!found) return new Map();
		for (const [path, [isLoaded, own]] of Object.entries(found)) {
			const known = lines.get(path);
			// What was loaded before the recording began may have called more of it.
			if (known) known.push(...own);
			else if (isLoaded) lines.set(path, [...own]);
		}
	}
	const executed: Executed = new Map([...lines].map(([path, own]) => [path, executedAt(own)]));
	return new Map(paths.flatMap((file) => (executed.has(file) ? [[file, executed] as const] : [])));
}
