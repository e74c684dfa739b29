import type { Diagnostic, FileReport } from "../../contract/check-report.ts";
import { escapeMessage, oneLineOutside } from "../escape.ts";
import { nounOf } from "./severity-words.ts";

const minGroupSize = 3;
const maxCauses = 2;

export interface Group {
	readonly first: Diagnostic;
	readonly further: readonly Diagnostic[];
}

export function groupEqual(diagnostics: readonly Diagnostic[]): Group[] {
	const byMessage = groupByMessage(diagnostics);
	return diagnostics.flatMap((item) => {
		const alike = byMessage.get(messageKey(item)) ?? [];
		if (alike.length < minGroupSize) return [{ first: item, further: [] }];
		return alike[0] === item ? [{ first: item, further: alike.slice(1) }] : [];
	});
}

export function causeLines(files: readonly FileReport[]): string[] {
	const found = new Map<string, { readonly item: Diagnostic; readonly paths: Set<string>; errors: number }>();
	for (const { path, environment, diagnostics } of files)
		for (const item of diagnostics) {
			if (item.new === false || (environment !== undefined && item.environmental)) continue;
			const cause = found.get(messageKey(item)) ?? { item, paths: new Set(), errors: 0 };
			cause.paths.add(path);
			cause.errors++;
			found.set(messageKey(item), cause);
		}
	return [...found.values()]
		.filter(({ paths, errors }) => errors >= minGroupSize && paths.size > 1)
		.sort((a, b) => b.errors - a.errors)
		.slice(0, maxCauses)
		.map(
			({ item, paths, errors }) =>
				`${errors} of these ${nounOf([item])[1]} in ${paths.size} files have one cause: ${messageWithCode(item, oneLineOutside)}`,
		);
}

export function messageWithCode({ message, code, source }: Diagnostic, write = escapeMessage): string {
	const text = write(withoutRepeats(message));
	return `${text}${code === undefined ? "" : ` (${write(codeName(code, source))})`}`;
}

/** rust-analyzer's label often repeats the message. */
function withoutRepeats(message: string): string {
	const [first = "", second, ...rest] = message.split("\n", 3);
	if (second === undefined || rest.length > 0) return message;
	const label = second.trim();
	const isRepeated = first.includes(label) || (label === "not found in this scope" && first.endsWith("in this scope"));
	return isRepeated ? first : message;
}

/** `ts2322` for TypeScript's `2322`. yaml-language-server's source ends with a schema's URI; others use one as code. */
export function codeName(code: string, source: string | undefined): string {
	if (/^\d+$/.test(code) && source) return `${source.split(":", 1)[0]}${code}`;
	return /^[a-z]+:\/\//.test(code) ? (code.split("/").findLast(Boolean) ?? code) : code;
}

function groupByMessage(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
	const same = new Map<string, Diagnostic[]>();
	for (const item of diagnostics) {
		const alike = same.get(messageKey(item));
		if (alike) alike.push(item);
		else same.set(messageKey(item), [item]);
	}
	return same;
}

function messageKey({ severity, code, source, message }: Diagnostic): string {
	return [severity, code, source, message].join("\0");
}
