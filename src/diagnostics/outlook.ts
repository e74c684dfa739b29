import { linesOf } from "../lsp/positions.ts";
import { decidesType, isHead } from "./decides-type.ts";
import { differenceOf } from "./difference.ts";
import { isScript } from "./imports.ts";
import { isToldOf, type Shape, type ShapeSymbol } from "./shape.ts";

/** What an edit changed for those who look from outside, as far as the two texts alone tell. */
export interface Outlook {
	/** The one top-level declaration that looks different; undefined if none does. */
	readonly name: string | undefined;
	/** True if a signature may have changed that the server showed before the edit: then the two are told. */
	readonly signed: boolean;
}

const keyword =
	/\b(?:export|import|declare|const|let|var|function|class|interface|type|enum|namespace|module|default)\b/g;

/**
 * Tells what an edit changed if that lies within one declaration and surely left its extent alone; undefined where only
 * the server can tell. So the files that it may have broken can be asked about together with the file itself.
 */
export function outlookOf(shape: Shape, text: string): Outlook | undefined {
	if (!isScript(shape.document.path)) return undefined;
	const [old, now] = [linesOf(shape.document.text), linesOf(text)];
	const { before, after } = differenceOf(old, now);
	const [gone, come] = [old.slice(...before), now.slice(...after)];
	if (gone.length === 0 && come.length === 0) return { name: undefined, signed: false };
	const symbols = [...shape.symbols.values()];
	const near = gone.length === 0 ? 1 : 0;
	const touched = symbols.filter(
		({ range }) => range.start.line < before[1] + near && range.end.line >= before[0] - near,
	);
	const [top, ...inner] = touched.filter((symbol) => holds(symbol, before, gone, come));
	if (!top || touched.some((symbol) => !isPartOf(symbol, top))) return undefined;
	const brackets = unmatched(gone);
	if (brackets === undefined || brackets !== unmatched(come)) return undefined;
	const leaf = inner.at(-1) ?? top;
	const place = { line: before[0], character: commonStart(gone[0] ?? "", come[0] ?? "") };
	if (leaf.signed && !leaf.members) {
		if (!decidesType(leaf, old, place)) return { name: undefined, signed: false };
		// The type is inferred: whether it changed only the server knows.
		if (!isHead(leaf, old, place)) return undefined;
	}
	return { name: top.path.replace(/\++$/, ""), signed: shape.signatures.has(leaf.path) && isToldOf(leaf) };
}

/** True if some lines lie within a declaration, and what replaces them does as well. */
function holds(
	{ range, selection }: ShapeSymbol,
	[start, end]: readonly [number, number],
	gone: readonly string[],
	come: readonly string[],
): boolean {
	const isInside = range.start.line < start && range.end.line >= end;
	if (isInside) return true;
	const [was = "", is = ""] = [gone[0], come[0]];
	if (gone.length !== 1 || come.length !== 1 || start < range.start.line || start > range.end.line) return false;
	// Its first or its last line, or its only one: the name stays, and nothing else is declared beside it.
	const name = selection.start.line === start ? selection.end.character : 0;
	return commonStart(was, is) >= name && String(was.match(keyword)) === String(is.match(keyword));
}

function isPartOf(symbol: ShapeSymbol, top: ShapeSymbol): boolean {
	return symbol === top || symbol.path.startsWith(`${top.path}.`);
}

/** The brackets that some lines open or close for others; undefined where a comment or a text goes beyond them. */
function unmatched(lines: readonly string[]): string | undefined {
	const text = lines.map(withoutTexts).join("\n");
	if (/["'`]|\/\*|\*\//.test(text)) return undefined;
	const open: string[] = [];
	for (const sign of text.match(/[()[\]{}]/g) ?? [])
		if (closed[sign] !== undefined && open.at(-1) === closed[sign]) open.pop();
		else open.push(sign);
	return open.join("");
}

const closed: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

function withoutTexts(line: string): string {
	return line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "").replace(/\/\/.*$/, "");
}

function commonStart(a: string, b: string): number {
	const limit = Math.min(a.length, b.length);
	let at = 0;
	while (at < limit && a[at] === b[at]) at++;
	return at;
}
