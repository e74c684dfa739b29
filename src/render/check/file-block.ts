import type { FileReport } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { escapeMessage, escapePath, oneLineOutside } from "../escape.ts";
import { type Group, groupEqual, messageWithCode } from "./causes.ts";
import { kindsOf } from "./severity-words.ts";

const maxSuggestions = 3;
const maxFixes = 3;
const maxCauses = 3;

export interface LineBudget {
	lines: number;
	readonly perFile: number;
	readonly places: number;
}

export function fileBlock(file: FileReport, budget: LineBudget): string {
	const outside = file.environment === undefined ? [] : file.diagnostics.filter((item) => item.environmental);
	const inside = outside.length ? file.diagnostics.filter((item) => !item.environmental) : file.diagnostics;
	const found = groupEqual(inside);
	const shown = found.slice(0, Math.min(budget.perFile, budget.lines));
	budget.lines -= shown.length;
	const cut = found.slice(shown.length).reduce((sum, { further }) => sum + 1 + further.length, 0);
	const declared = declarationLines(shown).slice(0, budget.lines);
	budget.lines -= declared.length;
	const fixes = fixLines(shown).slice(0, budget.lines);
	budget.lines -= fixes.length;
	return [
		`<diagnostics file="${escapePath(file.path)}">`,
		...environmentLine(file, outside.length),
		...withSuggestions(shown, budget.places),
		...(cut > 0 ? [`... and ${cut} more`] : []),
		"</diagnostics>",
		...declared,
		...fixes,
	].join("\n");
}

export function fileBlocks(
	what: string,
	files: readonly FileReport[],
	budget: LineBudget,
	{ causes = [] as readonly string[], most = files.length } = {},
): string[] {
	if (files.length === 0) return [...causes];
	const heading = `LSP ${kindsIn(files)} ${what}`;
	const number = count(files.length, "file", "files");
	if (budget.lines <= 0) return [`${heading}: ${number}`, ...causes];
	const blocks: string[] = [];
	for (const file of files.slice(0, most)) {
		if (budget.lines <= 0) break;
		blocks.push(fileBlock(file, budget));
	}
	return [`${heading}, ${number}:`, ...causes, ...blocks, ...moreFiles(files.slice(blocks.length))];
}

export function moreFiles(files: readonly FileReport[]): string[] {
	if (files.length === 0) return [];
	const causes = new Map<string, number>();
	for (const { environment, diagnostics } of files)
		if (environment !== undefined && diagnostics.some(({ environmental }) => environmental))
			causes.set(environment, (causes.get(environment) ?? 0) + 1);
	return [
		`... and ${count(files.length, "more file", "more files")} with ${kindsIn(files)}`,
		...[...causes].slice(0, maxCauses).map(([cause, of]) => {
			return `${of} of them ${of === 1 ? "has" : "have"} a cause outside the file: ${asSentence(cause)}`;
		}),
	];
}

function kindsIn(files: readonly FileReport[]): string {
	return kindsOf(files.flatMap(({ diagnostics }) => diagnostics));
}

function declarationLines(shown: readonly Group[]): string[] {
	const lines = shown.flatMap(({ first: { declared } }) =>
		declared ? [oneLineOutside(`${declared.text} · ${declared.path}:${declared.line}`)] : [],
	);
	return [...new Set(lines)];
}

function fixLines(shown: readonly Group[]): string[] {
	const lines = shown.flatMap(({ first: { fix } }) => (fix ? [oneLineOutside(`fix ${fix.name}: ${fix.title}`)] : []));
	return lines.slice(0, maxFixes);
}

function environmentLine({ environment = "", diagnostics }: FileReport, outside: number): string[] {
	if (outside === 0) return [];
	const all = diagnostics.length;
	const some = outside === 1 ? `1 of its ${all} errors has its` : `${outside} of its ${all} errors have one`;
	const every = all === 1 ? "Its only error has its" : `All ${all} errors have one`;
	return [`${outside === all ? every : some} cause outside the file: ${asSentence(environment)}`];
}

function asSentence(text: string): string {
	const cause = escapeMessage(text);
	return /[.!?…]$/.test(cause) ? cause : `${cause}.`;
}

function withSuggestions(shown: readonly Group[], places: number): string[] {
	let left = maxSuggestions;
	return shown.flatMap((group) => {
		const all = [group.first, ...group.further].flatMap(({ suggestion }) => suggestion || []);
		const listed = [...new Set(all)].slice(0, left);
		left -= listed.length;
		return [groupLine(group, places), ...listed.map((suggestion) => `  try: ${escapeMessage(suggestion)}`)];
	});
}

function groupLine({ first, further }: Group, places: number): string {
	const line = `${first.severity.toUpperCase()} [${first.line}:${first.column}] ${messageWithCode(first)}`;
	if (further.length === 0) return line;
	const positions = further.slice(0, places).map(({ line, column }) => `${line}:${column}`);
	const more = further.length - positions.length;
	return `${line} also at ${positions.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
