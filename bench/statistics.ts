/** Rounds until Node has compiled every code path of a check, as in a long-running daemon. */
export const warmUp = 120;

/** The distribution of a measurement, in its own unit. */
export interface Spread {
	readonly median: number;
	readonly p95: number;
	readonly n: number;
}

/** A single value, or a count among `n`. */
export function exactly(value: number, n = 1): Spread {
	return { median: value, p95: value, n };
}

/** Throws for an empty list. */
export function spreadOf(values: readonly number[]): Spread {
	if (values.length === 0) throw new Error("nothing was measured");
	return { median: quantile(values, 0.5), p95: quantile(values, 0.95), n: values.length };
}

/** The value below which a share of the measurements lies, interpolated linearly. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)] ?? Number.NaN;
	const above = sorted[Math.ceil(place)] ?? below;
	return below + (above - below) * (place - Math.floor(place));
}

/** How much longer the second of each pair took than the first; slow changes of the machine's load cancel out. */
export function differences(first: readonly number[], second: readonly number[]): number[] {
	if (first.length !== second.length) throw new Error(`${first.length} against ${second.length} measurements`);
	return second.map((value, index) => value - (first[index] ?? Number.NaN));
}

/** The participants of a round in an order that changes with the round, so that none is always first. */
export function inTurn<T>(participants: readonly T[], round: number): T[] {
	const shift = round % participants.length;
	return [...participants.slice(shift), ...participants.slice(0, shift)];
}

/**
 * The round for `inTurn`, when the rounds go around this many places: each place meets every order. By the number of the
 * round alone, each of twelve places would always have the same participant first, which finds the processors' caches full
 * of the other's server, while the other has its own server twice in a row.
 */
export function turnAt(round: number, places: number): number {
	return (round % places) + Math.floor(round / places);
}

export async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
	const began = performance.now();
	const value = await work();
	return { ms: performance.now() - began, value };
}
