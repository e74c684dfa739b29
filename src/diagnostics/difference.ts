/** The lines in which two texts differ, counted from 0, ends exclusive. */
export interface Difference {
	readonly before: readonly [start: number, end: number];
	readonly after: readonly [start: number, end: number];
}

/** The one run of lines outside of which two texts are the same. */
export function differenceOf(before: readonly string[], after: readonly string[]): Difference {
	const limit = Math.min(before.length, after.length);
	let head = 0;
	while (head < limit && before[head] === after[head]) head++;
	let tail = 0;
	while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
	return { before: [head, before.length - tail], after: [head, after.length - tail] };
}
