import process from "node:process";
import type { Benchmark, Figure } from "./figures.ts";
import { tested } from "./impact/tested.ts";
import { testedPackages } from "./impact/tested-packages.ts";

/**
 * Whether `test --impacted` fails whenever the whole suite does. `PI_LSP_IMPACT_SEED`, `_EACH` (faults of each package) and
 * `_ONLY` (a part of a package's name) choose another run.
 */
export const testImpact: Benchmark = {
	name: "test-impact",
	run: async (log) => {
		const {
			PI_LSP_IMPACT_SEED: seed = "7",
			PI_LSP_IMPACT_EACH: each = "25",
			PI_LSP_IMPACT_ONLY: only = "",
		} = process.env;
		const extent = { each: Number(each), seed: Number(seed), isOver: () => false, log };
		const figures: Figure[] = [];
		for (const subject of testedPackages().filter(({ name }) => name.includes(only)))
			figures.push(...(await tested(subject, extent)));
		return figures;
	},
};
