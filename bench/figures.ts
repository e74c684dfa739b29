import { exactly, type Spread, spreadOf } from "./statistics.ts";

interface Bar {
	/** As shown in the table. */
	readonly text: string;
	readonly limit: number;
}

/** One line of a benchmark's table. */
export interface Figure {
	readonly what: string;
	readonly unit: "ms" | "MB" | "";
	/** The same of a bare client, or of a pi without the extension. */
	readonly bare?: Spread;
	readonly ours: Spread;
	/** Absent for figures that explain another one. */
	readonly bar?: Bar;
}

/** `log` prints progress. */
export interface Benchmark {
	readonly name: string;
	/** Without this program there is nothing to measure. */
	readonly program?: string;
	readonly run: (log: (line: string) => void) => Promise<Figure[]>;
}

/** For the time that pi-lsp adds to a tool call of pi, compared with the bare client's answer for the edited file. */
export const hookBar = { factor: 1.3, plus: 15 };

/** The bar is `factor` × bare + `plus`; the median is judged. */
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

/** No wrong answer is allowed. */
export function wrongAnswers(what: string, wrong: number, n: number): Figure {
	return counted(what, wrong, n, { text: "0", limit: 0 });
}

/** A count among `n`; without a bar it explains other figures. */
export function counted(what: string, value: number, n: number, bar?: Bar): Figure {
	return { what, unit: "", ours: exactly(value, n), ...(bar ? { bar } : {}) };
}

/** One measured value that must not exceed `limit`, both in `unit`. */
export function atMost(what: string, unit: Figure["unit"], value: number, limit: number): Figure {
	const shown = Math.round(limit * 1000) / 1000;
	const text = unit === "" ? String(shown) : `${shown} ${unit}`;
	return { what, unit, ours: exactly(value), bar: { text, limit } };
}

/** The ratio of the medians. */
export function ratioOf({ bare, ours }: Figure): number | undefined {
	return bare && bare.median > 0 ? ours.median / bare.median : undefined;
}

/** Whether a figure meets its bar; undefined where it has none. */
export function isMet({ ours, bar }: Figure): boolean | undefined {
	return bar && ours.median <= bar.limit;
}
