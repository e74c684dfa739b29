import type { Location } from "vscode-languageserver-protocol";
import { type SyntaxUse, usesIn } from "../impact/outline/concurrent-starts.ts";
import { type Spot, spotsAlong } from "../util/positions.ts";
import { type DocumentSymbolEntry, plainName } from "./document-symbols.ts";
import type { FileQuery } from "./file-query.ts";
import type { Pointer } from "./find-position.ts";
import { contains, everySymbol, nameStart } from "./find-symbol.ts";
import type { SourceLocation } from "./locations.ts";

/** It starts on another goroutine, thread, task or worker. */
export interface ConcurrentCaller extends SourceLocation {
	readonly how: string;
	/** The started function that leads to the symbol, if it is another. */
	readonly through?: string;
	readonly caller?: ConcurrentCallerDeclaration;
}

/** 1-based; `line` and `column` are the name's. */
interface ConcurrentCallerDeclaration extends Spot {
	readonly name: string;
	readonly kind: string;
	readonly start: Spot;
	readonly end: Spot;
}

export interface ConcurrentCallers {
	readonly found: readonly ConcurrentCaller[];
	readonly unread: readonly string[];
	readonly unfollowed: number;
}

export interface ConcurrentQuestion {
	/** 1: only uses of the symbol. */
	readonly depth: number;
	/** False for a field or a variable. */
	readonly isFunction: boolean;
}

interface Followed {
	readonly path: string;
	readonly pointer: Pointer;
	readonly through?: string;
}

interface FileUses {
	readonly callers: readonly ConcurrentCaller[];
	readonly next: readonly Followed[];
	readonly isUnread: boolean;
}

const maxFollowed = 100;
const askedAtOnce = 8;

/** With `depth` above 1 also of functions around the uses. Rejects with LSP_UNSUPPORTED_REQUEST. */
export async function concurrentCallers(
	asked: FileQuery,
	pointer: Pointer,
	{ depth, isFunction }: ConcurrentQuestion,
): Promise<ConcurrentCallers> {
	const found = new Map<string, ConcurrentCaller>();
	const unread = new Set<string>();
	const seen = new Set<string>();
	let frontier: readonly Followed[] = [{ path: asked.displayPath(asked.document.path), pointer }];
	let [left, unfollowed] = [maxFollowed, 0];
	for (let level = 1; level <= depth && frontier.length > 0; level++) {
		const wave = frontier.slice(0, left);
		unfollowed += frontier.length - wave.length;
		left -= wave.length;
		const next = new Map<string, Followed>();
		for (let at = 0; at < wave.length; at += askedAtOnce) {
			const some = wave.slice(at, at + askedAtOnce);
			const uses = await Promise.all(some.map((each) => usesOf(asked, each, isFunction || level > 1)));
			for (const { path, uses: own } of uses.flat()) {
				if (own.isUnread) unread.add(path);
				for (const caller of own.callers) {
					const key = `${caller.path}:${caller.line}:${caller.column}`;
					if (!found.has(key)) found.set(key, caller);
				}
				for (const each of own.next) {
					const key = `${each.path}:${each.pointer.line}:${each.pointer.column}`;
					if (!seen.has(key)) next.set(key, each);
					seen.add(key);
				}
			}
		}
		frontier = [...next.values()];
	}
	const callers = [...found.values()];
	callers.sort((a, b) => Number(a.test ?? false) - Number(b.test ?? false));
	return { found: callers, unread: [...unread].sort(), unfollowed };
}

async function usesOf(asked: FileQuery, { path, pointer, through }: Followed, isFunction: boolean) {
	const request = (query: FileQuery) =>
		query.request<Location[] | null>("textDocument/references", pointer, { context: { includeDeclaration: false } });
	const found = (await asked.inAnyFile(path, request)) ?? [];
	const { places } = await asked.locations(found.filter(({ uri }) => asked.isOwn(uri)));
	const byPath = new Map<string, SourceLocation[]>();
	for (const place of places) byPath.set(place.path, [...(byPath.get(place.path) ?? []), place]);
	return Promise.all(
		[...byPath].map(async ([file, own]) => ({
			path: file,
			uses: await asked.inFile(file, (query) => usesInFile(query, own, isFunction, through)),
		})),
	);
}

async function usesInFile(
	query: FileQuery,
	places: readonly SourceLocation[],
	isFunction: boolean,
	through: string | undefined,
): Promise<FileUses> {
	const { path, text } = query.document;
	const uses = await usesIn(path, text, places, isFunction);
	if (!uses) return { callers: [], next: [], isUnread: true };
	const declared = uses.some(({ how }) => how !== undefined) ? await query.allSymbols() : [];
	const callers = places.flatMap((place, index): ConcurrentCaller[] => {
		const how = uses[index]?.how;
		if (how === undefined) return [];
		const caller = callerAround(declared, place, query.lines);
		return [{ ...place, how, ...(through === undefined ? {} : { through }), ...(caller ? { caller } : {}) }];
	});
	const next = uses.flatMap((use) => followedBy(use, query));
	return { callers, next, isUnread: false };
}

function followedBy({ within }: SyntaxUse, query: FileQuery): Followed[] {
	if (!within) return [];
	const pointer = spotsAlong(query.document.text)(within.at);
	return [{ path: query.displayPath(query.document.path), pointer, through: within.name }];
}

function callerAround(declared: readonly DocumentSymbolEntry[], spot: Spot, lines: readonly string[]) {
	const around = everySymbol(declared).findLast((each) => isCaller(each) && contains(each, spot));
	if (!around) return undefined;
	const { path, kind, start, end } = around;
	return { name: path, kind, ...nameStart(around, lines), start, end };
}

/** TypeScript names a callback after its call: `map() callback`. */
function isCaller({ kind, name }: DocumentSymbolEntry): boolean {
	return /^(?:function|method|constructor)$/.test(kind) && !/\s/.test(plainName(name));
}
