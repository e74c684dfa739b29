import { LspError } from "../contract/errors.ts";
import { passedOnLines } from "../contract/import-lines.ts";
import { type Declarations, declarationsOf } from "../impact/declarations.ts";
import { type TestCase, testCasesOf } from "../impact/outline/test-cases.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { isTestFunction } from "../project/test-functions.ts";
import type { DocumentSymbolEntry } from "../query/document-symbols.ts";
import type { FileQuery } from "../query/file-query.ts";
import { LruMap } from "../util/lru-map.ts";
import type { Spot } from "../util/positions.ts";
import { StatCache } from "../util/stat-cache.ts";
import { type DeclaredSymbol, type DeclaredSymbols, declaredSymbols, symbolAround } from "./declared-symbols.ts";

export interface FileOutline {
	readonly tree: readonly DocumentSymbolEntry[];
	readonly declared: DeclaredSymbols;
	readonly cases: readonly TestCase[];
	readonly lines: readonly string[];
	/** 1-based lines of imports and re-exports. */
	readonly passedOn: ReadonlySet<number>;
}

export interface Surroundings {
	/** Dotted path of the innermost symbol outside functions. */
	readonly symbol?: string;
	readonly testCase?: string;
	readonly testLine?: number;
	readonly isTest: boolean;
	/** True for re-exports too. */
	readonly isImport?: true;
}

const maxKept = 300;

/** What calls before have read of unchanged texts. */
class KeptOutlines {
	readonly ofFiles = new StatCache<FileOutline>(maxKept);
	readonly declarations = new LruMap<{ readonly hash: string; readonly found: Promise<Declarations | undefined> }>(
		maxKept,
	);
}

/** What one call has asked a server, by path or place. */
export class FileOutlines {
	readonly #outlines = new Map<string, Promise<FileOutline | undefined>>();
	readonly #users = new Map<string, Promise<unknown>>();

	/** Undefined outside the workspace, or without symbols. */
	of(asked: FileQuery, path: string): Promise<FileOutline | undefined> {
		const isOwn = asked.displayPath(asked.document.path) === path;
		const { ofFiles } = asked.server.part(KeptOutlines);
		return once(this.#outlines, path, () =>
			(isOwn ? outlineOf(asked) : asked.keptOfFile(path, ofFiles, outlineOf)).catch((thrown: unknown) => {
				if (asked.signal.aborted || !(thrown instanceof LspError)) throw thrown;
				return undefined;
			}),
		);
	}

	/** What `ask` has found before about the same place of a file. */
	users<Found>(path: string, { line, column }: Spot, ask: () => Promise<Found>): Promise<Found> {
		return once(this.#users as Map<string, Promise<Found>>, `${path}:${line}:${column}`, ask);
	}

	/** Undefined as from `declarationsOf`. */
	declarationsIn({ server, document: { path, text, hash } }: FileQuery): Promise<Declarations | undefined> {
		const { declarations } = server.part(KeptOutlines);
		const known = declarations.get(path);
		if (known?.hash === hash) return known.found;
		const found = declarationsOf(path, text);
		declarations.set(path, { hash, found });
		return found;
	}
}

/** Of one call that asks about several files in turn. */
export class OutlinesOfCall {
	readonly #known = new Map<LanguageServer, { readonly revision: number; readonly outlines: FileOutlines }>();

	/** New ones after a file has changed. */
	of(server: LanguageServer): FileOutlines {
		const { snapshot } = server;
		const known = this.#known.get(server);
		if (known && snapshot.since(known.revision)?.length === 0) return known.outlines;
		const outlines = new FileOutlines();
		this.#known.set(server, { revision: snapshot.revision, outlines });
		return outlines;
	}
}

/** A failure is that of the caller who asked first: the next one asks for itself. */
function once<Found>(known: Map<string, Promise<Found>>, key: string, ask: () => Promise<Found>): Promise<Found> {
	const found = known.get(key)?.catch(ask) ?? ask();
	known.set(key, found);
	return found;
}

async function outlineOf(asked: FileQuery): Promise<FileOutline> {
	const tree = await asked.symbols();
	const { path, text, uri, languageId } = asked.document;
	const cases = asked.isTest(uri) ? await testCasesOf(path, text) : [];
	const { lines } = asked;
	return { tree, declared: declaredSymbols(tree, lines), cases, lines, passedOn: passedOnLines(text, languageId) };
}

export function surroundingsIn(
	{ tree, declared, cases, passedOn }: FileOutline,
	path: string,
	spot: Spot,
	isTest: boolean,
): Surroundings {
	const title = cases.findLast(({ line, endLine }) => line <= spot.line && spot.line <= endLine);
	if (title) return { testCase: title.title, testLine: title.line, isTest: true };
	const around = symbolAround(tree, spot);
	if (!around && passedOn.has(spot.line)) return { isTest, isImport: true };
	const symbol = around && declared.get(around.path);
	if (!around || !symbol) return { isTest };
	const isCase = isTestFunction(path, symbol.path, around.kind === "object" ? "" : symbol.text, isTest);
	return {
		symbol: symbol.path,
		...(isCase ? { testCase: symbol.path, testLine: symbol.at.line } : {}),
		isTest: isTest || isCase || isInTestModule(symbol, declared),
	};
}

/** Rust's tests stand in a module of the file. */
function isInTestModule({ parent }: DeclaredSymbol, declared: DeclaredSymbols): boolean {
	const above = parent === undefined ? undefined : declared.get(parent);
	return above !== undefined && (/^[ \t]*#\[cfg\(test\)\]/m.test(headOf(above)) || isInTestModule(above, declared));
}

function headOf({ text }: DeclaredSymbol): string {
	const end = text.indexOf("{");
	return end < 0 ? "" : text.slice(0, end);
}
