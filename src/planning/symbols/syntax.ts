import type { Node } from "../../impact/outline/node.ts";
import { type ParsedFile, parseFile } from "../../impact/outline/parse-file.ts";
import type { Code } from "./place-code.ts";

/** Undefined if nothing is new, or without a grammar. */
export async function brokenSyntax(
	path: string,
	before: string,
	after: string,
): Promise<{ readonly line: number } | undefined> {
	const next = await parseFile(path, after);
	const errors = next && errorsIn(next);
	if (!errors || errors.length === 0) return undefined;
	const old = await parseFile(path, before);
	const known = old ? errorsIn(old) : [];
	if (errors.length <= known.length) return undefined;
	const texts = new Set(known.map((each) => each.text));
	const first = errors.find((each) => !texts.has(each.text)) ?? errors[0] ?? next.root;
	return { line: after.slice(0, first.start).split("\n").length };
}

/** Undefined without a grammar. */
export async function hasBrokenSyntax(path: string, text: string): Promise<boolean | undefined> {
	const parsed = await parseFile(path, text);
	return parsed && errorsIn(parsed).length > 0;
}

function errorsIn({ root, hasError, family }: ParsedFile): Node[] {
	const nodes = root.all();
	const errors = hasError ? nodes.filter((node) => node.type === "ERROR" || isMissing(node)) : [];
	const found = family === "python" ? [...errors, ...nodes.filter((node) => isMisindented(node))] : errors;
	return hasError && found.length === 0 ? [root] : found;
}

function isMissing({ start, end, children, parent }: Node): boolean {
	return start === end && children.length === 0 && parent !== undefined;
}

/** Python's grammar takes any indentation; Python wants one per block. */
function isMisindented({ type, parent, start, source, named }: Node): boolean {
	if (type === "block") return named.length === 0;
	if (!parent || !/^(?:block|module)$/.test(parent.type) || type.endsWith("comment")) return false;
	const column = columnOf(source, start);
	if (column === undefined) return false;
	if (parent.type === "module") return column > 0;
	const first = parent.named[0];
	const expected = first && columnOf(source, first.start);
	const around = parent.parent && (columnOf(source, parent.parent.start) ?? -1);
	return (expected !== undefined && column !== expected) || column <= (around ?? -1);
}

const maxColumn = 250;

function columnOf(source: string, start: number): number | undefined {
	const near = source.slice(Math.max(start - maxColumn, 0), start);
	const indentation = near.slice(near.lastIndexOf("\n") + 1);
	if (indentation.length === maxColumn) return undefined;
	return indentation.trim() === "" ? indentation.length : undefined;
}

const strings = /string|template|heredoc|raw_text/;

export async function readCode(path: string, given: string): Promise<Code> {
	const text = given
		.replace(/\r\n?/g, "\n")
		.replace(/^(?:[ \t]*\n)+/, "")
		.trimEnd();
	const kept = new Set<number>();
	const parsed = await parseFile(path, text);
	for (const node of parsed?.root.all() ?? []) {
		if (!strings.test(node.type) || !node.text.includes("\n")) continue;
		if (parsed?.family === "python" && node.parent?.type === "expression_statement") continue;
		if (node.parent?.parent?.type === "expression_statement" && parsed?.family === "python") continue;
		const first = text.slice(0, node.start).split("\n").length;
		const last = first + node.text.split("\n").length - 1;
		for (let line = first; line < last; line++) kept.add(line);
	}
	return { text, kept, begins: beginningOf(text) };
}

function beginningOf(text: string): Code["begins"] {
	const start = text.trimStart();
	if (/^(?:\/\/|\/\*|#(?![[!])|--\s)/.test(start) && !/^#(?:define|include|if)/.test(start)) return "comment";
	return /^(?:@(?!interface\b)|#!?\[)/.test(start) ? "decorator" : "code";
}
