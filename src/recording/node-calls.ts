import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Executed, executedAt } from "./executed.ts";
import { readJson } from "./json-file.ts";

interface Process {
	readonly parent?: string;
	/** 1-based lines, by absolute path of a file that was loaded; absent if it did not write at its end. */
	readonly calls?: Readonly<Record<string, readonly number[]>>;
}

/**
 * What each test file executed in processes that loaded it and in those that they started. One that belongs to no test file
 * counts for all. A test file is left out if a process has ended without writing.
 */
export function nodeCalls(directory: string, paths: readonly string[]): ReadonlyMap<string, Executed> {
	const processes = new Map(
		readdirSync(directory).map((id) => [id, readJson<Process>(join(directory, id)) ?? {}] as const),
	);
	const ownersOf = ({ calls = {}, parent = "" }: Process): readonly string[] => {
		const own = paths.filter((file) => Object.hasOwn(calls, file));
		const above = processes.get(parent);
		return own.length > 0 ? own : above ? ownersOf(above) : paths;
	};
	const owned = [...processes.values()].map((process) => ({ ...process, owners: new Set(ownersOf(process)) }));
	return new Map(
		paths.flatMap((file) => {
			const own = owned.filter(({ owners }) => owners.has(file)).map(({ calls }) => calls);
			const isLoaded = own.some((calls) => calls && Object.hasOwn(calls, file));
			const lines = new Map<string, number[]>();
			for (const calls of own)
				for (const [path, called] of Object.entries(calls ?? {}))
					lines.set(path, [...(lines.get(path) ?? []), ...called]);
			const executed = [...lines].map(([path, called]) => [path, executedAt(called)] as const);
			return isLoaded && !own.includes(undefined) ? [[file, new Map(executed)] as const] : [];
		}),
	);
}
