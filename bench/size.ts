import process from "node:process";
import { isThere } from "../test/live/languages.ts";
import type { Benchmark, Figure } from "./figures.ts";
import { withOthers } from "./report.ts";
import { django } from "./size/django.ts";
import { effect5, effect7 } from "./size/effect.ts";
import { isOwn } from "./size/extension.ts";
import { grownRow } from "./size/grown-row.ts";
import { effort, measure, rows } from "./size/measure.ts";
import { keepOther } from "./size/other-version.ts";
import type { LargeProject } from "./size/project.ts";
import { redis } from "./size/redis.ts";
import { regex } from "./size/regex.ts";
import { xtools } from "./size/xtools.ts";

const projects: readonly LargeProject[] = [effect7, django, xtools, effect5, redis, regex];
/** The projects of 100 and of 10,000 files, which are generated and not fetched. */
const generated = "generated";

/** The words after `size` on the command line choose projects and rows; without projects, or without rows, all are run. */
export function isSizeWord(word: string): boolean {
	return word === generated || rows.some((row) => row === word) || projects.some(({ name }) => name === word);
}

/**
 * Edits of hub files in large projects, in a real pi, compared with a bare client of the same server.
 * `PI_LSP_BENCH_ROUNDS`, `PI_LSP_BENCH_EDITS` and `PI_LSP_BENCH_SEED` choose another run, `PI_LSP_BENCH_EXTENSION` another
 * version of pi-lsp.
 */
export const size: Benchmark = {
	name: "size",
	run: async (log) => {
		const words = process.argv.slice(2);
		const namesNone = !words.includes(generated) && !projects.some(({ name }) => words.includes(name));
		const named = rows.filter((row) => words.includes(row));
		const wanted = named.length > 0 ? named : rows;
		const much = effort();
		const figures: Figure[] = [];
		for (const project of projects) {
			if (!namesNone && !words.includes(project.name)) continue;
			if (project.program !== undefined && !isThere(project.program))
				log(`${project.title}: left out, ${project.program} is not installed (node scripts/install-servers.mjs)`);
			else figures.push(...(await measure(project, wanted, much, log)));
		}
		if (namesNone || words.includes(generated)) figures.push(...(await grownRow(much.rounds, log)));
		if (!isOwn) return keepOther(figures, log);
		return withOthers("size", figures);
	},
};
