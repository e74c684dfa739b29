import { othersIn } from "../size/reported.ts";
import type { Break } from "./subject.ts";

/** The findings that a pi reported for one step. */
export interface Step {
	readonly name: string;
	/** Expected findings that were never reported. */
	readonly missing: readonly string[];
	/** Reported findings that are wrong. */
	readonly invented: readonly string[];
	/** All expected findings are in the result of the step itself. */
	readonly atOnce: boolean;
	/** A line states that something is not proven. */
	readonly unproven: boolean;
	readonly text: string;
}

const unproven = /^(?:Not checked (?:yet|in time)|.* (?:was|were) not checked|.* not (?:proven|reached))/m;

/** Judges the results from a break on. */
export function judgeBreak(name: string, made: Break, textNow: string, results: readonly string[]): Step {
	const missingIn = (texts: readonly string[]) => missingOf(made, textNow, texts.join("\n"));
	const text = results.join("\n---\n");
	return {
		name,
		missing: missingIn(results),
		invented: inventedIn(made, textNow, text),
		atOnce: missingIn(results.slice(0, 1)).length === 0,
		unproven: unproven.test(text),
		text,
	};
}

/** Judges the results from a repair on, which must contain no error. */
export function judgeRepair(name: string, results: readonly string[]): Step {
	const text = results.join("\n---\n");
	const invented = [...linesOf(text)].flatMap(([file, lines]) => [...lines].map((line) => `${file}:${line}`));
	const others = othersIn(text, "").named;
	return { name, missing: [], invented: [...invented, ...others], atOnce: true, unproven: unproven.test(text), text };
}

function missingOf({ file, wrong, others }: Break, textNow: string, text: string): string[] {
	const own = linesOf(text).get(file) ?? new Set();
	const found = othersIn(text, file);
	const named = others.filter((other) => !found.named.includes(other));
	// Of many files five are named and all are counted.
	const isCounted = found.files >= others.length && found.named.length >= Math.min(5, others.length);
	return [
		...wrongLines(wrong, textNow).flatMap((line) => (own.has(line) ? [] : [`${file}:${line}`])),
		...(isCounted ? [] : named),
	];
}

function inventedIn({ file, wrong, others }: Break, textNow: string, text: string): string[] {
	const expected = new Set(wrongLines(wrong, textNow));
	const own = [...(linesOf(text).get(file) ?? [])].filter((line) => !expected.has(line));
	const named = othersIn(text, file).named.filter((other) => !others.includes(other));
	return [...own.map((line) => `${file}:${line}`), ...named];
}

/** 1-based. */
function wrongLines(wrong: readonly string[], textNow: string): number[] {
	return textNow.split("\n").flatMap((line, index) => (wrong.some((piece) => line.includes(piece)) ? [index + 1] : []));
}

/** The lines of the errors that a text lists, by file. */
function linesOf(text: string): Map<string, Set<number>> {
	const found = new Map<string, Set<number>>();
	for (const [, file = "", body = ""] of text.matchAll(/<diagnostics file="([^"\n]*)">\n([\s\S]*?)<\/diagnostics>/g)) {
		const lines = found.get(file) ?? new Set();
		for (const [, line, also = ""] of body.matchAll(/^ERROR \[(\d+):\d+\][^\n]*?(?: also at ([\d:, ]+))?$/gm)) {
			lines.add(Number(line));
			for (const [, other] of also.matchAll(/(\d+):\d+/g)) lines.add(Number(other));
		}
		found.set(file, lines);
	}
	return found;
}
