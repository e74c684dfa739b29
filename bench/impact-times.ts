import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Location } from "vscode-languageserver-protocol";
import type { ImpactReport } from "../src/operations/impact.ts";
import { type Stage, withStage } from "./changes/stage.ts";
import { rxjs } from "./changes/subjects.ts";
import { atMost, type Benchmark, compared, type Figure } from "./figures.ts";
import { changedSignature, type Seeded } from "./impact/seed.ts";
import { commitAll } from "./places.ts";
import { inTurn, quantile, timed, turnAt } from "./statistics.ts";
import { Random } from "./truth/random.ts";

const places = 12;
const changedFiles = 20;
/** In milliseconds; the median of one change is judged. */
const longestMs = 2_000;

/**
 * How long a warm `impact` takes on rxjs: for one function, compared with a bare client that requests its references, and
 * for a change of 20 files. `PI_LSP_IMPACT_SEED` and `_ROUNDS` (questions about each function) choose another run.
 */
export const impactTimes: Benchmark = {
	name: "impact-times",
	run: (log) => {
		const { PI_LSP_IMPACT_SEED: seed = "7", PI_LSP_IMPACT_ROUNDS: rounds = "20" } = process.env;
		return withStage(rxjs, async (stage) => {
			const random = new Random(Number(seed));
			const seeded = functionsOf(stage, random, places);
			log(`${rxjs.name}: ${seeded.map(({ file, line, name }) => `${file}:${line} ${name}`).join(", ")}`);
			return [
				...(await ofOne(stage, seeded, { rounds: Number(rounds), depth: 1 })),
				...(await ofOne(stage, seeded, { rounds: Number(rounds), depth: undefined })),
				await ofMany(stage, random, log),
			];
		});
	},
};

/** Functions in different files, each with one more parameter. */
function functionsOf({ files }: Stage, random: Random, count: number): Seeded[] {
	const found = new Map<string, Seeded>();
	while (found.size < count) {
		const seeded = changedSignature(files, rxjs, random);
		if (seeded) found.set(seeded.file, seeded);
	}
	return [...found.values()];
}

async function ofOne(
	{ bare, daemon, root }: Stage,
	seeded: readonly Seeded[],
	{ rounds, depth }: { readonly rounds: number; readonly depth: number | undefined },
): Promise<Figure[]> {
	const taken = { bare: [] as number[], ours: [] as number[] };
	const warmUp = seeded.length * 3;
	for (let round = -warmUp; round < rounds * seeded.length; round++) {
		const { file, line, column, name } = seeded[(round + warmUp) % seeded.length] as Seeded;
		const position = { line: line - 1, character: column - 1 };
		const params = { position, context: { includeDeclaration: true } };
		const input = { files: [file], symbols: [`${line}:${name}`], ...(depth === undefined ? {} : { depth }) };
		for (const side of inTurn(["bare", "ours"] as const, turnAt(round + warmUp, seeded.length))) {
			const { ms } = await timed(async () => {
				if (side === "bare") await bare.ask<Location[]>("textDocument/references", file, params);
				else await daemon.call<ImpactReport>("impact", { cwd: root, input });
			});
			if (round >= 0) taken[side].push(ms);
		}
	}
	const what =
		depth === undefined ? "impact of one function, callers of callers too" : "impact of one function, depth 1";
	return [compared(what, taken.bare, taken.ours, { factor: 1.5, plus: 5 })];
}

async function ofMany(stage: Stage, random: Random, log: (line: string) => void): Promise<Figure> {
	const { root, daemon, files } = stage;
	commitAll(root);
	const taken: number[] = [];
	for (let round = 0; round < 6; round++) {
		const seeded = functionsOf(stage, random, changedFiles);
		for (const { file, text } of seeded) writeFileSync(join(root, file), text);
		const { ms, value } = await timed(() =>
			daemon.call<ImpactReport>("impact", { cwd: root, input: { changed: true } }),
		);
		for (const { file } of seeded) writeFileSync(join(root, file), files[file] ?? "");
		const named = new Set(
			value.changed.flatMap(({ callers, reaches }) => [...callers, ...reaches].map(({ file }) => file)),
		);
		log(`${changedFiles} files: ${value.changed.length} symbols, ${named.size} files named, ${Math.round(ms)} ms`);
		if (round > 0) taken.push(ms);
	}
	return {
		...atMost(`impact of a change of ${changedFiles} files`, "ms", quantile(taken, 0.5), longestMs),
		ours: { median: quantile(taken, 0.5), p95: quantile(taken, 0.95), n: taken.length },
	};
}
