import type { Random } from "../truth/random.ts";

/** A change of one line, which mostly still compiles. */
export interface Fault {
	readonly line: number;
	readonly text: string;
	readonly was: string;
	readonly is: string;
}

/** Replacements of operators and constants. */
const swaps: readonly (readonly [from: RegExp, to: string])[] = [
	[/===/, "!=="],
	[/!==/, "==="],
	[/(?<![=!<>])==(?!=)/, "!="],
	[/(?<!!)!=(?!=)/, "=="],
	[/ < /, " >= "],
	[/ > /, " <= "],
	[/ <= /, " > "],
	[/ >= /, " < "],
	[/ && /, " || "],
	[/ \|\| /, " && "],
	[/ and /, " or "],
	[/ or /, " and "],
	[/\btrue\b/, "false"],
	[/\bfalse\b/, "true"],
	[/\bTrue\b/, "False"],
	[/\bFalse\b/, "True"],
	[/ \+ 1\b/, " + 2"],
	[/ - 1\b/, " - 2"],
	[/\b0\b/, "1"],
];

const comment = /^\s*(?:\/\/|\/\*|\*|#|"""|import\b|from\b|use\b|package\b|@)/;

/** Changes one operator or constant of a text; undefined if there is none. */
export function seedFault(text: string, random: Random): Fault | undefined {
	const lines = text.split("\n");
	const places = lines.flatMap((line, index) => {
		if (comment.test(line) || !/^\s/.test(line)) return [];
		return swaps.flatMap(([from, to]) => {
			const code = line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, (quoted) => " ".repeat(quoted.length));
			const found = from.exec(code);
			return found ? [{ index, at: found.index, length: found[0].length, to }] : [];
		});
	});
	const place = random.pick(places);
	const line = place && lines[place.index];
	if (!place || line === undefined) return undefined;
	const changed = line.slice(0, place.at) + place.to + line.slice(place.at + place.length);
	return {
		line: place.index + 1,
		text: lines.with(place.index, changed).join("\n"),
		was: line.trim(),
		is: changed.trim(),
	};
}
