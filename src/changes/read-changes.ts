import { asLspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import { readSignatures } from "../diagnostics/signatures.ts";
import { meaningOf } from "../impact/index/meaning.ts";
import type { FileQuery } from "../query/file-query.ts";
import { displayPath } from "../routing/locate.ts";
import { linesOf } from "../util/positions.ts";
import { readText } from "../util/read-file.ts";
import { atServer, type FileAtServer } from "./at-server.ts";
import { declaredSymbols, linesOutside } from "./declared-symbols.ts";
import { FileOutlines } from "./file-outlines.ts";
import type { FileChange } from "./git-changes.ts";
import type { OldReach } from "./reach.ts";
import { type SymbolChange, symbolChanges, type TextState } from "./symbol-changes.ts";
import { implementersOf, usersOf } from "./users.ts";

const maxAsked = 40;
const signaturesAtOnce = 8;

export interface ChangedFile {
	/** Displayed path. */
	readonly path: string;
	readonly state: "changed" | "added" | "removed";
	readonly symbols: readonly SymbolChange[];
	/** Present with `ReadOptions.reach`. */
	readonly before: ReadonlyMap<SymbolChange, OldReach>;
	readonly isOutside?: boolean;
	readonly unread?: string;
	readonly incomplete?: string;
}

export interface ReadOptions {
	/** Asks the old text who uses what is gone, and what implements what differs. */
	readonly reach?: boolean | undefined;
	/** Texts that are not written yet, those of other changed files among them. */
	readonly unwritten?: ReadonlyMap<string, string> | undefined;
}

export async function readChange(
	call: OperationCall,
	change: FileChange,
	options: ReadOptions = {},
): Promise<ChangedFile> {
	const state = change.before === undefined ? "added" : change.after === undefined ? "removed" : "changed";
	const { cwd } = await call.context();
	let path = displayPath(change.path, cwd);
	try {
		const { located } = await call.service.locate(change.path, call.params, { mayBeMissing: true });
		path = located.display;
		const context = { service: call.service, cwd, env: call.env, signal: call.signal };
		const found = await atServer(context, located, (file) => compareAtServer(file, change, options));
		return { path, state, ...found };
	} catch (thrown) {
		call.signal.throwIfAborted();
		const { message } = asLspError(thrown);
		return { path, state, symbols: [], before: new Map(), unread: message };
	}
}

type Compared = Pick<ChangedFile, "symbols" | "before" | "isOutside" | "incomplete">;

async function compareAtServer(
	file: FileAtServer,
	{ path, before, after }: FileChange,
	{ reach = false, unwritten = new Map() }: ReadOptions,
): Promise<Compared> {
	const inText = <T>(text: string, work: (asked: FileQuery) => Promise<T>) =>
		withText(file, path, new Map([...unwritten, [path, text]]), work);
	const now = after === undefined ? undefined : await inText(after, (asked) => stateOf(asked, after));
	const incomplete = file.incomplete === undefined ? {} : { incomplete: file.incomplete };
	if (before === undefined) {
		const symbols = await symbolChanges({ path, before: undefined, after: now });
		return { symbols, before: new Map(), ...incomplete };
	}
	const compared = await inText(before, async (asked) => {
		const was = await stateOf(asked, before);
		const symbols = await symbolChanges({ path, before: was, after: now });
		const unsure = symbols.filter(({ isUnsure }) => isUnsure === true);
		const signatures = await signaturesOf(asked, unsure, (symbol) => symbol.was ?? symbol.declared);
		const isOutside = now !== undefined && meaningOf(path, outsideOf(was)) !== meaningOf(path, outsideOf(now));
		return { symbols, unsure, signatures, isOutside, reached: reach ? await oldReach(asked, symbols) : [] };
	});
	const note = { ...(compared.isOutside ? { isOutside: true } : {}), ...incomplete };
	const { unsure, reached } = compared;
	if (unsure.length === 0 || after === undefined)
		return { symbols: compared.symbols, before: new Map(reached), ...note };
	const later = await inText(after, (asked) => signaturesOf(asked, unsure, ({ declared }) => declared));
	const settled = new Map(
		compared.symbols.map((each): [SymbolChange, SymbolChange] => {
			const [was, is] = [compared.signatures.get(each.symbol), later.get(each.symbol)];
			return [each, each.isUnsure && was !== undefined && was === is ? { ...each, change: "body" } : each];
		}),
	);
	const old = new Map(reached.map(([symbol, found]) => [settled.get(symbol) ?? symbol, found]));
	return { symbols: [...settled.values()], before: old, ...note };
}

async function withText<T>(
	file: FileAtServer,
	path: string,
	texts: ReadonlyMap<string, string>,
	work: (asked: FileQuery) => Promise<T>,
): Promise<T> {
	const onDisk = await readText(path, { maxBytes: Number.MAX_SAFE_INTEGER, within: "anywhere" });
	return texts.size === 1 && onDisk === texts.get(path) ? file.onDisk(work) : file.withTexts(texts, work);
}

function outsideOf({ text, symbols }: TextState): string {
	return linesOutside(linesOf(text), symbols.values()).join("\n");
}

async function stateOf(asked: FileQuery, text: string): Promise<TextState> {
	return { text, symbols: declaredSymbols(await asked.symbols(), asked.lines) };
}

async function signaturesOf(
	asked: FileQuery,
	changes: readonly SymbolChange[],
	of: (change: SymbolChange) => SymbolChange["declared"],
): Promise<Map<string, string>> {
	const names = changes.map((change) => ({ path: change.symbol, at: offsetOf(asked.document.text, of(change).at) }));
	const found = new Map<string, string>();
	for (let at = 0; at < names.length; at += signaturesAtOnce) {
		const some = names.slice(at, at + signaturesAtOnce);
		for (const entry of await readSignatures(asked.server, asked.document, some, asked.signal)) found.set(...entry);
	}
	return found;
}

function offsetOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
	let at = 0;
	const ends = /\r\n|\n|\r/g;
	for (let passed = 1; passed < line && ends.exec(text); passed++) at = ends.lastIndex;
	return at + column - 1;
}

async function oldReach(asked: FileQuery, changes: readonly SymbolChange[]): Promise<[SymbolChange, OldReach][]> {
	if (!asked.server.offers("textDocument/references")) return [];
	const wanted = changes.filter(({ change }) => change === "removed" || change === "signature").slice(0, maxAsked);
	// Outlines of other calls are of the text on disk.
	const outlines = new FileOutlines();
	const own = asked.displayPath(asked.document.path);
	return Promise.all(
		wanted.map(async (change): Promise<[SymbolChange, OldReach]> => {
			const symbol = change.was ?? change.declared;
			const users = change.change === "removed" ? await usersOf(asked, symbol, outlines) : [];
			const implementers = (await implementersOf(asked, symbol, outlines)) ?? [];
			const elsewhere = ({ path }: { readonly path: string }) => path !== own;
			return [change, { users: users.filter(elsewhere), implementers: implementers.filter(elsewhere) }];
		}),
	);
}
