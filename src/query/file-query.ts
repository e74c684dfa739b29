import { resolve } from "node:path";
import type { Diagnostic, Position, Range } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { completionKind, symbolKind } from "../contract/symbol-kinds.ts";
import { diagnosticsOf, documentOnDisk } from "../diagnostics/sources/prove.ts";
import { documentLines, type OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { languageOf } from "../project/file-match.ts";
import { isOurs } from "../project/root.ts";
import { standingAt } from "../project/standing.ts";
import { displayPath } from "../routing/locate.ts";
import { realPathOf } from "../util/files.ts";
import { type Spot, toPosition, toSpot } from "../util/positions.ts";
import { countByFile, type FileCount } from "./count-by-file.ts";
import { type DeclaredGroup, type DocumentSymbolEntry, declaredIn, isNameOf } from "./document-symbols.ts";
import { findPosition, type Pointer } from "./find-position.ts";
import type { FoundPlaces } from "./group-locations.ts";
import { type PlaceList, type PlacesOptions, toPlaces } from "./locations.ts";
import { namedFiles } from "./uri-names.ts";

/** A file that a server can be asked about, its text in step with the disk. */
export interface FileQuery {
	readonly server: LanguageServer;
	readonly document: OpenDocument;
	/** The directory in which source is ours to show. */
	readonly workspace: string;
	readonly signal: AbortSignal;
	/** The position that a caller means, in the server's own units. Rejects as `findPosition`. */
	position(pointer: Pointer): Promise<Position>;
	/**
	 * Sends a request about the file, at the place that the caller means if `pointer` is given. Rejects with
	 * LSP_UNSUPPORTED_REQUEST where the server does not offer it. What is asked of one pointer without parameters is sent
	 * once, however many parts of an answer need it.
	 */
	request<Result>(method: string, pointer?: Pointer, params?: object): Promise<Result>;
	/** A server's locations as this caller reads them. */
	places(found: FoundPlaces, options?: PlacesOptions): Promise<PlaceList>;
	/** What the file declares, nested. Rejects with LSP_UNSUPPORTED_REQUEST where the server does not say. */
	declared(): Promise<readonly DocumentSymbolEntry[]>;
	/** The same locations only counted, by file; `but` are declarations that do not count. */
	counts(found: FoundPlaces, without?: FoundPlaces, but?: DeclaredGroup): Promise<FileCount[]>;
	/**
	 * Another file of the same server, by its path as this caller reads it, within this question's turn: a question of its
	 * own would wait for a writer that waits for this one. Rejects with LSP_OUTSIDE_WORKSPACE for what is not ours to read.
	 */
	beside<Answer>(shown: string, work: (asked: FileQuery) => Promise<Answer>): Promise<Answer>;
	/** A path as this caller reads it. */
	display(path: string): string;
	/** The same of a server's name for a file; the name itself where it is no file's. */
	shown(uri: string): string;
	/** True for a server's name of a file that is there to test others. */
	isTest(uri: string): boolean;
	/** The 1-based line of a position. */
	lineOf(position: Position): number;
	/** The 1-based place of a position of the document. */
	spotOf(position: Position): Spot;
	/** What the server knows the document's text by, from the first of these 1-based lines to the last. */
	rangeOf(line: number, endLine: number): Range;
	/** The document's lines. */
	readonly lines: readonly string[];
	/** What stands at the place that a caller means, for one who was told nothing about it. */
	standing(pointer: Pointer): Promise<string>;
	/** The word for a SymbolKind of LSP, and for a CompletionItemKind. */
	kindOf(kind: number): string;
	completionKindOf(kind: number | undefined): string;
	/** What the server has to say against the document, as it says it. */
	diagnostics(): Promise<readonly Diagnostic[]>;
}

/** What all questions to one server in one turn have in common. */
export interface FileQueryOptions {
	readonly server: LanguageServer;
	/** The directory in which source is ours to show. */
	readonly workspace: string;
	/** Where the caller is: real and absolute. */
	readonly cwd: string;
	readonly signal: AbortSignal;
}

/** The questions that go through one door: capability first, so that nothing is sent that a server does not know. */
export function fileQuery(document: OpenDocument, about: FileQueryOptions): FileQuery {
	const { server, workspace, cwd, signal } = about;
	const { encoding } = server;
	const known = new Map<Pointer, Promise<Position>>();
	// Several requests about one place look for it once.
	const position = (pointer: Pointer) => {
		const found = known.get(pointer) ?? findPosition(server, document, pointer, signal);
		known.set(pointer, found);
		return found;
	};
	const asked = new Map<Pointer, Map<string, Promise<unknown>>>();
	const ask = async (method: string, pointer: Pointer | undefined, params: object | undefined) => {
		server.require(method);
		const place = pointer ? { position: await position(pointer) } : {};
		return server.request(method, { textDocument: { uri: document.uri }, ...place, ...params }, signal);
	};
	const lines = documentLines(document);
	const display = (path: string) => displayPath(path, cwd);
	const named = namedFiles(workspace, cwd);
	return {
		server,
		document,
		workspace,
		signal,
		position,
		request<Result>(method: string, pointer?: Pointer, params?: object) {
			if (!pointer || params) return ask(method, pointer, params) as Promise<Result>;
			const here = asked.get(pointer) ?? new Map<string, Promise<unknown>>();
			asked.set(pointer, here);
			const answer = here.get(method) ?? ask(method, pointer, params);
			here.set(method, answer);
			return answer as Promise<Result>;
		},
		places: (found, options) => toPlaces(server, workspace, found, named, options),
		counts(found, without = null, but) {
			const isDeclaration = (shown: string, start: Position) =>
				shown === but?.path && isNameOf(but.group, toSpot(start, but.lines, encoding));
			return countByFile(found, named, { without, isDeclaration });
		},
		async beside(shown, work) {
			const path = resolve(cwd, shown);
			const real = (await realPathOf(path)) ?? path;
			if (!isOurs(real, workspace))
				throw new LspError("LSP_OUTSIDE_WORKSPACE", `${shown} is outside the workspace ${workspace}.`);
			return server.documents.hold(path, async () => {
				const other = await documentOnDisk(server, path, languageOf(server.config, path));
				return work(fileQuery(other, about));
			});
		},
		declared: () => declaredIn(server, document, signal),
		display,
		isTest: (uri) => named(uri).test,
		shown: (uri) => named(uri).shown,
		lineOf: (at) => toSpot(at, lines, encoding).line,
		spotOf: (at) => toSpot(at, lines, encoding),
		rangeOf: (line, endLine) => ({
			start: toPosition({ line, column: 1 }, lines, encoding),
			end: toPosition({ line: endLine, column: (lines[endLine - 1]?.length ?? 0) + 1 }, lines, encoding),
		}),
		lines,
		standing: async (pointer) => standingAt(document.text, await position(pointer), encoding),
		kindOf: symbolKind,
		completionKindOf: completionKind,
		diagnostics: () => diagnosticsOf(server, document, { signal }),
	};
}
