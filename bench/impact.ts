import process from "node:process";
import type { Extent } from "./changes/stage.ts";
import { asked, isThere } from "./changes/subjects.ts";
import type { Benchmark, Figure } from "./figures.ts";
import { signatures } from "./impact/signatures.ts";

/**
 * Judges `impact` by the compilers. `PI_LSP_IMPACT_SEED`, `_EACH` (changes of each package) and `_ONLY` (a part of a
 * package's name) choose another run.
 */
export const impact: Benchmark = {
	name: "impact",
	run: async (log) => {
		const {
			PI_LSP_IMPACT_SEED: seed = "7",
			PI_LSP_IMPACT_EACH: each = "50",
			PI_LSP_IMPACT_ONLY: only = "",
		} = process.env;
		const extent: Extent = { each: Number(each), seed: Number(seed), isOver: () => false, log };
		const figures: Figure[] = [];
		for (const subject of asked.filter((one) => one.name.includes(only) && isThere(one)))
			figures.push(...(await signatures(subject, extent)));
		return figures;
	},
};
