import process from "node:process";
import { fixes } from "./changes/fixes.ts";
import { renames } from "./changes/renames.ts";
import type { Extent } from "./changes/stage.ts";
import { edited, isThere, renamed, typescript5, typescript7 } from "./changes/subjects.ts";
import { symbolEdits } from "./changes/symbols.ts";
import { warmRename } from "./changes/warm-rename.ts";
import type { Benchmark, Figure } from "./figures.ts";
import { withOthers } from "./report.ts";

/**
 * Changes of real packages, each judged by another means than pi-lsp: the server's own edit, a manual edit, the compiler.
 * `PI_LSP_CHANGES_SEED`, `PI_LSP_CHANGES_EACH` (changes of each package) and `PI_LSP_CHANGES_ONLY` (a part) choose another
 * run; after `PI_LSP_CHANGES_MINUTES` a part ends with the results so far.
 */
export const changes: Benchmark = {
	name: "changes",
	run: async (log) => {
		const { PI_LSP_CHANGES_SEED: seed = "7", PI_LSP_CHANGES_EACH: each, PI_LSP_CHANGES_MINUTES: minutes } = process.env;
		const { PI_LSP_CHANGES_ONLY: only } = process.env;
		const extent = (usual: number): Extent => {
			const end = performance.now() + Number(minutes ?? Number.POSITIVE_INFINITY) * 60_000;
			return { each: Number(each ?? usual), seed: Number(seed), isOver: () => performance.now() > end, log };
		};
		const figures: Figure[] = [];
		for (const subject of renamed.filter(isThere))
			if (isWanted(`renames of ${subject.name}`, only)) figures.push(...(await renames(subject, extent(125))));
		for (const subject of edited.filter(isThere))
			if (isWanted(`symbols of ${subject.name}`, only)) figures.push(...(await symbolEdits(subject, extent(40))));
		for (const subject of [typescript7(), typescript5])
			if (isWanted(`fixes of ${subject.name}`, only)) figures.push(...(await fixes(subject, extent(1))));
		if (isWanted("warm", only)) figures.push(...(await warmRename(extent(60))));
		return only === undefined ? figures : withOthers("changes", figures);
	},
};

function isWanted(name: string, only: string | undefined): boolean {
	return only === undefined || name.includes(only);
}
