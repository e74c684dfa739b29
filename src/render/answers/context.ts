import type { Context } from "../../operations/context.ts";
import { oneLine } from "../escape.ts";
import { filesText } from "./explore.ts";
import { listTests } from "./tests.ts";

type SymbolPart = NonNullable<Context["symbols"]>[number];
type CallerPart = NonNullable<Context["callers"]>[number];

export function contextText(found: Context): string {
	const { tag, unchanged, symbols = [], imports = [], callers = [], callees = [], tests = [] } = found;
	const { totalTests, notAsked = 0, unsupported = [] } = found;
	if (unchanged) return `Unchanged since ${tag}.`;
	const part = (head: string, none: string, lines: readonly string[]) =>
		lines.length > 0 ? [`${head}:`, ...lines.map((line) => `  ${line}`)] : [none];
	const has = (name: string) => !unsupported.includes(name);
	return [
		`tag ${tag}`,
		...part("declares", "Declares nothing.", symbols.map(symbolLine)),
		...part("imports", "Imports nothing that is known.", imports.map(oneLine)),
		...(has("callers") ? part("used by", "No other file uses its symbols.", callers.map(callerLine)) : []),
		...(has("callees") ? part("calls", "Calls no function of other files here.", calleeLines(callees)) : []),
		listTests(tests, totalTests),
		...(notAsked > 0 ? [`Users and callees of its last ${notAsked} symbols were not asked for.`] : []),
		...(unsupported.length > 0 ? [`The server does not answer: ${unsupported.join(", ")}.`] : []),
	].join("\n");
}

function symbolLine({ symbol, kind, line, endLine }: SymbolPart): string {
	return `${kind} ${oneLine(symbol)}  ${line === endLine ? line : `${line}-${endLine}`}`;
}

function callerLine({ symbol, files }: CallerPart): string {
	const code = files.filter(({ test }) => !test);
	const tests = files.filter(({ test }) => test);
	const parts = [
		...(code.length > 0 ? [filesText(code)] : []),
		...(tests.length > 0 ? [`tests: ${filesText(tests)}`] : []),
	];
	return `${oneLine(symbol)}: ${parts.join("; ")}`;
}

function calleeLines(callees: NonNullable<Context["callees"]>): string[] {
	const files = new Map<string, string[]>();
	for (const { path, symbol, line } of callees)
		files.set(path, [...(files.get(path) ?? []), `${oneLine(symbol)} ${line}`]);
	return [...files].map(([path, names]) => `${oneLine(path)}: ${names.join(", ")}`);
}
