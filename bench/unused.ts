import process from "node:process";
import type { Benchmark, Figure } from "./figures.ts";
import { deadCode } from "./impact/dead.ts";
import { testedPackages } from "./impact/tested-packages.ts";

/**
 * Whether symbols that `unused` calls certain can be deleted, and whether it finds dead symbols. `PI_LSP_IMPACT_SEED`,
 * `_EACH` (dead symbols of each package) and `_ONLY` (a part of a package's name) choose another run.
 */
export const unused: Benchmark = {
	name: "unused",
	run: async (log) => {
		const {
			PI_LSP_IMPACT_SEED: seed = "7",
			PI_LSP_IMPACT_EACH: each = "13",
			PI_LSP_IMPACT_ONLY: only = "",
		} = process.env;
		const extent = { each: Number(each), seed: Number(seed), isOver: () => false, log };
		const figures: Figure[] = [];
		for (const subject of testedPackages().filter(({ name }) => name.includes(only)))
			figures.push(...(await deadCode(subject, extent)));
		return figures;
	},
};
