import type { ImpactReport } from "../../operations/impact.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";
import { notComparedLines } from "./changes.ts";

const maxSymbols = 20;
const maxCallers = 8;
const maxOthers = 5;

type Impacted = ImpactReport["changed"][number];

export function impactText({ changed, skipped, unread, omitted }: ImpactReport): string {
	const cut = changed.length - maxSymbols;
	const isNone = changed.length === 0 && unread.length === 0;
	return [
		...(isNone ? ["No symbol is affected."] : []),
		...(changed.length > 0 ? [count(changed.length, "symbol", "symbols")] : []),
		...changed.slice(0, maxSymbols).flatMap((each) => symbolLines(each)),
		...(cut > 0 ? [`... and ${cut} more of lower risk; --json tells all`] : []),
		...(omitted.symbols > 0 ? [`${count(omitted.symbols, "symbol was", "symbols were")} not asked about.`] : []),
		...unread.map(({ path, reason }) => `${oneLine(path)}: its symbols are not known: ${oneLine(reason)}`),
		...notComparedLines(skipped),
	].join("\n");
}

function symbolLines({
	symbol,
	kind,
	file,
	line,
	change,
	exported,
	from,
	callers,
	implementers,
	tests,
	reaches,
	...each
}: Impacted): string[] {
	const what = [...(change ? [change] : []), kind, oneLine(symbol)].join(" ");
	const marks = `${exported ? ", exported" : ""}${from === undefined ? "" : `, from ${oneLine(from)}`}`;
	const code = callers.filter(({ test }) => !test);
	const imports = code.filter((each) => each.import);
	return [
		`${each.risk}: ${what}  ${oneLine(file)}:${line}${marks}`,
		`  ${oneLine(each.why)}`,
		...usingLines(
			"used by",
			code.filter((each) => !each.import),
		),
		...listed(
			"imported by",
			imports.map(({ file: path, line: at }) => `${oneLine(path)}:${at}`),
		),
		...usingLines("implemented by", implementers ?? []),
		...(implementers ? [] : ["  what implements it is not known: its server does not say"]),
		...listed(
			"tests",
			tests.map(
				({ file: path, line: at, test }) => `${oneLine(path)}:${at}${test === undefined ? "" : ` ${oneLine(test)}`}`,
			),
		),
		...listed(
			"may reach",
			reaches.map(({ file: path, how }) => `${oneLine(path)} (${oneLine(how)})`),
		),
		...(each.unfollowed > 0 ? [`  ${count(each.unfollowed, "caller was", "callers were")} not followed`] : []),
	];
}

function usingLines(words: string, users: Impacted["callers"]): string[] {
	if (users.length === 0) return [];
	const lines = users.slice(0, maxCallers).map(({ file, line, symbol, text }) => {
		const name = symbol === "" ? "(top level)" : oneLine(symbol);
		return `    ${name}  ${oneLine(file)}:${line}${text === undefined ? "" : `: ${oneLine(text)}`}`;
	});
	const more = users.length - maxCallers;
	return [`  ${words}:`, ...lines, ...(more > 0 ? [`    ... and ${more} more`] : [])];
}

function listed(words: string, items: readonly string[]): string[] {
	if (items.length === 0) return [];
	const more = items.length > maxOthers ? [`    ... and ${items.length - maxOthers} more`] : [];
	return [`  ${words}:`, ...items.slice(0, maxOthers).map((item) => `    ${item}`), ...more];
}
