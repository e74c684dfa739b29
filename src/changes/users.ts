import type { Location } from "vscode-languageserver-protocol";
import type { FileQuery } from "../query/file-query.ts";
import { indexOfWord } from "../query/find-symbol.ts";
import type { SourceLocation } from "../query/locations.ts";
import { type LocationResult, locationsIn, type Spot } from "../util/positions.ts";
import type { DeclaredSymbol } from "./declared-symbols.ts";
import { type FileOutlines, type Surroundings, surroundingsIn } from "./file-outlines.ts";

const references = "textDocument/references";
const implementation = "textDocument/implementation";

const filesAtOnce = 8;

export interface User extends Surroundings {
	/** Displayed path. */
	readonly path: string;
	readonly line: number;
	readonly text?: string;
	readonly uses: number;
}

/** Outside of the symbol, code first. Rejects with LSP_UNSUPPORTED_REQUEST. */
export async function usersOf(asked: FileQuery, symbol: DeclaredSymbol, outlines: FileOutlines): Promise<User[]> {
	const type = await constructed(asked, symbol, outlines);
	const [own, ofType] = await Promise.all([
		referencesAt(asked, symbol.at),
		type ? referencesAt(asked, type.at).then((found) => withoutName(asked, found, type)) : [],
	]);
	return usersAt(asked, outside(asked, [...own, ...ofType], symbol), outlines);
}

/** The same of a symbol of another file, by displayed path, or of this one; asked for once in a call. */
export function usersOfReached(
	asked: FileQuery,
	path: string,
	symbol: DeclaredSymbol,
	outlines: FileOutlines,
): Promise<User[]> {
	return outlines.users(path, symbol.at, () => asked.inAnyFile(path, (query) => usersOf(query, symbol, outlines)));
}

/** Includes declarations: TypeScript 7 counts names in imports among them. */
export async function referencesAt(asked: FileQuery, spot: Spot): Promise<Location[]> {
	const context = { includeDeclaration: true };
	return (await asked.request<Location[] | null>(references, { ...spot }, { context })) ?? [];
}

/** A constructor's class, which callers name; pyright finds no others. */
async function constructed(
	asked: FileQuery,
	{ path, kind, parent }: DeclaredSymbol,
	outlines: FileOutlines,
): Promise<DeclaredSymbol | undefined> {
	if (parent === undefined || !(kind === "constructor" || /\.__(?:init|new)__$/.test(path))) return undefined;
	const outline = await outlines.of(asked, asked.displayPath(asked.document.path));
	return outline?.declared.get(parent);
}

function withoutName(asked: FileQuery, found: readonly Location[], { at }: DeclaredSymbol): Location[] {
	return found.filter(({ uri, range: { start } }) => uri !== asked.document.uri || start.line + 1 !== at.line);
}

function outside(asked: FileQuery, found: readonly Location[], { spans }: DeclaredSymbol): Location[] {
	const isOwn = ({ uri, range: { start } }: Location) =>
		uri === asked.document.uri && spans.some(([first, last]) => first <= start.line + 1 && start.line + 1 <= last);
	return found.filter((each) => asked.isOwn(each.uri) && !isOwn(each));
}

export async function implementersOf(
	asked: FileQuery,
	symbol: DeclaredSymbol,
	outlines: FileOutlines,
): Promise<User[] | undefined> {
	const outline = await outlines.of(asked, asked.displayPath(asked.document.path));
	const above = symbol.parent === undefined ? undefined : outline?.declared.get(symbol.parent);
	if (![symbol, above].some((each) => /^(?:interface|class)$/.test(each?.kind ?? ""))) return [];
	if (!asked.server.offers(implementation)) return undefined;
	const found = await asked.request<LocationResult>(implementation, { ...symbol.at }, {});
	return usersAt(asked, outside(asked, locationsIn(found), symbol), outlines);
}

export async function ownerOf(asked: FileQuery, { path, parent, at }: DeclaredSymbol, outlines: FileOutlines) {
	const owner = path.split(".").at(-2);
	if (owner === undefined) return undefined;
	const outline = await outlines.of(asked, asked.displayPath(asked.document.path));
	const above = parent === undefined ? undefined : outline?.declared.get(parent);
	if (above) return above.at;
	// A Go receiver's type may be declared in another file.
	const text = asked.lines[at.line - 1]?.slice(0, at.column - 1) ?? "";
	const index = indexOfWord(text, owner);
	return index === undefined ? undefined : { line: at.line, column: index + 1 };
}

async function usersAt(asked: FileQuery, found: readonly Location[], outlines: FileOutlines): Promise<User[]> {
	const { places: named } = await asked.locations(found);
	// What follows takes them one after the other.
	await inBatches([...new Set(named.map(({ path }) => path))], (path) => outlines.of(asked, path));
	const places = [...named, ...(await underOtherNames(asked, named, outlines))];
	const byPath = new Map<string, SourceLocation[]>();
	for (const place of places) byPath.set(place.path, [...(byPath.get(place.path) ?? []), place]);
	const users = (await inBatches([...byPath], ([path, own]) => usersIn(asked, path, own, outlines))).flat();
	return users.sort((a, b) => Number(a.isTest) - Number(b.isTest));
}

async function inBatches<Item, Answer>(
	items: readonly Item[],
	ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
	const answers: Answer[] = [];
	for (let at = 0; at < items.length; at += filesAtOnce)
		answers.push(...(await Promise.all(items.slice(at, at + filesAtOnce).map(ask))));
	return answers;
}

/** What stands around places of one file. */
export async function usersIn(
	asked: FileQuery,
	path: string,
	places: readonly Pick<SourceLocation, "line" | "column" | "text" | "test">[],
	outlines: FileOutlines,
): Promise<User[]> {
	const outline = await outlines.of(asked, path);
	const users = new Map<string, User>();
	for (const { line, column, text, test = false } of places) {
		const around = outline ? surroundingsIn(outline, path, { line, column }, test) : { isTest: test };
		const key = around.testCase ?? around.symbol ?? (around.isImport ? "import" : "");
		const known = users.get(key);
		const uses = (known?.uses ?? 0) + 1;
		users.set(
			key,
			known ? { ...known, uses } : { path, line, ...(text === undefined ? {} : { text }), uses, ...around },
		);
	}
	return [...users.values()];
}

const otherName = /^[\p{L}\p{N}_]{1,500}\s{1,100}as\s{1,100}(?=[\p{L}_])/u;

/** pyright does not follow `import a as b` to the uses of `b`. */
async function underOtherNames(
	asked: FileQuery,
	places: readonly SourceLocation[],
	outlines: FileOutlines,
): Promise<SourceLocation[]> {
	const keyOf = ({ path, line, column }: SourceLocation) => `${path}:${line}:${column}`;
	const known = new Set(places.map(keyOf));
	const more: SourceLocation[] = [];
	for (const { path, line, column } of places) {
		const outline = await outlines.of(asked, path);
		if (!outline?.passedOn.has(line)) continue;
		const [before] = otherName.exec(outline.lines[line - 1]?.slice(column - 1) ?? "") ?? [];
		if (before === undefined) continue;
		const found = await asked.inFile(path, async (other) => {
			const used = await referencesAt(other, { line, column: column + before.length });
			return other.locations(used.filter(({ uri }) => other.isOwn(uri)));
		});
		for (const place of found.places) {
			if (!known.has(keyOf(place))) more.push(place);
			known.add(keyOf(place));
		}
	}
	return more;
}
