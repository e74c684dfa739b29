import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { REPOSITORY } from "../../test/support/repository.ts";
import type { Figure } from "../figures.ts";
import { keptFigures, machine, plainTable, tableOf } from "../report.ts";
import { EXTENSION } from "./extension.ts";

/**
 * Prints and keeps the figures of another version than this checkout's, and returns those of the README, which are this
 * checkout's.
 */
export function keepOther(figures: readonly Figure[], log: (line: string) => void): Figure[] {
	const directory = join(REPOSITORY, "bench/results");
	const file = join(directory, `size-${basename(EXTENSION)}.json`);
	mkdirSync(directory, { recursive: true });
	writeFileSync(file, `${JSON.stringify({ name: "size", machine: machine(), figures }, null, "\t")}\n`);
	for (const line of plainTable(tableOf(figures)).split("\n")) log(line);
	log("these are the figures of another version; the README keeps its own, which follow");
	return keptFigures("size");
}
