import { LspError } from "../contract/errors.ts";
import { passedOnLines } from "../contract/import-lines.ts";
import { type Declarations, declarationsOf } from "../impact/declarations.ts";
import { type TestCase, testCasesOf } from "../impact/outline/test-cases.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import { isTestFunction } from "../project/test-functions.ts";
import type { DocumentSymbolEntry } from "../query/document-symbols.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Spot } from "../util/positions.ts";
import { type DeclaredSymbol, type DeclaredSymbols, declaredSymbols, symbolAround } from "./declared-symbols.ts";

export interface FileOutline {
	readonly tree: readonly DocumentSymbolEntry[];
	readonly declared: DeclaredSymbols;
	/** Of scripts of tests only. */
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

export class FileOutlines {
	readonly #known = new Map<string, Promise<FileOutline | undefined>>();
	readonly #declarations = new Map<string, Promise<Declarations | undefined>>();

	/** Undefined outside the workspace, or without symbols. */
	of(asked: FileQuery, path: string): Promise<FileOutline | undefined> {
		const known = this.#known.get(path);
		if (known) return known;
		const isOwn = asked.displayPath(asked.document.path) === path;
		const found = (isOwn ? outlineOf(asked) : asked.inFile(path, outlineOf)).catch((thrown: unknown) => {
			if (asked.signal.aborted || !(thrown instanceof LspError)) throw thrown;
			return undefined;
		});
		this.#known.set(path, found);
		return found;
	}

	/** Parsed once, however many symbols of the file are asked about. Undefined as from `declarationsOf`. */
	declarationsIn({ path, text }: OpenDocument): Promise<Declarations | undefined> {
		const found = this.#declarations.get(path) ?? declarationsOf(path, text);
		this.#declarations.set(path, found);
		return found;
	}
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
	return above !== undefined && (/^\s*#\[cfg\(test\)\]/m.test(headOf(above)) || isInTestModule(above, declared));
}

function headOf({ text }: DeclaredSymbol): string {
	const end = text.indexOf("{");
	return end < 0 ? "" : text.slice(0, end);
}
