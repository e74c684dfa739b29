import type { Figure } from "../figures.ts";
import { spreadOf } from "../statistics.ts";

/** Of each kind of question, until Node has compiled what every one runs through. */
export const warmUp = 2000;
/** What the same takes before that is told as well, after so many of a kind. */
const early = 160;

/** True for a round (below 0 while it warms up) that is told as an early one, when so many are measured. */
export function isEarly(round: number, rounds: number): boolean {
	return round + warmUp >= early && round + warmUp < early + rounds;
}

/** What the early rounds took, in milliseconds. */
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
