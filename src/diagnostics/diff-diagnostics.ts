import { basename } from "node:path";
import type { Diagnostic } from "../contract/check-report.ts";
import { type Hunk, hunksBetween } from "../impact/hunks.ts";
import type { Names, VisibleChange } from "../impact/visible-change.ts";
import { linesOf } from "../util/positions.ts";
import type { FileDiagnostics } from "./edit-session.ts";

type Judged = Pick<FileDiagnostics, "text" | "diagnostics">;

/**
 * A diagnostic is old if `before` has one with the same severity, message, code and source: in the same column of an
 * unchanged line, which may have moved, or anywhere in the same hunk. Each of `before` counts once.
 */
export function markNew(before: Judged, now: Judged): Diagnostic[] {
	if (now.diagnostics.length === 0) return [];
	if (before.diagnostics.length === 0) return now.diagnostics.map((diagnostic) => ({ ...diagnostic, new: true }));
	const hunks = before.text === now.text ? [] : hunksBetween(before.text, now.text);
	const exact = new Counter();
	const within = new Counter();
	for (const diagnostic of before.diagnostics) {
		const carried = carryLine(diagnostic.line - 1, hunks);
		if (carried.hunk === undefined) exact.add(lineKey(diagnostic, carried.line + 1));
		else within.add(hunkKey(diagnostic, carried.hunk));
	}
	return now.diagnostics.map((diagnostic) => {
		const hunk = hunks.findIndex(({ after: [start, end] }) => diagnostic.line > start && diagnostic.line <= end);
		const known = hunk < 0 ? exact.take(lineKey(diagnostic, diagnostic.line)) : within.take(hunkKey(diagnostic, hunk));
		return { ...diagnostic, new: !known };
	});
}

export function carryOver(before: Judged, now: Judged): Diagnostic[] {
	return markNew(before, now).filter((diagnostic) => !diagnostic.new);
}

export function markNewAndEarlier(before: Judged, now: Judged): Diagnostic[] {
	const own = before.diagnostics.filter(isCaused);
	const marked = markNew(before, now);
	if (own.length === 0) return marked;
	const others = markNew({ text: before.text, diagnostics: own }, now);
	return marked.map((item, index) => (!item.new && !others[index]?.new ? { ...item, earlier: true } : item));
}

export function hasErrors({ diagnostics }: Pick<Judged, "diagnostics">): boolean {
	return diagnostics.some(({ severity }) => severity === "error");
}

export function isCaused(diagnostic: Diagnostic): boolean {
	return diagnostic.new === true || diagnostic.earlier === true;
}

export function countFixed(before: Judged, now: Judged): number {
	return fixedIn(before, now).length;
}

export function fixedIn(before: Judged, now: Judged): Diagnostic[] {
	return markNew(now, before).filter(({ severity, new: gone }) => severity === "error" && gone);
}

/** In messages and lines: a changed name, or the stem of the changed file. */
export function mentionsChange(
	{ text, diagnostics }: Judged,
	{ changed, added }: Pick<VisibleChange, "changed" | "added">,
	changedPath: string,
): boolean {
	if (!changed) return true;
	const names = new Set([...changed, ...added, stemOf(changedPath)]);
	if (diagnostics.some(({ message }) => mentionsName(message, names))) return true;
	const lines = linesOf(text);
	let read = 0;
	for (const { line, endLine } of diagnostics.toSorted((a, b) => a.line - b.line)) {
		const own = lines.slice(Math.max(line - 1, read), endLine);
		if (own.some((words) => mentionsName(words, names))) return true;
		read = Math.max(read, endLine);
	}
	return false;
}

/** Without diagnostics whose message or first line has a name of `gone`, or the stem of its path. */
export function withoutMentions(judged: Judged, gone: ReadonlyMap<string, Names>): readonly Diagnostic[] {
	if (gone.size === 0) return judged.diagnostics;
	const names = new Set([...gone.values()].flatMap((changed) => [...(changed ?? [])]));
	const stems = [...gone.keys()].map(stemOf);
	const mentions = (text: string) => mentionsName(text, names) || stems.some((stem) => mentionsFile(text, stem));
	const lines = linesOf(judged.text);
	const failing = [...new Set(judged.diagnostics.map(({ line }) => line))];
	const naming = new Set(failing.filter((line) => mentions(lines[line - 1] ?? "")));
	return judged.diagnostics.filter(({ message, line }) => !naming.has(line) && !mentions(message));
}

/** Errors that cover just a name: servers report missing declarations so. */
export function reportedNames({ text, diagnostics }: Judged): Set<string> {
	const lines = linesOf(text);
	const names = new Set<string>();
	for (const { severity, line, column, endLine, endColumn, message } of diagnostics) {
		if (severity !== "error" || endLine !== line) continue;
		const name = lines[line - 1]?.slice(column - 1, endColumn - 1) ?? "";
		if (mentionsName(message, new Set([name]))) names.add(name);
	}
	return names;
}

function mentionsFile(text: string, stem: string): boolean {
	if (stem === "") return false;
	for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1))
		if (!isOfFileName(text[at - 1]) && !isOfFileName(text[at + stem.length])) return true;
	return false;
}

function isOfFileName(character = ""): boolean {
	return /[\p{L}\p{N}_$-]/u.test(character);
}

function stemOf(path: string): string {
	return basename(path).replace(/\..*$/, "");
}

function mentionsName(words: string, names: ReadonlySet<string>): boolean {
	return (words.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).some((word) => names.has(word));
}

function carryLine(line: number, hunks: readonly Hunk[]): { readonly line: number; readonly hunk?: number } {
	let shift = 0;
	for (const [index, { before, after }] of hunks.entries()) {
		if (line < before[0]) break;
		if (line < before[1]) return { line, hunk: index };
		shift = after[1] - before[1];
	}
	return { line: line + shift };
}

class Counter {
	readonly #counts = new Map<string, number>();

	add(key: string): void {
		this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
	}

	take(key: string): boolean {
		const count = this.#counts.get(key) ?? 0;
		if (count > 0) this.#counts.set(key, count - 1);
		return count > 0;
	}
}

function lineKey(diagnostic: Diagnostic, line: number): string {
	return JSON.stringify([line, diagnostic.column, ...identityOf(diagnostic)]);
}

function hunkKey(diagnostic: Diagnostic, hunk: number): string {
	return JSON.stringify([hunk, ...identityOf(diagnostic)]);
}

function identityOf({ severity, code, source, message }: Diagnostic): unknown[] {
	return [severity, code, source, message];
}
