import { type Spread, spreadOf } from "./statistics.ts";

/** What a figure must not exceed. */
interface Bar {
	/** As a person writes it. */
	readonly text: string;
	readonly limit: number;
}

/** One line of a benchmark's table. */
export interface Figure {
	readonly what: string;
	readonly unit: "ms" | "MB" | "";
	/** What it is compared with: a bare client, or a pi without the extension. */
	readonly bare?: Spread;
	readonly ours: Spread;
	/** Absent for figures that explain another one. */
	readonly bar?: Bar;
}

/** A benchmark: measures one subject; `log` tells a person what happens meanwhile. */
export interface Benchmark {
	readonly name: string;
	/** A program without which there is nothing to measure. */
	readonly program?: string;
	readonly run: (log: (line: string) => void) => Promise<Figure[]>;
}

/** Of what pi-lsp adds to a tool call of pi, against the bare client's answer for the edited file; see bench/README.md. */
export const hookBar = { factor: 1.3, plus: 15 };

/** A figure with the bar `factor` x bare + `plus`; the median is what is judged. */
export function compared(
	what: string,
	bare: readonly number[],
	ours: readonly number[],
	bar?: { readonly factor: number; readonly plus: number },
): Figure {
	const measured = spreadOf(bare);
	const limit = bar && { text: `${bar.factor} × + ${bar.plus}`, limit: measured.median * bar.factor + bar.plus };
	return { what, unit: "ms", bare: measured, ours: spreadOf(ours), ...(limit ? { bar: limit } : {}) };
}

/** Answers that were wrong: none is allowed, because a fast wrong answer is no answer. */
export function wrongAnswers(what: string, wrong: number, n: number): Figure {
	return { what, unit: "", ours: { median: wrong, p95: wrong, n }, bar: { text: "0", limit: 0 } };
}

/** One measured value that must not exceed `limit`, both in `unit`. */
export function atMost(what: string, unit: Figure["unit"], value: number, limit: number): Figure {
	const shown = Math.round(limit * 1000) / 1000;
	const text = unit === "" ? String(shown) : `${shown} ${unit}`;
	return { what, unit, ours: { median: value, p95: value, n: 1 }, bar: { text, limit } };
}

/** How many times the bare one's median ours is. */
export function ratioOf({ bare, ours }: Figure): number | undefined {
	return bare && bare.median > 0 ? ours.median / bare.median : undefined;
}

/** Whether a figure keeps its bar; undefined where it has none. */
export function isMet({ ours, bar }: Figure): boolean | undefined {
	return bar && ours.median <= bar.limit;
}
