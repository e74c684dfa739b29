import { diffArrays } from "diff";
import type { Diagnostic } from "../contract/check-report.ts";
import { linesOf, spotsAlong } from "../util/positions.ts";

/** Beyond this many differing lines a diff costs more than it tells; the changed part then counts as one hunk. */
const maxEdits = 2000;
/** Of more lines none is compared with another. */
const maxLines = 100_000;
/** Lines times differing lines: what the comparison takes where all lines are alike. */
const maxSteps = 20_000_000;

/** A run of lines that an edit replaced; 0-based, ends exclusive. */
interface Hunk {
	readonly before: readonly [start: number, end: number];
	readonly after: readonly [start: number, end: number];
}

/**
 * Carries the diagnostics of an old text over to the new one and says which of the new ones were there before.
 *
 * 1. Lines that both texts share keep their diagnostics, however far they moved: same place, message, code, source.
 * 2. Inside a replaced run of lines an error with the same message, code and source is taken for the same error, one
 *    for one and in order: rewriting a broken line does not make its error a new one.
 *
 * Returns the items of `now` with `new` set, in their order.
 */
export function markNew(
	before: { readonly text: string; readonly diagnostics: readonly Diagnostic[] },
	now: { readonly text: string; readonly diagnostics: readonly Diagnostic[] },
): Diagnostic[] {
	// Most files around an edit were clean and are: there is nothing to carry.
	if (now.diagnostics.length === 0) return [];
	if (before.diagnostics.length === 0) return now.diagnostics.map((diagnostic) => ({ ...diagnostic, new: true }));
	const hunks = before.text === now.text ? [] : hunksBetween(before.text, now.text);
	const exact = new Counter();
	const within = new Counter();
	for (const diagnostic of before.diagnostics) {
		const place = carryLine(diagnostic.line - 1, hunks);
		if (place.hunk === undefined) exact.add(exactKey(diagnostic, place.line + 1));
		else within.add(looseKey(diagnostic, place.hunk));
	}
	return now.diagnostics.map((diagnostic) => {
		const hunk = hunks.findIndex(({ after: [start, end] }) => diagnostic.line > start && diagnostic.line <= end);
		const known =
			hunk < 0 ? exact.take(exactKey(diagnostic, diagnostic.line)) : within.take(looseKey(diagnostic, hunk));
		return { ...diagnostic, new: !known };
	});
}

/** The old diagnostics as they stand in the new text; those on replaced lines only where the new text still has them. */
export function carryOver(
	before: { readonly text: string; readonly diagnostics: readonly Diagnostic[] },
	now: { readonly text: string; readonly diagnostics: readonly Diagnostic[] },
): Diagnostic[] {
	return markNew(before, now).filter((diagnostic) => !diagnostic.new);
}

/** How many errors of `before` are not in `now` any more. */
export function goneFrom(
	before: { readonly text: string; readonly diagnostics: readonly Diagnostic[] },
	now: { readonly text: string; readonly diagnostics: readonly Diagnostic[] },
): number {
	return markNew(now, before).filter(({ severity, new: gone }) => severity === "error" && gone).length;
}

function carryLine(line: number, hunks: readonly Hunk[]): { readonly line: number; readonly hunk?: number } {
	let shift = 0;
	for (const [index, { before, after }] of hunks.entries()) {
		if (line < before[0]) break;
		if (line < before[1]) return { line, hunk: index };
		shift = after[1] - before[1];
	}
	return { line: line + shift };
}

function hunksBetween(before: string, after: string): Hunk[] {
	const limit = Math.min(before.length, after.length);
	let head = 0;
	while (head < limit && before.charCodeAt(head) === after.charCodeAt(head)) head++;
	head = head === 0 ? 0 : before.lastIndexOf("\n", head - 1) + 1;
	let tail = 0;
	while (
		tail < limit - head &&
		before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
	)
		tail++;
	// Both tails begin behind the same line end, or there is none.
	const lineEnd = before.indexOf("\n", before.length - tail);
	tail = tail === 0 || lineEnd < 0 ? 0 : before.length - lineEnd - 1;
	const first = spotsAlong(before)(head).line - 1;
	const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
	const count = (text: string) => spotsAlong(text)(text.length).line - (tail > 0 ? 1 : 0);
	const [oldCount, freshCount] = [count(old), count(fresh)];
	if (oldCount + freshCount > maxLines)
		return [{ before: [first, first + oldCount], after: [first, first + freshCount] }];
	const shift = ([from, to]: Hunk["before"]) => [from + first, to + first] as const;
	const lines = (text: string, most: number) => linesOf(text).slice(0, most);
	return hunksOf(lines(old, oldCount), lines(fresh, freshCount)).map((hunk) => ({
		before: shift(hunk.before),
		after: shift(hunk.after),
	}));
}

function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
	const limit = Math.min(before.length, after.length);
	let head = 0;
	while (head < limit && before[head] === after[head]) head++;
	let tail = 0;
	while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
	const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
	if (old.length === 0 && fresh.length === 0) return [];
	const count = old.length + fresh.length;
	const maxEditLength = Math.min(maxEdits, Math.floor(maxSteps / count));
	const changes = old.length && fresh.length ? diffArrays(old, fresh, { maxEditLength }) : undefined;
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

class Counter {
	readonly #counts = new Map<string, number>();

	add(key: string): void {
		this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
	}

	take(key: string): boolean {
		const count = this.#counts.get(key) ?? 0;
		if (count > 0) this.#counts.set(key, count - 1);
		return count > 0;
	}
}

function exactKey(diagnostic: Diagnostic, line: number): string {
	return JSON.stringify([line, diagnostic.column, ...sameness(diagnostic)]);
}

function looseKey(diagnostic: Diagnostic, hunk: number): string {
	return JSON.stringify([hunk, ...sameness(diagnostic)]);
}

function sameness({ severity, code, source, message }: Diagnostic): unknown[] {
	return [severity, code, source, message];
}
