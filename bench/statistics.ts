/** Rounds until Node has compiled what every check runs through: a daemon of a working day has. */
export const warmUp = 120;

/** What many measurements of one thing say, in their own unit. */
export interface Spread {
	readonly median: number;
	readonly p95: number;
	readonly n: number;
}

/** The spread of some measurements; rejects an empty list, which would mean that nothing was measured. */
export function spreadOf(values: readonly number[]): Spread {
	if (values.length === 0) throw new Error("nothing was measured");
	return { median: quantile(values, 0.5), p95: quantile(values, 0.95), n: values.length };
}

/** The value below which a share of the measurements lies, with a line drawn between neighbours. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)] ?? Number.NaN;
	const above = sorted[Math.ceil(place)] ?? below;
	return below + (above - below) * (place - Math.floor(place));
}

/** What the second of each pair took longer than the first: noise that lasts longer than a pair falls out. */
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
 * The round as `inTurn` takes it, when the rounds go around so many places: each place meets every order. By the number of
 * the round alone, one of twelve places always has the same participant first, who then pays for the other one's server
 * having had the processors, and its own having them twice in a row is the other one's gain.
 */
export function turnAt(round: number, places: number): number {
	return (round % places) + Math.floor(round / places);
}

/** The milliseconds that something takes, and what it gives. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
	const began = performance.now();
	const value = await work();
	return { ms: performance.now() - began, value };
}
