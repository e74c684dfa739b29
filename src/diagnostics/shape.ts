import type { DocumentSymbol, Hover, MarkupContent, Position, Range } from "vscode-languageserver-protocol";
import { documentLines, type OpenDocument } from "../lsp/documents.ts";
import { linesOf } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { documentSymbols } from "../workspace/declared.ts";
import { differenceOf } from "./difference.ts";

/**
 * What other files can see of a file: its top-level declarations and, of classes, their members. Two texts with the
 * same shape cannot break anybody else, which is what makes an edit inside a function body cheap to check.
 */
export interface Shape {
	readonly document: OpenDocument;
	/** By dotted path. */
	readonly symbols: ReadonlyMap<string, ShapeSymbol>;
	/** Lines outside every declaration (imports, re-exports, statements), without comments and white space. */
	readonly rest: string;
	/** Signature as the server shows it, by dotted path; only of those that were asked for. */
	readonly signatures: Map<string, string>;
}

export interface ShapeSymbol {
	readonly path: string;
	readonly kind: number;
	readonly range: Range;
	readonly selection: Range;
	readonly text: string;
	/** What stands before the name on its line: `export`, `static`, `abstract`; no signature tells of it. */
	readonly lead: string;
	/** True if a signature tells its whole type (functions, variables, members), false if only its text does. */
	readonly signed: boolean;
	/** True if members stand for it, and only its head counts itself (classes, interfaces, modules). */
	readonly members: boolean;
}

/** LSP's SymbolKind. */
export const symbolKinds = {
	module: 2,
	namespace: 3,
	class: 5,
	method: 6,
	property: 7,
	field: 8,
	constructor: 9,
	interface: 11,
	function: 12,
	variable: 13,
	constant: 14,
};
const signedKinds = new Set<number>([
	symbolKinds.method,
	symbolKinds.property,
	symbolKinds.field,
	symbolKinds.function,
	symbolKinds.variable,
	symbolKinds.constant,
]);
const memberKinds = new Set<number>([
	symbolKinds.module,
	symbolKinds.namespace,
	symbolKinds.class,
	symbolKinds.interface,
]);
const maxSymbols = 400;

/** Reads a document's shape; undefined where the server tells no symbols with ranges. */
export async function shapeOf(
	server: LanguageServer,
	document: OpenDocument,
	signal?: AbortSignal,
): Promise<Shape | undefined> {
	const found = await documentSymbols(server, document, signal);
	if (!found) return undefined;
	const lines = documentLines(document);
	const symbols = new Map<string, ShapeSymbol>();
	const covered = new Set<number>();
	const add = (symbol: DocumentSymbol, parent: string, end: Position) => {
		if (symbols.size >= maxSymbols) return;
		// Overloads and merged declarations share a name; each counts by itself.
		let path = `${parent}${symbol.name}`;
		while (symbols.has(path)) path += "+";
		const members = memberKinds.has(symbol.kind) && (symbol.children?.length ?? 0) > 0;
		const text = normalize(textOf(lines, members ? headOf(symbol) : wholeOf(symbol, end)));
		const signed = signedKinds.has(symbol.kind);
		symbols.set(path, {
			path,
			kind: symbol.kind,
			range: symbol.range,
			selection: symbol.selectionRange,
			text,
			lead: normalize((lines[symbol.selectionRange.start.line] ?? "").slice(0, symbol.selectionRange.start.character)),
			signed,
			members,
		});
		if (members) addAll(symbol.children ?? [], `${path}.`, symbol.range.end);
	};
	const addAll = (siblings: readonly DocumentSymbol[], parent: string, end: Position) => {
		const sorted = [...siblings].sort((a, b) => compare(a.range.start, b.range.start));
		for (const [index, symbol] of sorted.entries()) add(symbol, parent, sorted[index + 1]?.range.start ?? end);
	};
	const ranged = found.filter((symbol) => "range" in symbol);
	if (ranged.length < found.length) return undefined;
	addAll(ranged, "", { line: lines.length, character: 0 });
	for (const symbol of ranged) {
		for (let line = symbol.range.start.line; line <= symbol.range.end.line; line++) covered.add(line);
	}
	const rest = normalize(lines.filter((_, line) => !covered.has(line)).join("\n"));
	return { document, symbols, rest, signatures: new Map() };
}

/** Asks for the signatures of `paths`, while the server still has the shape's own document. */
export async function readSignatures(
	server: LanguageServer,
	shape: Shape,
	paths: Iterable<string>,
	signal?: AbortSignal,
): Promise<void> {
	await Promise.all(
		[...paths].map(async (path) => {
			const symbol = shape.symbols.get(path);
			if (!symbol || knowsSignatures(shape, [path])) return;
			const position = symbol.selection.start;
			const hover = await server.request<Hover | null>(
				"textDocument/hover",
				{ textDocument: { uri: shape.document.uri }, position },
				signal,
			);
			shape.signatures.set(path, signatureOf(hover));
		}),
	);
}

/** True if `readSignatures` would ask for nothing. */
export function knowsSignatures({ symbols, signatures }: Shape, paths: Iterable<string>): boolean {
	return [...paths].every((path) => !symbols.get(path)?.signed || signatures.has(path));
}

/** The symbols whose text would differ after an edit to `next`: those whose signatures are worth knowing before it. */
export function touchedBy(shape: Shape, next: string): string[] {
	const { before } = differenceOf(linesOf(shape.document.text), linesOf(next));
	const [first, end] = before;
	return [...shape.symbols.values()]
		.filter(({ range }) => range.start.line < end && range.end.line >= first)
		.map(({ path }) => path);
}

/** What changed between two shapes for those who look from outside. */
export interface ShapeChange {
	/** Declarations that are still there and look different: ask who uses them in the new text. */
	readonly changed: readonly string[];
	/** Declarations that are gone: who used them can only be asked on the old text. */
	readonly removed: readonly string[];
	/** The names that look different to the file's importers, have gone or come; undefined where that may be any name. */
	readonly names: readonly string[] | undefined;
	/** True if nothing looks different. */
	readonly same: boolean;
	/** The exported declarations whose signature is known to have changed, each in one line. */
	readonly signatures: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

/**
 * Compares the shape before an edit with the one after it. A signature that is not known, or that the server cut
 * short with an ellipsis, counts as changed: asking once too often costs milliseconds, once too seldom costs an error.
 * So does everything where nothing is known of before.
 */
export async function compareShapes(
	server: LanguageServer,
	before: Shape | undefined,
	after: Shape,
	signal?: AbortSignal,
): Promise<ShapeChange> {
	if (!before)
		return { changed: [...after.symbols.keys()], removed: [], names: undefined, same: false, signatures: [] };
	const led = (path: string) => before.symbols.get(path)?.lead !== after.symbols.get(path)?.lead;
	// What is not exported any more is gone for those who look from outside, and so are the imports that led to it.
	const removed = [...before.symbols.keys()].filter((path) => !after.symbols.has(path) || led(path));
	const added = [...after.symbols.keys()].filter((path) => !before.symbols.has(path));
	if (before.rest !== after.rest) {
		const changed = [...after.symbols.keys()];
		const names = passedOn(before) === passedOn(after) ? namesOf([...changed, ...removed]) : undefined;
		return { changed, removed, names, same: false, signatures: [] };
	}
	const differing = [...after.symbols.values()].filter(({ path, text }) => {
		const old = before.symbols.get(path);
		return old !== undefined && (old.text !== text || old.lead !== after.symbols.get(path)?.lead);
	});
	const unclear = differing.filter((symbol) => symbol.signed && before.signatures.has(symbol.path));
	await readSignatures(
		server,
		after,
		unclear.map(({ path }) => path),
		signal,
	);
	const own = differing.filter(({ path }) => {
		const [old, now] = [before.signatures.get(path), after.signatures.get(path)];
		return old === undefined || old !== now || old.includes("...") || old === "" || led(path);
	});
	const signatures = own.flatMap((symbol) => {
		const { path } = symbol;
		const [old, now] = [before.signatures.get(path), after.signatures.get(path)];
		const known = old && now && old !== now && isToldOf(symbol);
		return known ? [{ name: path, before: declared(old), after: declared(now) }] : [];
	});
	const differs = [...own.map(({ path }) => path), ...added, ...removed];
	// Those who implement the owner of a new member may lack it now, and whoever assigns the owner of a changed one names
	// the owner alone.
	const owners = differs
		.map((path) => path.slice(0, path.lastIndexOf(".")))
		.filter((owner) => owner && before.symbols.has(owner) && after.symbols.has(owner));
	return {
		changed: [...new Set([...own.map(({ path }) => path), ...owners])],
		removed,
		names: namesOf(differs),
		same: differs.length === 0,
		signatures,
	};
}

/** True for a declaration of whose changed signature a reader is told. */
export function isToldOf({ lead }: ShapeSymbol): boolean {
	return /\bexport\b|^(async )?def $/.test(lead);
}

/** The names of the top-level declarations that some dotted paths lead into. */
function namesOf(paths: readonly string[]): string[] {
	return [...new Set(paths.map((path) => (path.split(".")[0] ?? "").replace(/\++$/, "")))];
}

/** What a file passes on without declaring it. In a script an import is its own affair; a Python module passes all on. */
function passedOn({ document, rest }: Shape): string {
	if (!/\.[mc]?[jt]sx?$/.test(document.path)) return rest;
	return (rest.match(/\bexport\b.*?(?=\b(?:import|export)\b|$)/g) ?? []).join("\n");
}

/** A signature without the words before the name: `function area(w: number): number` is `area(w: number): number`. */
function declared(signature: string): string {
	const plain = signature.replace(/\s+/g, " ");
	return plain.replace(/^(\(\w+\) )?((export|declare|async|function|const|let|var|def|method) )*/, "");
}

function signatureOf(hover: Hover | null): string {
	const contents = hover?.contents;
	if (!contents) return "";
	const text = (part: unknown): string => (typeof part === "string" ? part : ((part as MarkupContent)?.value ?? ""));
	const whole = Array.isArray(contents) ? contents.map(text).join("\n") : text(contents);
	// The first code block is the signature; what follows is prose, and prose breaks nobody.
	return /```\w*\n([\s\S]*?)```/.exec(whole)?.[1]?.trim() ?? whole.trim();
}

function headOf({ range, children }: DocumentSymbol): Range {
	const first = children?.reduce((a, b) => (b.range.start.line < a.range.start.line ? b : a));
	return { start: range.start, end: first?.range.start ?? range.end };
}

/** The range of a declaration. pyright's of a variable is its name alone: what it is stands behind it, up to `end`. */
function wholeOf({ range, selectionRange }: DocumentSymbol, end: Position): Range {
	const isName = range.end.line === selectionRange.end.line && range.end.character === selectionRange.end.character;
	return isName && compare(end, range.end) > 0 ? { start: range.start, end } : range;
}

function compare(a: Position, b: Position): number {
	return a.line - b.line || a.character - b.character;
}

function textOf(lines: readonly string[], { start, end }: Range): string {
	if (start.line === end.line) return (lines[start.line] ?? "").slice(start.character, end.character);
	return [
		(lines[start.line] ?? "").slice(start.character),
		...lines.slice(start.line + 1, end.line),
		(lines[end.line] ?? "").slice(0, end.character),
	].join("\n");
}

/** Without white space and line comments that stand alone: a reformatted declaration is the same declaration. */
function normalize(text: string): string {
	return text
		.replace(/^\s*(\/\/|#|\*|\/\*).*$/gm, "")
		.replace(/\s+/g, " ")
		.trim();
}
