import { type DocumentSymbolEntry, plainName } from "../query/document-symbols.ts";
import { contains, nameStart } from "../query/find-symbol.ts";
import type { Spot } from "../util/positions.ts";

/** 1-based lines, both included. */
type Span = readonly [first: number, last: number];

/** With its overloads, outside functions. */
export interface DeclaredSymbol {
	/** Dotted path. */
	readonly path: string;
	readonly kind: string;
	readonly parent: string | undefined;
	readonly at: Spot;
	readonly spans: readonly Span[];
	readonly text: string;
	/** Without the lines of symbols in it. */
	readonly own: string;
}

export type DeclaredSymbols = ReadonlyMap<string, DeclaredSymbol>;

const typeName = /^\s*(?:export\s+)?(?:declare\s+)?(?:pub(?:\([^)]*\))?\s+)?type\s+\w/;
const containers = /^(?:class|interface|struct|enum|module|namespace|package|object|trait)$/;

export function declaredSymbols(tree: readonly DocumentSymbolEntry[], lines: readonly string[]): DeclaredSymbols {
	const found = new Map<string, DeclaredSymbol>();
	const add = (entries: readonly DocumentSymbolEntry[], parent: string | undefined) => {
		for (const entry of entries) {
			if (isCallback(entry)) continue;
			const span = spanOf(entry, lines);
			const text = lines.slice(span[0] - 1, span[1]).join("\n");
			const own = containers.test(entry.kind) ? withoutChildren(entry, span, lines) : text;
			const known = found.get(entry.path);
			found.set(entry.path, {
				path: entry.path,
				kind: known?.kind ?? entry.kind,
				parent,
				at: known?.at ?? nameStart(entry, lines),
				spans: [...(known?.spans ?? []), span],
				text: known ? `${known.text}\n${text}` : text,
				own: known ? `${known.own}\n${own}` : own,
			});
			if (containers.test(entry.kind)) add(entry.children, entry.path);
		}
	};
	add(tree, undefined);
	return found;
}

/** Without the names of what contains it. */
export function plainNameOf({ path }: Pick<DeclaredSymbol, "path">): string {
	return path.slice(path.lastIndexOf(".") + 1);
}

/** Servers have no kind for the name of a type: `class` in TypeScript and gopls, `type-parameter` in rust-analyzer. */
export function kindWord({ kind, text }: Pick<DeclaredSymbol, "kind" | "text">): string {
	return /^(?:class|type-parameter)$/.test(kind) && typeName.test(text) ? "type" : kind;
}

export function symbolAround(tree: readonly DocumentSymbolEntry[], spot: Spot): DocumentSymbolEntry | undefined {
	const inner = tree.find((entry) => !isCallback(entry) && contains(entry, spot));
	if (!inner || !containers.test(inner.kind)) return inner;
	return symbolAround(inner.children, spot) ?? inner;
}

/** TypeScript names a callback after its call: `map() callback`. */
function isCallback({ name }: DocumentSymbolEntry): boolean {
	return name === "" || /\s/.test(plainName(name));
}

export function linesOutside(lines: readonly string[], symbols: Iterable<Pick<DeclaredSymbol, "spans">>): string[] {
	const outside = [...lines];
	for (const { spans } of symbols) for (const [first, last] of spans) outside.fill("", first - 1, last);
	return outside;
}

function withoutChildren({ children }: DocumentSymbolEntry, [first, last]: Span, lines: readonly string[]): string {
	const inner = children.map((child) => spanOf(child, lines));
	const isOwn = (line: number) => !inner.some(([from, to]) => line >= from && line <= to);
	return lines.filter((_, index) => index + 1 >= first && index + 1 <= last && isOwn(index + 1)).join("\n");
}

function spanOf({ start, end }: DocumentSymbolEntry, lines: readonly string[]): Span {
	const last = end.column === 1 && end.line > start.line ? end.line - 1 : end.line;
	return [start.line, Math.min(Math.max(last, start.line), lines.length)];
}

/** The ranges are 0-based and exclude their ends. */
export function symbolsOn(
	symbols: DeclaredSymbols,
	ranges: readonly (readonly [start: number, end: number])[],
): ReadonlySet<string> {
	const touched = new Set<string>();
	const bySize = [...symbols.values()].flatMap(({ path, spans }) => spans.map((span) => ({ path, span })));
	bySize.sort((a, b) => a.span[1] - a.span[0] - (b.span[1] - b.span[0]));
	for (const [start, end] of ranges)
		for (let line = start + 1; line <= end; line++) {
			const inner = bySize.find(({ span: [first, last] }) => line >= first && line <= last);
			if (inner) touched.add(inner.path);
		}
	return touched;
}
