import { linesOf } from "../lsp/positions.ts";
import { decidesType } from "./decides-type.ts";
import { type ImportGraph, mentionOf } from "./import-graph.ts";
import { isScript } from "./imports.ts";
import type { Shape, ShapeSymbol } from "./shape.ts";

/** How far a change of type is followed through files that only infer theirs, and how many are found. */
const mostHops = 3;
const mostFiles = 60;

export interface ReachOptions {
	readonly graph: ImportGraph;
	/** True if every change below the root is told to the graph. */
	readonly watched: boolean;
	/** The shape of a file as it is on disk; undefined where no server tells. */
	readonly look: (path: string) => Promise<Shape | undefined>;
	/** Called with each file at once, the nearest first. */
	readonly found: (path: string) => void;
}

/** Some names, or any. */
type Names = readonly string[] | undefined;

/** A file, and what its importers may see the change by. */
interface Wave {
	readonly path: string;
	readonly visible: Names;
}

/**
 * Finds the files that may see a change of some of a file's declarations, by texts alone: those that import it and
 * mention one of the names, or of one whose type follows from them, and those that see it through these in turn. The
 * server has to be asked nothing about the new text, so all of them can be proven together with the file itself.
 * `shape` is the file's, before or after the change; `names` undefined means all that it declares or passes on.
 */
export async function reach(shape: Shape, names: Names, { graph, watched, look, found }: ReachOptions): Promise<void> {
	if (names?.length === 0) return;
	const { path: origin } = shape.document;
	const all = [...shape.symbols.keys()].map(topOf);
	const seen = new Set([origin]);
	const through = names && passedOn(shape, namesIn(shape, names));
	// A name that is gone or has come may be in the other shape alone.
	let wave: Wave[] = [{ path: origin, visible: names && through && [...new Set([...names, ...through])] }];
	for (let hop = 1; hop <= mostHops && wave.length > 0; hop++) {
		const importers: Wave[] = [];
		for (const { path, visible } of wave) {
			if (visible?.length === 0) continue;
			for (const importer of await graph.dependents(path, { names: visible, watched })) {
				if (seen.has(importer) || seen.size > mostFiles) continue;
				seen.add(importer);
				found(importer);
				importers.push({ path: importer, visible });
			}
		}
		if (hop === mostHops || importers.length === 0) return;
		// Those that were found are being asked about; what comes now would hold the requests up.
		await new Promise((resolve) => setImmediate(resolve));
		const next = importers.map(async ({ path, visible = all }): Promise<Wave | undefined> => {
			const holder = await look(path);
			return holder && { path, visible: passedOn(holder, namesIn(holder, visible)) };
		});
		wave = (await Promise.all(next)).flatMap((each) => each ?? []);
	}
}

/** Some names with those of the declarations of a file whose type may follow from them, and with what it calls them. */
function namesIn({ document: { text }, symbols }: Shape, names: readonly string[]): Names {
	const lines = linesOf(text);
	const all = new Set(names);
	for (let size = 0; size < all.size; ) {
		size = all.size;
		for (const [, name = "", other = ""] of text.matchAll(/([\w$]+)\s+as\s+([\w$]+)/g))
			if (all.has(name)) all.add(other);
		const mention = mentionOf([...all]);
		if (!mention) return undefined;
		for (const symbol of symbols.values()) if (isDecidedBy(symbol, lines, mention)) all.add(topOf(symbol.path));
	}
	return [...all];
}

/** Those of some names that a file's own importers may see: what it declares, and what a list gives them. */
function passedOn({ document: { path }, symbols, rest }: Shape, names: Names): Names {
	if (!names) return undefined;
	const declared = new Set([...symbols.keys()].map(topOf));
	// A Python module passes all on.
	if (!isScript(path)) return names.filter((name) => declared.has(name) || mentionOf([name])?.test(rest));
	const mention = mentionOf(names);
	// What a statement makes of a name nobody follows.
	if (/\bexport\s*(?:default\b|=)|\bexports\b/.test(rest) && mention?.test(rest) !== false) return undefined;
	const lists = (rest.match(/\bexport\s*(?:type\s*)?\{[^}]*\}/g) ?? []).join();
	return names.filter((name) => declared.has(name) || mentionOf([name])?.test(lists));
}

function isDecidedBy(symbol: ShapeSymbol, lines: readonly string[], mention: RegExp): boolean {
	if (symbol.members) return mention.test(symbol.text);
	const { start, end } = symbol.range;
	for (let line = start.line; line <= end.line; line++)
		for (const { index } of (lines[line] ?? "").matchAll(new RegExp(mention, "g")))
			if (decidesType(symbol, lines, { line, character: index })) return true;
	return false;
}

function topOf(path: string): string {
	return (path.split(".")[0] ?? "").replace(/\++$/, "");
}
