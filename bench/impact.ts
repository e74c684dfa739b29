import process from "node:process";
import type { Extent } from "./changes/stage.ts";
import { asked, isThere } from "./changes/subjects.ts";
import type { Benchmark, Figure } from "./figures.ts";
import { deadCode } from "./impact/dead.ts";
import { signatures } from "./impact/signatures.ts";
import { tested } from "./impact/tested.ts";
import { testedPackages } from "./impact/tested-packages.ts";

/** Judges `impact` by the compilers, with 50 changes of each package. */
export const impact: Benchmark = benchmark("impact", "50", () => asked.filter(isThere), signatures);

/** Whether `test --impacted` fails whenever the whole suite does, with 25 faults of each package. */
export const testImpact: Benchmark = benchmark("test-impact", "25", testedPackages, tested);

/** Whether symbols that `unused` calls certain can be deleted, and whether it finds 13 dead symbols in each package. */
export const unused: Benchmark = benchmark("unused", "13", testedPackages, deadCode);

/** `PI_LSP_IMPACT_SEED`, `_EACH` and `_ONLY` (a part of a package's name) choose another run. */
function benchmark<Subject extends { readonly name: string }>(
	name: string,
	usualEach: string,
	subjects: () => readonly Subject[],
	measure: (subject: Subject, extent: Extent) => Promise<Figure[]>,
): Benchmark {
	return {
		name,
		run: async (log) => {
			const {
				PI_LSP_IMPACT_SEED: seed = "7",
				PI_LSP_IMPACT_EACH: each = usualEach,
				PI_LSP_IMPACT_ONLY: only = "",
			} = process.env;
			const extent: Extent = { each: Number(each), seed: Number(seed), isOver: () => false, log };
			const figures: Figure[] = [];
			for (const subject of subjects().filter((one) => one.name.includes(only)))
				figures.push(...(await measure(subject, extent)));
			return figures;
		},
	};
}
