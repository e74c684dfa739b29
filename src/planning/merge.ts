import { diffArrays } from "diff";

interface Hunk {
	readonly start: number;
	readonly end: number;
	readonly lines: readonly string[];
}

const timeoutMs = 100;
/** Beyond it the text is one conflict. */
const maxLines = 100_000;

/** Conflicts, in the same or adjacent lines, are 1-based lines of `mine`. */
export function mergeTexts(
	base: string,
	mine: string,
	theirs: string,
): { readonly text: string } | { readonly conflicts: readonly number[] } {
	const lines = linesWithEnds(base);
	if (lines.length > maxLines) return { conflicts: [1] };
	const [own, other] = [hunksOf(lines, linesWithEnds(mine)), hunksOf(lines, linesWithEnds(theirs))];
	if (!own || !other) return { conflicts: [1] };
	const conflicts: number[] = [];
	const kept = other.filter((hunk) => {
		const against = own.find(({ start, end }) => start <= hunk.end && hunk.start <= end);
		if (!against) return true;
		if (!isSame(against, hunk)) conflicts.push(lineIn(own, against));
		return false;
	});
	if (conflicts.length > 0) return { conflicts };
	const all = [...own, ...kept].sort((a, b) => a.start - b.start);
	let at = 0;
	const parts = all.flatMap(({ start, end, lines: next }) => {
		const before = lines.slice(at, start);
		at = end;
		return [...before, ...next];
	});
	return { text: [...parts, ...lines.slice(at)].join("") };
}

function linesWithEnds(text: string): string[] {
	return text === "" ? [] : text.split(/(?<=\n)/);
}

function hunksOf(base: string[], next: string[]): Hunk[] | undefined {
	const parts = diffArrays(base, next, { timeout: timeoutMs });
	if (!parts) return undefined;
	const hunks: Hunk[] = [];
	let at = 0;
	for (const { added, removed, value } of parts) {
		const last = hunks.at(-1);
		const isNext = last !== undefined && last.end === at;
		if (removed) hunks.push({ start: at, end: at + value.length, lines: [] });
		else if (added && isNext) hunks[hunks.length - 1] = { ...last, lines: [...last.lines, ...value] };
		else if (added) hunks.push({ start: at, end: at, lines: value });
		if (!added) at += value.length;
	}
	return hunks;
}

function isSame(one: Hunk, other: Hunk): boolean {
	return one.start === other.start && one.end === other.end && one.lines.join("") === other.lines.join("");
}

function lineIn(hunks: readonly Hunk[], hunk: Hunk): number {
	const before = hunks.slice(0, hunks.indexOf(hunk));
	return hunk.start + 1 + before.reduce((sum, { start, end, lines }) => sum + lines.length - (end - start), 0);
}
