import type { Node } from "../../impact/outline/node.ts";
import type { ParsedFile } from "../../impact/outline/parse-file.ts";
import { lineStart } from "../../util/positions.ts";
import { declarationAt, isListed, isShared } from "./declaration-nodes.ts";

/** UTF-16 offsets; ends are exclusive. */
export interface SymbolSpan {
	/** Behind its comments and decorators. */
	readonly start: number;
	readonly end: number;
	/** At its first comment or decorator. */
	readonly top: number;
	/** At its first decorator, else `start`. */
	readonly decorated: number;
	/** Behind its semicolon or comma. */
	readonly closed: number;
	readonly isListed: boolean;
	readonly isShared: boolean;
	readonly hasPrevious: boolean;
	readonly hasNext: boolean;
	readonly filler?: string;
}

/** `offset`: of the declared name. */
export function spanInTree(file: ParsedFile, text: string, offset: number): SymbolSpan | undefined {
	const node = declarationAt(file, offset);
	const siblings = node?.parent?.children;
	if (!node || !siblings) return undefined;
	const inner = node.children.filter(isDecorator);
	const behind = inner.at(-1) && node.children.find((each) => each.start >= inner.at(-1)!.end && !each.isComment);
	const start = behind?.start ?? node.start;
	const { top, decorated } = attachedAbove(file.root, text, { node, start, first: inner[0]?.start ?? start });
	const index = siblings.indexOf(node);
	const next = siblings[index + 1];
	const closed = next && /^[;,]$/.test(next.type) ? next.end : node.end;
	const others = siblings.filter((each) => each !== node && each.isNamed && !each.isComment && !isDecorator(each));
	const isBlock = file.family === "python" && node.parent?.type === "block";
	return {
		start,
		end: node.end,
		top,
		decorated,
		closed,
		isListed: isListed(node),
		isShared: isShared(node, file),
		hasPrevious: others.some((each) => each.start < node.start),
		hasNext: others.some((each) => each.start > node.start),
		...(isBlock && others.length === 0 ? { filler: "pass" } : {}),
	};
}

/** Adds comments and attributes above, where some servers' ranges begin. */
export function spanInLines(text: string, start: number, end: number, name = start): SymbolSpan {
	let begin = start;
	for (let next = nextLine(text, begin); next <= name && isAttachedLine(text.slice(begin, next)); )
		[begin, next] = [next + leading(text, next), nextLine(text, next)];
	const line = lineStart(text, begin);
	const first = line + leading(text.slice(0, begin), line);
	const own = /^[\w \t@]*$/.test(text.slice(first, begin)) ? first : begin;
	let [top, decorated] = [own, own];
	for (let at = line; own === first && at > 0; ) {
		const above = lineStart(text, at - 1);
		const attached = text.slice(above, at - 1);
		if (!isAttachedLine(attached)) break;
		top = above + leading(text, above);
		if (/^\s*(?:@\w|#?\[)/.test(attached)) decorated = top;
		at = above;
	}
	const closing = /^[ \t]*[;,]/.exec(text.slice(end, end + 10))?.[0].length ?? 0;
	const around = { hasPrevious: true, hasNext: true, isListed: text[end + closing - 1] === ",", isShared: false };
	return { start: own, end, top, decorated, closed: end + closing, ...around };
}

function nextLine(text: string, offset: number): number {
	const end = text.indexOf("\n", offset);
	return end < 0 ? text.length + 1 : end + 1;
}

function leading(text: string, start: number): number {
	const blanks = /[ \t]*/y;
	blanks.lastIndex = start;
	return blanks.exec(text)?.[0].length ?? 0;
}

function isAttachedLine(line: string): boolean {
	return /^\s*(?:\/\/|\/\*|\*|#(?!!)|--|;;|%|@\w|\[\w)/.test(line) && !/^\s*#(?:include|define|if|el|endif)/.test(line);
}

function isDecorator({ type }: Node): boolean {
	return type === "decorator" || type === "attribute_item";
}

interface Attaching {
	readonly node: Node;
	readonly start: number;
	readonly first: number;
}

/** In the same column without an empty line; and decorators. */
function attachedAbove(root: Node, text: string, { node, start, first }: Attaching) {
	const column = (offset: number) => offset - (text.lastIndexOf("\n", offset - 1) + 1);
	const candidates = root
		.all()
		.filter((each) => (each.isComment || isDecorator(each)) && !each.parent?.isComment && each.start < node.start);
	let [top, decorated] = [first, first];
	for (const each of candidates.reverse()) {
		// Rust's grammar includes a comment's line end.
		const end = each.start + each.text.trimEnd().length;
		if (end > top) continue;
		const between = text.slice(end, top);
		if (between.trim() !== "" || between.split("\n").length > 2) break;
		const isFirst = text.slice(text.lastIndexOf("\n", each.start - 1) + 1, each.start).trim() === "";
		const isOwn = isFirst && column(each.start) === column(top) && !each.text.startsWith("#!/");
		if (!isDecorator(each) && !isOwn && between.includes("\n")) break;
		if (!isDecorator(each) && !isFirst) break;
		top = each.start;
		if (isDecorator(each)) decorated = each.start;
	}
	return { top, decorated: Math.min(decorated, start) };
}
