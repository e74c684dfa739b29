import { diffArrays } from "diff";
import { linesOf } from "../util/positions.ts";

/** Beyond it the changed part is one hunk. */
const maxEdits = 2000;
/** Beyond it lines are not compared. */
const maxLines = 100_000;
/** Compared times differing lines. */
const maxSteps = 20_000_000;

/** In lines; 0-based, ends exclusive. */
export interface Hunk {
	readonly before: readonly [start: number, end: number];
	readonly after: readonly [start: number, end: number];
}

export function hunksBetween(textBefore: string, textAfter: string): Hunk[] {
	const [before, after] = [linesOf(textBefore), linesOf(textAfter)];
	const [head, tail] = equalEnds(before, after);
	const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
	const count = old.length + fresh.length;
	if (count === 0) return [];
	const maxEditLength = Math.min(maxEdits, Math.floor(maxSteps / count));
	const isSmall = count <= maxLines && old.length > 0 && fresh.length > 0;
	const changes = isSmall ? diffArrays(old, fresh, { maxEditLength }) : undefined;
	if (!changes) return [{ before: [head, head + old.length], after: [head, head + fresh.length] }];
	const hunks: Hunk[] = [];
	let [i, j] = [head, head];
	for (let index = 0; index < changes.length; ) {
		const change = changes[index++];
		if (!change) break;
		if (!change.added && !change.removed) {
			i += change.value.length;
			j += change.value.length;
			continue;
		}
		const [startI, startJ] = [i, j];
		for (let part: typeof change | undefined = change; part && (part.added || part.removed); part = changes[index++]) {
			if (part.removed) i += part.value.length;
			else j += part.value.length;
			if (!(changes[index]?.added || changes[index]?.removed)) break;
		}
		hunks.push({ before: [startI, i], after: [startJ, j] });
	}
	return hunks;
}

export function equalEnds(before: readonly string[], after: readonly string[]): readonly [head: number, tail: number] {
	const limit = Math.min(before.length, after.length);
	let head = 0;
	while (head < limit && before[head] === after[head]) head++;
	let tail = 0;
	while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
	return [head, tail];
}
