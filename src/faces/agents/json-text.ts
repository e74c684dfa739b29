import { applyEdits, type Edit, findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { lineStart } from "../../util/positions.ts";
import type { Path } from "./format.ts";

/** Edits leave every other byte as it is. */

/** The container of a value is neither object nor list. */
export class WrongContainer extends Error {
	override readonly name = "WrongContainer";
	readonly path: Path;

	constructor(path: Path) {
		super(path.join("."));
		this.path = path;
	}
}

/** Adds missing containers. Throws a WrongContainer. */
export function withProperty(text: string, path: readonly string[], value: unknown): string {
	return added(text, path.slice(0, -1), { key: path.at(-1) ?? "", value });
}

/** Like `withProperty`. */
export function withItem(text: string, path: readonly string[], value: unknown): string {
	return added(text, path, { value });
}

export function without(text: string, path: Path): string {
	const found = nodeAt(text, path);
	const child = found?.parent?.type === "property" ? found.parent : found;
	if (!child?.parent) return text;
	const { children = [] } = child.parent;
	const end = child.offset + child.length;
	const comma = commaBehind(text, end);
	const edits = [removal(wholeLines(text, { from: child.offset, to: comma === undefined ? end : comma + 1 }))];
	const previous = children[children.indexOf(child) - 1];
	const before = comma === undefined && previous && commaBehind(text, previous.offset + previous.length);
	if (before) edits.push(removal({ from: before, to: before + 1 }));
	return withoutBlankInside(applyEdits(text, edits), path.slice(0, -1));
}

/** Comments count as content. */
export function isBlank(text: string, path: Path): boolean {
	const node = nodeAt(text, path);
	if (node?.type !== "object" && node?.type !== "array") return false;
	const around = path.length === 0 ? text.slice(0, node.offset) + text.slice(node.offset + node.length) : "";
	return (around + text.slice(node.offset + 1, node.offset + node.length - 1)).trim() === "";
}

interface Added {
	readonly key?: string;
	readonly value: unknown;
}

function added(text: string, container: readonly string[], { key, value }: Added): string {
	const style = styleOf(text);
	const whole = (path: readonly string[]): Added =>
		path.reduceRight<Added>(
			(inner, name) => ({ key: name, value: inner.key === undefined ? [inner.value] : { [inner.key]: inner.value } }),
			{ ...(key === undefined ? {} : { key }), value },
		);
	if (text.trim() === "") {
		const { key: first = "", value: rest } = whole(container);
		return `${pretty({ [first]: rest }, "", style)}${style.eol}`;
	}
	const tree = parseTree(text, [], { allowTrailingComma: true });
	for (let depth = container.length; tree && depth >= 0; depth--) {
		const node = findNodeAtLocation(tree, container.slice(0, depth));
		if (!node) continue;
		const what = whole(container.slice(depth));
		if (node.type !== (what.key === undefined ? "array" : "object"))
			throw new WrongContainer(container.slice(0, depth));
		return applyEdits(text, insertion(text, node, what, style));
	}
	throw new WrongContainer([]);
}

interface Style {
	readonly indent: string;
	readonly eol: string;
}

function styleOf(text: string): Style {
	return { indent: /^([ \t]+)["{}[\]]/m.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function insertion(text: string, container: Node, what: Added, style: Style): Edit[] {
	const open = container.offset;
	const close = open + container.length - 1;
	const inner = text.slice(open + 1, close);
	const last = container.children?.at(-1);
	if (last && !inner.includes("\n")) {
		const comma = commaBehind(text, last.offset + last.length);
		const written = named(what, JSON.stringify(what.value));
		if (comma !== undefined) return [{ offset: comma + 1, length: 0, content: ` ${written},` }];
		return [{ offset: last.offset + last.length, length: 0, content: `, ${written}` }];
	}
	const base = indentAt(text, inner.includes("\n") ? close : open);
	const isFirstOnLine = last && text.slice(lineStart(text, last.offset), last.offset).trim() === "";
	const indent = isFirstOnLine ? indentAt(text, last.offset) : base + style.indent;
	const line = style.eol + indent + named(what, pretty(what.value, indent, style));
	if (!last) {
		const kept = inner.trimEnd().length;
		if (kept > 0 && inner.includes("\n", kept)) return [{ offset: open + 1 + kept, length: 0, content: line }];
		return [{ offset: open + 1 + kept, length: inner.length - kept, content: line + style.eol + base }];
	}
	const end = last.offset + last.length;
	const comma = commaBehind(text, end);
	const place = behindComments(text, comma === undefined ? end : comma + 1);
	if (comma !== undefined) return [{ offset: place, length: 0, content: `${line},` }];
	if (place === end) return [{ offset: end, length: 0, content: `,${line}` }];
	return [
		{ offset: end, length: 0, content: "," },
		{ offset: place, length: 0, content: line },
	];
}

function named({ key }: Added, written: string): string {
	return key === undefined ? written : `${JSON.stringify(key)}: ${written}`;
}

function pretty(value: unknown, indent: string, style: Style): string {
	return JSON.stringify(value, null, style.indent).replaceAll("\n", style.eol + indent);
}

function nodeAt(text: string, path: Path): Node | undefined {
	const tree = parseTree(text, [], { allowTrailingComma: true });
	return tree && findNodeAtLocation(tree, [...path]);
}

const blanksAndComments = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const commentsOfLine = /(?:[ \t]|\/\*(?:[^*\n]|\*(?!\/))*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/y;

function commaBehind(text: string, end: number): number | undefined {
	blanksAndComments.lastIndex = end;
	const at = end + (blanksAndComments.exec(text)?.[0].length ?? 0);
	return text[at] === "," ? at : undefined;
}

function behindComments(text: string, at: number): number {
	commentsOfLine.lastIndex = at;
	return at + (commentsOfLine.exec(text)?.[0].length ?? 0);
}

function indentAt(text: string, at: number): string {
	return /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? "";
}

interface Span {
	readonly from: number;
	readonly to: number;
}

function wholeLines(text: string, { from, to }: Span): Span {
	const start = lineStart(text, from);
	const behind = /^[ \t]*(?:\r?\n)/.exec(text.slice(to))?.[0];
	const before = text.slice(start, from);
	if (before.trim() === "" && behind !== undefined) return { from: start, to: to + behind.length };
	let blank = from;
	while (/[ \t]/.test(text.charAt(blank - 1))) blank--;
	return { from: blank, to };
}

function removal({ from, to }: Span): Edit {
	return { offset: from, length: to - from, content: "" };
}

function withoutBlankInside(text: string, path: Path): string {
	const node = nodeAt(text, path);
	if (!node || (node.children?.length ?? 0) > 0 || (node.type !== "object" && node.type !== "array")) return text;
	const inner = text.slice(node.offset + 1, node.offset + node.length - 1);
	return inner.trim() === ""
		? applyEdits(text, [removal({ from: node.offset + 1, to: node.offset + 1 + inner.length })])
		: text;
}
