import process from "node:process";
import type { Figure } from "../figures.ts";
import { bashRow } from "./bash-row.ts";
import { burstRow } from "./burst-row.ts";
import { delayRow } from "./delay-row.ts";
import { editsRow } from "./edits-row.ts";
import { phaseTwoRow } from "./phase-two-row.ts";
import type { LargeProject } from "./project.ts";
import { questionsRow } from "./questions-row.ts";
import { sessionRow } from "./session-row.ts";
import { withStage } from "./stage.ts";
import { warmUp } from "./trio.ts";

export const rows = ["edits", "burst", "hover", "session", "phase", "bash", "delay"] as const;
export type Row = (typeof rows)[number];

/** The number of repetitions, from the environment. */
export interface Effort {
	readonly rounds: number;
	readonly seededEdits: number;
	readonly seed: number;
}

export function effort(): Effort {
	const {
		PI_LSP_BENCH_ROUNDS: rounds = 10,
		PI_LSP_BENCH_EDITS: seededEdits = 100,
		PI_LSP_BENCH_SEED: seed = 7,
	} = process.env;
	return { rounds: Number(rounds), seededEdits: Number(seededEdits), seed: Number(seed) };
}

/** Measures the chosen rows of one project; a failed one does not affect the others. */
export async function measure(
	project: LargeProject,
	wanted: readonly Row[],
	{ rounds, seededEdits, seed }: Effort,
	log: (line: string) => void,
): Promise<Figure[]> {
	const figures: Figure[] = [];
	const does = (row: Row) => wanted.includes(row);
	const attempt = async (what: string, work: () => Promise<Figure[]>) => {
		log(`${project.title}: ${what}`);
		try {
			figures.push(...(await work()));
		} catch (error) {
			process.exitCode = 2;
			log(`failed: ${what}: ${(error instanceof Error ? error.message : String(error)).slice(0, 2_000)}`);
		}
	};
	if (does("edits") || does("burst") || does("hover") || does("session"))
		await attempt("edits", () =>
			withStage(project, log, async (stage) => {
				const known = await warmUp(stage);
				if (does("edits")) await attempt("edits after a pause", () => editsRow(stage, known, rounds));
				if (does("burst")) await attempt("ten edits 50 ms apart", () => burstRow(stage, known, rounds));
				if (does("hover")) await attempt("hover and definition", () => questionsRow(stage, known, rounds));
				if (does("session") && project.hasLongSession)
					await attempt("a session of 30 edits", () => sessionRow(stage, known));
				return [];
			}),
		);
	if (does("phase"))
		await attempt("seeded edits", () =>
			withStage(project, log, (stage) => phaseTwoRow(stage, seededEdits, seed), { taps: true }),
		);
	const { formats } = project;
	if (does("bash") && formats !== undefined)
		await attempt("commands that change all files", () => bashRow(project, formats, rounds));
	if (does("delay")) await attempt("delays of one prompt", () => delayRow(project, rounds));
	return figures;
}
