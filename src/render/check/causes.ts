import type { Diagnostic, FileReport } from "../../contract/check-report.ts";
import { escapeMessage } from "../escape.ts";

/** From so many on, errors that say the same are told as one. */
const many = 3;
const maxCauses = 2;

/** An error and those that say the same at other places of the file. */
export interface Group {
	readonly first: Diagnostic;
	readonly further: readonly Diagnostic[];
}

/** The diagnostics of one file in their order, those that say the same as one group at the place of the first. */
export function groups(diagnostics: readonly Diagnostic[]): Group[] {
	const same = bySaying(diagnostics);
	return diagnostics.flatMap((item) => {
		const alike = same.get(saying(item)) ?? [];
		if (alike.length < many) return [{ first: item, further: [] }];
		return alike[0] === item ? [{ first: item, further: alike.slice(1) }] : [];
	});
}

/** One line for each cause that explains errors of several files, the biggest ones. */
export function causeLines(files: readonly FileReport[]): string[] {
	const found = new Map<string, { readonly item: Diagnostic; readonly paths: Set<string>; errors: number }>();
	for (const { path, environment, diagnostics } of files)
		for (const item of diagnostics) {
			// What was there before has a cause before this edit, what follows from the environment is told as that.
			if (item.new === false || (environment !== undefined && item.environmental)) continue;
			const cause = found.get(saying(item)) ?? { item, paths: new Set(), errors: 0 };
			cause.paths.add(path);
			cause.errors++;
			found.set(saying(item), cause);
		}
	return [...found.values()]
		.filter(({ paths, errors }) => errors >= many && paths.size > 1)
		.sort((a, b) => b.errors - a.errors)
		.slice(0, maxCauses)
		.map(({ item, paths, errors }) => `${errors} of these errors in ${paths.size} files have one cause: ${said(item)}`);
}

/** The message and the code of a diagnostic: `Type 'string' is not assignable to type 'number'. (ts2322)`. */
export function said({ message, code, source }: Diagnostic): string {
	return `${escapeMessage(message)}${code === undefined ? "" : ` (${escapeMessage(codeName(code, source))})`}`;
}

/** TypeScript's numbers are known as ts2322; a rule's name stands for itself. */
function codeName(code: string, source: string | undefined): string {
	return /^\d+$/.test(code) && source ? `${source}${code}` : code;
}

function bySaying(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
	const same = new Map<string, Diagnostic[]>();
	for (const item of diagnostics) {
		const alike = same.get(saying(item));
		if (alike) alike.push(item);
		else same.set(saying(item), [item]);
	}
	return same;
}

function saying({ severity, code, source, message }: Diagnostic): string {
	return [severity, code, source, message].join("\0");
}
