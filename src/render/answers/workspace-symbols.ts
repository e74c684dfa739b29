import type { WorkspaceSymbols } from "../../operations/workspace-symbols.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

const maxHoverLines = 3;

type FoundSymbol = WorkspaceSymbols["symbols"][number];
type Gaps = Pick<WorkspaceSymbols, "outside" | "capped" | "unasked">;

export function listSymbols({ symbols, total, ...gaps }: WorkspaceSymbols, query: string): string {
	const like = query === "" ? "" : ` like "${oneLine(query)}"`;
	if (symbols.length === 0 && total > 0)
		return [`${count(total, "symbol", "symbols")}${like}, none of them so far on.`, ...gapLines(gaps)].join("\n");
	if (symbols.length === 0) return [`No symbol${like || " was found"}.`, ...gapLines(gaps)].join("\n");
	const code = symbols.filter(({ test }) => !test);
	const tests = symbols.filter(({ test }) => test);
	const cut = total > symbols.length ? `, ${symbols.length} of them here` : "";
	return [
		`${count(total, "symbol", "symbols")}${like}${cut}`,
		...fileBlocks(code),
		...(tests.length > 0 ? ["tests:", ...fileBlocks(tests)] : []),
		...gapLines(gaps),
	].join("\n");
}

function fileBlocks(symbols: readonly FoundSymbol[]): string[] {
	const files = new Map<string, FoundSymbol[]>();
	for (const found of symbols) files.set(found.path, [...(files.get(found.path) ?? []), found]);
	return [...files].flatMap(([path, group]) => [
		oneLine(path),
		...group.flatMap(({ line, kind, symbol, hover = "" }) => [
			`  ${line}: ${kind} ${oneLine(symbol)}`,
			...hoverLines(hover).map((text) => `    ${text}`),
		]),
	]);
}

function hoverLines(hover: string): string[] {
	const lines = hover
		.split("\n")
		.map(oneLine)
		.filter((line) => line !== "" && !/^(?:`{3}|(?:-{3,}|\*{3,})$)/.test(line));
	const more = lines.length - maxHoverLines;
	return more > 0 ? [...lines.slice(0, maxHoverLines), `... and ${count(more, "more line", "more lines")}`] : lines;
}

export function gapLines({ outside = 0, capped = [], unasked = [] }: Gaps): string[] {
	return [
		...(outside > 0 ? [`${outside} more in libraries.`] : []),
		...capped.map((server) => `${server} tells no more at once; a longer name finds the rest.`),
		...unasked.map(({ language, reason }) => `${oneLine(language)} was not asked: ${oneLine(reason)}`),
	];
}
