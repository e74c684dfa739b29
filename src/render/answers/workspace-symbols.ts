import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

/** A symbol of the workspace as it is shown; the line is 1-based. */
export interface ShownFound {
	readonly symbol: string;
	readonly kind: string;
	readonly path: string;
	readonly line: number;
	readonly test?: boolean;
	/** Markdown. */
	readonly hover?: string;
}

/** So many lines of a hover are shown. */
const maxHoverLines = 3;

/** What was not asked, and why. */
export interface ShownGaps {
	readonly outside?: number;
	readonly capped?: readonly string[];
	readonly unasked?: readonly { readonly language: string; readonly reason: string }[];
}

interface ShownSymbols extends ShownGaps {
	readonly symbols: readonly ShownFound[];
	readonly total: number;
}

/** Symbols grouped by file, in the order of their nearness; those of tests apart. */
export function listFound({ symbols, total, ...gaps }: ShownSymbols, query: string): string {
	const named = query === "" ? "" : ` like "${oneLine(query)}"`;
	if (symbols.length === 0 && total > 0)
		return [`${count(total, "symbol", "symbols")}${named}, none of them so far on.`, ...gapLines(gaps)].join("\n");
	if (symbols.length === 0) return [`No symbol${named || " was told"}.`, ...gapLines(gaps)].join("\n");
	const code = symbols.filter(({ test }) => !test);
	const tests = symbols.filter(({ test }) => test);
	const cut = total > symbols.length ? `, ${symbols.length} of them here` : "";
	return [
		`${count(total, "symbol", "symbols")}${named}${cut}`,
		...groups(code),
		...(tests.length > 0 ? ["tests:", ...groups(tests)] : []),
		...gapLines(gaps),
	].join("\n");
}

function groups(symbols: readonly ShownFound[]): string[] {
	const files = new Map<string, ShownFound[]>();
	for (const found of symbols) files.set(found.path, [...(files.get(found.path) ?? []), found]);
	return [...files].flatMap(([path, group]) => [
		oneLine(path),
		...group.flatMap(({ line, kind, symbol, hover = "" }) => [
			`  ${line}: ${kind} ${oneLine(symbol)}`,
			...hoverLines(hover).map((text) => `    ${text}`),
		]),
	]);
}

/** The first lines of a hover, without fences and rules, and how many more there are. */
function hoverLines(hover: string): string[] {
	const lines = hover
		.split("\n")
		.map(oneLine)
		.filter((line) => line !== "" && !/^(?:`{3}|(?:-{3,}|\*{3,})$)/.test(line));
	const more = lines.length - maxHoverLines;
	return more > 0 ? [...lines.slice(0, maxHoverLines), `... and ${count(more, "more line", "more lines")}`] : lines;
}

/** What an answer about a workspace lacks, a line for each reason. */
export function gapLines({ outside = 0, capped = [], unasked = [] }: ShownGaps): string[] {
	return [
		...(outside > 0 ? [`${outside} more in libraries.`] : []),
		...capped.map((server) => `${server} tells no more at once; a longer name finds the rest.`),
		...unasked.map(({ language, reason }) => `${oneLine(language)} was not asked: ${oneLine(reason)}`),
	];
}
