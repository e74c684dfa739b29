import type { Figure } from "../figures.ts";
import { spreadOf } from "../statistics.ts";

/** Rounds of each kind of question until Node has compiled every code path. */
export const warmUp = 2000;
/** Earlier rounds, after this many of a kind, have a figure of their own. */
const early = 160;

/** Whether a round (below 0 while warming up) is one of the `rounds` early ones. */
export function isEarly(round: number, rounds: number): boolean {
	return round + warmUp >= early && round + warmUp < early + rounds;
}

export function earlyFigure(what: string, { bare, ours }: Record<"bare" | "ours", readonly number[]>): Figure {
	return { what: `${what}: after ${early} of them`, unit: "ms", bare: spreadOf(bare), ours: spreadOf(ours) };
}

export interface Bar {
	readonly factor: number;
	/** In milliseconds. */
	readonly plus: number;
}

export const oneAnswer: Bar = { factor: 1, plus: 2 };
/** The lines of many files, or several requests. */
export const manyLines: Bar = { factor: 1.6, plus: 3 };
