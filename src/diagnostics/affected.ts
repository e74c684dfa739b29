import { dirname, relative, sep } from "node:path";
import type { Location, Position } from "vscode-languageserver-protocol";
import { linesOf, toPath, toUri } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { readText } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { Recent } from "../util/recent.ts";
import { isOurs } from "../workspace/root.ts";
import { decidesType } from "./decides-type.ts";
import { type Shape, type ShapeSymbol, shapeOf } from "./shape.ts";

/** How far a change of type is followed through files that only infer theirs, and how many are looked into. */
const mostHops = 3;
const mostFiles = 60;
const mostShapes = 200;

export interface UsersOptions {
	/** Called with each file at once, so that it can be proven while the search goes on. */
	readonly found?: (path: string) => void;
	/** Called with the references of each of the declarations that were asked for. */
	readonly used?: (name: string, references: Location[]) => void;
	/** How far a change of type is followed through files that only infer theirs. */
	readonly hops?: number;
}

/**
 * The files that use any of the declarations `paths` of a document that the server has now, nearest first.
 *
 * A declaration that uses a changed one may have changed its own type with it (`const b = a()`), in the same file or in
 * another. So the users of those are asked for too, unless they say their type themselves, until nothing is added.
 */
export async function usersOf(
	server: LanguageServer,
	shape: Shape,
	paths: readonly string[],
	workspace: string,
	signal?: AbortSignal,
	{ found, used, hops: most = mostHops }: UsersOptions = {},
): Promise<string[]> {
	if (paths.length === 0 || !server.offers("textDocument/references")) return [];
	const origin = shape.document.path;
	const shapes = new Map<string, Promise<Shape | undefined>>([[origin, Promise.resolve(shape)]]);
	const asked = new Set<string>();
	const hops = new Map<string, number>();
	let wave = [...new Set(paths)].flatMap((path) => shape.symbols.get(path) ?? []).map((symbol) => ({ symbol, shape }));
	for (let hop = 1; hop <= most && wave.length > 0; hop++) {
		for (const user of wave) asked.add(nameOf(user));
		const byUser = await Promise.all(wave.map((user) => references(server, user, signal)));
		if (hop === 1) for (const [index, { symbol }] of wave.entries()) used?.(symbol.path, byUser[index] ?? []);
		const uses = byUser.flat();
		for (const { uri } of uses) {
			const path = toPath(uri);
			if (path === undefined || path === origin || hops.has(path) || !isOurs(path, workspace)) continue;
			hops.set(path, hop);
			found?.(path);
		}
		if (hop === most) break;
		const next = new Map<string, User>();
		await Promise.all(
			uses.map(async ({ uri, range }) => {
				const path = toPath(uri);
				if (path === undefined || !isOurs(path, workspace)) return;
				if (!shapes.has(path) && shapes.size <= mostFiles) shapes.set(path, shapeOnDisk(server, path, signal));
				const holder = await shapes.get(path);
				if (!holder) return;
				const lines = linesOf(holder.document.text);
				for (const symbol of holdersOf(holder, range.start.line)) {
					const user = { symbol, shape: holder };
					const isItself = symbol.selection.start.line === range.start.line && startsAt(symbol, range.start.character);
					const decides = decidesType(symbol, lines, range.start);
					if (!isItself && decides && !asked.has(nameOf(user))) next.set(nameOf(user), user);
				}
			}),
		);
		wave = [...next.values()];
	}
	const rank = (path: string) => (hops.get(path) ?? 0) * 100 + distance(origin, path);
	return [...hops.keys()].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

interface User {
	readonly symbol: ShapeSymbol;
	readonly shape: Shape;
}

function nameOf({ symbol, shape }: User): string {
	return `${shape.document.path}#${symbol.path}`;
}

async function references(server: LanguageServer, { symbol, shape }: User, signal?: AbortSignal): Promise<Location[]> {
	const found = await server.request<Location[] | null>(
		"textDocument/references",
		{
			textDocument: { uri: shape.document.uri },
			position: positionOf(symbol, shape),
			// An import or a re-export that uses nothing else is a declaration too, for TypeScript.
			context: { includeDeclaration: true },
		},
		signal,
	);
	return found ?? [];
}

/** Where a declaration is asked about: at its name, and at the word itself for a default export that has none. */
function positionOf({ path, selection }: ShapeSymbol, shape: Shape): Position {
	if (path !== "default") return selection.start;
	const line = linesOf(shape.document.text)[selection.start.line] ?? "";
	const character = /\bdefault\b/.exec(line)?.index;
	return character === undefined ? selection.start : { line: selection.start.line, character };
}

/** The shape of a file that need not be open. Undefined where the server does not tell: then it is not looked through. */
export async function shapeOnDisk(
	server: LanguageServer,
	path: string,
	signal?: AbortSignal,
): Promise<Shape | undefined> {
	const open = server.documents.get(path);
	const text = open?.text ?? (await readText(path));
	if (text === undefined || linesOf(text).length === 0) return undefined;
	const document = open ?? { path, uri: toUri(path), languageId: "", version: 0, text, hash: hashOf(text), sentAt: 0 };
	const seen = looked.get(server) ?? new Recent<Shape>(mostShapes);
	looked.set(server, seen);
	const known = seen.get(path);
	// Its declarations and where they stand follow from its text alone.
	if (known?.document.hash === document.hash) return known;
	const shape = await shapeOf(server, document, signal).catch(() => {
		signal?.throwIfAborted();
		return undefined;
	});
	if (shape) seen.set(path, shape);
	return shape;
}

/** The shapes of files that were looked through, by server. */
const looked = new WeakMap<LanguageServer, Recent<Shape>>();

function holdersOf(shape: Shape, line: number): ShapeSymbol[] {
	return [...shape.symbols.values()].filter(
		({ range, members }) => !members && range.start.line <= line && range.end.line >= line,
	);
}

function startsAt({ selection }: ShapeSymbol, character: number): boolean {
	return selection.start.character === character;
}

/** How many directories lie between two files. */
function distance(from: string, to: string): number {
	return relative(dirname(from), to).split(sep).length;
}
