import { byPosition, type Diagnostic, severities } from "../contract/check-report.ts";
import { diagnosticKey } from "./sources/convert.ts";

const eslintRule = (rule: string) => [rule, `@typescript-eslint/${rule}`, `eslint(${rule})`];

/** Codes with one meaning; of equal severities the type checker's stands. */
const meanings: readonly (readonly string[])[] = [
	["reportUndefinedVariable", "unresolved-reference", "unknown-name", "F821"],
	[
		...["2304", "2503", "2552", "2580", "2581", "2582", "2583", "2584", "2591", "2592", "2593"],
		...[...eslintRule("no-undef"), "lint/correctness/noUndeclaredVariables"],
	],
	["reportUnusedImport", "reportUnusedVariable", "F401", "F841"],
	[
		...["6133", "6192", "6196", "6198", ...eslintRule("no-unused-vars")],
		...["lint/correctness/noUnusedVariables", "lint/correctness/noUnusedImports"],
	],
	["2588", ...eslintRule("no-const-assign"), "lint/correctness/noConstAssign"],
	["2300", "2451", ...eslintRule("no-redeclare"), "lint/suspicious/noRedeclare"],
	["7027", ...eslintRule("no-unreachable"), "lint/correctness/noUnreachable"],
];

const byCode = new Map(meanings.flatMap((codes, meaning) => codes.map((code, rank) => [code, { meaning, rank }])));

const maxCompared = 20;

interface Reported {
	readonly diagnostic: Diagnostic;
	readonly list: number;
	readonly rank: number;
}

/** Of two with one meaning and position the more severe stands. */
export function mergeDiagnostics(lists: readonly (readonly Diagnostic[])[]): Diagnostic[] {
	const merged = new Map<string, Diagnostic>();
	const inLine = new Map<string, readonly Reported[]>();
	for (const [list, diagnostics] of lists.entries())
		for (const diagnostic of diagnostics) {
			const key = diagnosticKey(diagnostic);
			if (merged.has(key)) continue;
			const known = lists.length > 1 ? byCode.get(diagnostic.code ?? "") : undefined;
			if (known) {
				const place = `${known.meaning} ${diagnostic.line}`;
				const added = { diagnostic, list, rank: known.rank };
				const others = inLine.get(place) ?? [];
				const same = others.find((other) => other.list !== list && overlap(other.diagnostic, diagnostic));
				if (same && standsBefore(same, added)) continue;
				if (same) merged.delete(diagnosticKey(same.diagnostic));
				if (others.length < maxCompared) inLine.set(place, [...others.filter((other) => other !== same), added]);
			}
			merged.set(key, diagnostic);
		}
	return [...merged.values()].sort(byPosition);
}

function overlap(a: Diagnostic, b: Diagnostic): boolean {
	return !endsBefore(a, b) && !endsBefore(b, a);
}

function endsBefore(a: Diagnostic, b: Diagnostic): boolean {
	return a.endLine < b.line || (a.endLine === b.line && a.endColumn <= b.column && b.column > a.column);
}

function standsBefore(a: Reported, b: Reported): boolean {
	const weight = ({ diagnostic }: Reported) => severities.indexOf(diagnostic.severity);
	return weight(a) === weight(b) ? a.rank <= b.rank : weight(a) < weight(b);
}
