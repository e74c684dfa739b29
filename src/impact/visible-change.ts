import { hashOf } from "../util/hash.ts";
import { compare } from "./compare.ts";
import { outlineOf } from "./declarations.ts";
import { follow, reachable } from "./follow.ts";
import { languageOf } from "./languages.ts";
import { inferredText, nowhere, type Outline, visibleText } from "./outline.ts";
import { tokensOf } from "./scan.ts";
import { asWhole, inNamespace, moduleAtOnce } from "./script-mentions.ts";
import { folded, foreignChange, unreadChange } from "./unread.ts";

/** Some names; undefined means any name. */
export type Names = ReadonlySet<string> | undefined;

/** A declaration whose own text does not say its whole type: whether it changed only the server can tell, by its signature. */
export interface Uncertain {
	/** Dotted path: `Shop.total`. */
	readonly path: string;
	/** Where its name stands in the text before and after the edit: UTF-16 offsets. */
	readonly before: number;
	readonly after: number;
}

export interface VisibleChange {
	/** True if no other file can see anything of the change. */
	readonly nothing: boolean;
	/** Names that have come and that nothing of this file was called before. */
	readonly added: ReadonlySet<string>;
	/**
	 * Names that look different, are gone, or whose type may follow from one that does: those that the file's importers
	 * may meet.
	 */
	readonly changed: Names;
	/**
	 * Those of `changed` that are gone: who names them fails there, and what is inferred from them is told of nowhere else.
	 */
	readonly gone: ReadonlySet<string>;
	/** True if files see it that do not import this one (a script without import/export, `declare global`, ...). */
	readonly everywhere: boolean;
	/** Those of `changed` that changed for sure only if their signature did, and private ones that these follow from. */
	readonly uncertain: readonly Uncertain[];
	/** Those of `changed` whose declaration differs for sure, and is there before and after. */
	readonly altered: readonly Uncertain[];
}

const none: VisibleChange = {
	nothing: true,
	added: new Set(),
	changed: new Set(),
	gone: new Set(),
	everywhere: false,
	uncertain: [],
	altered: [],
};

/**
 * Tells from two texts of a file what other files can see of the change; undefined is the text of a file that does not
 * exist. `same` are the paths of uncertain declarations whose signature is proven to be the same.
 */
export function visibleChange(
	path: string,
	before: string | undefined,
	after: string | undefined,
	same?: ReadonlySet<string>,
): VisibleChange {
	if (before === after) return none;
	if (!languageOf(path)) return foreignChange(path, before, after) ?? none;
	const [old, now] = [before, after].map((text) => (text === undefined ? nowhere : outlineOf(path, text)));
	if (!old || !now) return unreadChange(path, before, after) ?? none;
	return compare(old, now, same);
}

/**
 * The names by which the importers of a file may see that some names that it uses have changed: what it passes on under
 * its own or another name, and its own declarations whose visible text mentions one. No name at all: they see nothing.
 */
export function passedOn(path: string, text: string, names: Names): Names {
	if (names?.size === 0) return names;
	const outline = outlineOf(path, text);
	if (!outline) return undefined;
	const reached = follow([outline], rootsOf(outline, path, names));
	const passed = new Set<string>(names && outline.passesAll ? names : []);
	for (const [outside, own] of outline.seen) {
		if (![...own].some((name) => reached.has(name))) continue;
		if (outside.startsWith("*") && names) for (const name of names) passed.add(name);
		else if (outside === "default" || outside.startsWith("*")) return undefined;
		else passed.add(outside);
	}
	return passed;
}

/** The words of a file that stand for names of other files. */
function rootsOf(outline: Outline, path: string, names: Names): ReadonlySet<string> {
	const { declarations } = outline;
	const roots = new Set<string>();
	const bound = new Set(declarations.flatMap(({ names }) => names));
	for (const { names: own, takes } of declarations) {
		const isWhole = takes === "any" && names !== undefined && !own[0]?.startsWith("export ");
		const isTaken = takes === "any" || [...(takes ?? [])].some((name) => names?.has(name) !== false);
		if (isTaken && takes !== undefined) for (const name of own) roots.add(isWhole ? asWhole(name) : name);
	}
	roots.add(moduleAtOnce);
	const isScript = languageOf(path)?.family === "script";
	if (names) {
		for (const name of names) {
			roots.add(inNamespace(name));
			if (!isScript || !bound.has(name)) roots.add(name);
		}
		return roots;
	}
	for (const { mentions } of declarations)
		for (const word of mentions()) if (!bound.has(word) && !primitives.has(word)) roots.add(word);
	return roots;
}

const primitives = new Set(
	"int string bool byte rune error float64 self cls None True False str float bytes char void i32 u8 usize".split(" "),
);

/** The same for two texts that differ in comments and white space alone. */
export function tokensHash(path: string, text: string): string {
	const language = languageOf(path);
	const tokens = language && tokensOf(text, language);
	if (!tokens) return hashOf(folded(text));
	return hashOf(
		`${tokens.textOf([[0, tokens.length]])}\n${tokens.doc(tokens.length) ?? ""}\n${tokens.scan.pragmas.join("\n")}`,
	);
}

/** The same for two texts of which other files see the same. */
export function visibleHash(path: string, text: string): string {
	const outline = outlineOf(path, text);
	if (!outline) return hashOf(folded(text));
	const { declarations, seen, rest, isGlobal } = outline;
	const reached = reachable(outline);
	const said = new Map<string, string>();
	for (const declaration of declarations) {
		if (!declaration.names.some((name) => reached.has(name))) continue;
		const { path } = declaration;
		said.set(path, `${said.get(path) ?? ""}\n${visibleText(declaration)}\0${inferredText(declaration)}`);
	}
	const passed = [...seen].map(([outside, own]) => `${outside}\0${[...own].sort().join()}`);
	return hashOf(
		[...[...said].map((each) => each.join("\0")).sort(), ...passed.sort(), rest, String(isGlobal)].join("\n\0"),
	);
}
