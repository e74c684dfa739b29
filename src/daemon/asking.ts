import { relative, resolve } from "node:path";
import type { Diagnostic, Position, Range } from "vscode-languageserver-protocol";
import { diagnosticsOf, documentOnDisk } from "../diagnostics/prove.ts";
import { LspError } from "../errors.ts";
import { aboutServer } from "../lsp/about-server.ts";
import { documentLines, type OpenDocument } from "../lsp/documents.ts";
import { completionKind, symbolKind } from "../lsp/kinds.ts";
import { type Spot, toPath, toPosition, toSpot } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { deadline } from "../util/abort.ts";
import { realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { isTestPath } from "../util/test-paths.ts";
import { type Declared, type DeclaredGroup, declaredIn, isNameOf } from "../workspace/declared.ts";
import { countByFile, type FileCount } from "../workspace/file-counts.ts";
import { findPosition, type Pointer } from "../workspace/find-position.ts";
import { displayPath, type Located, type Route } from "../workspace/locate.ts";
import { languageOf } from "../workspace/match.ts";
import { type FoundPlaces, type PlaceList, type PlacesOptions, toPlaces } from "../workspace/places.ts";
import type { EnvironmentSource } from "../workspace/pool.ts";
import { isForeign } from "../workspace/root.ts";
import { standingAt } from "../workspace/standing.ts";
import type { Hub } from "./hub.ts";

/** A file that a server can be asked about, its text in step with the disk. */
export interface Asked {
	readonly server: LanguageServer;
	readonly document: OpenDocument;
	/** The directory in which source is ours to show. */
	readonly workspace: string;
	readonly signal: AbortSignal;
	/** The position that a caller means, in the server's own units. Rejects as `findPosition`. */
	position(pointer: Pointer): Promise<Position>;
	/**
	 * Sends a request about the file, at the place that the caller means if `pointer` is given. Rejects with
	 * LSP_UNSUPPORTED_REQUEST where the server does not offer it.
	 */
	request<Result>(method: string, pointer?: Pointer, params?: object): Promise<Result>;
	/** A server's locations as this caller reads them. */
	places(found: FoundPlaces, options?: PlacesOptions): Promise<PlaceList>;
	/** What the file declares, nested. Rejects with LSP_UNSUPPORTED_REQUEST where the server does not say. */
	declared(): Promise<Declared[]>;
	/** The same locations only counted, by file; `but` are declarations that do not count. */
	counts(found: FoundPlaces, without?: FoundPlaces, but?: DeclaredGroup): FileCount[];
	/**
	 * Another file of the same server, by its path as this caller reads it, within this question's turn: a question of its
	 * own would wait for a writer that waits for this one. Rejects with LSP_OUTSIDE_WORKSPACE for what is not ours to read.
	 */
	beside<Answer>(shown: string, work: (asked: Asked) => Promise<Answer>): Promise<Answer>;
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

export interface AskOptions<Answer> {
	/** True for an answer that says nothing: then the file's next server is asked. */
	isEmpty?(answer: Answer): boolean;
	/** True if the answer is made of more than the file: it waits, within a budget, until the server has read the project. */
	readonly whole?: boolean;
	/** True if linters answer as well: they have findings and fixes, and nothing to say of a symbol. */
	readonly linters?: boolean;
}

/** An answer, and why it may lack something: the server has not read all of the project. */
export type Noted<Answer> = Answer & { readonly incomplete?: string };

/** What one of a file's servers answered. */
export interface OneAnswer<Answer> {
	/** The server's id. */
	readonly server: string;
	readonly answer: Answer;
}

/** Who asks, and from where. */
export interface Asker {
	readonly hub: Hub;
	/** Real and absolute. */
	readonly cwd: string;
	readonly env: EnvironmentSource;
	readonly signal: AbortSignal;
}

export const defaultAskMs = 30_000;
/** How long a question that needs the whole project waits for it, in milliseconds; the rest of its time is the answer's. */
export const projectMs = 10_000;

/**
 * Asks a file's servers one after the other, the language's own first, until one of them has something to say. The first
 * empty answer counts if none has; the first failure if none answers.
 */
export async function askFirst<Answer extends object>(
	asker: Asker,
	located: Located,
	work: (asked: Asked) => Promise<Answer>,
	options: AskOptions<Answer>,
): Promise<Noted<Answer>> {
	let empty: Noted<Answer> | undefined;
	let failure: unknown;
	for (const route of routesFor(located, options)) {
		try {
			const answer = await askOne(asker, located, route, work, options);
			if (!options.isEmpty?.(answer)) return answer;
			empty ??= answer;
		} catch (thrown) {
			if (!othersMayAnswer(thrown)) throw thrown;
			failure ??= thrown;
		}
	}
	// One that has read everything has nothing; one that has not may have it yet.
	if (empty && !isNotIndexed(failure)) return empty;
	throw failure;
}

/** Asks all of a file's servers at once. Those that cannot answer are left out; rejects if that are all. */
export async function askEach<Answer extends object>(
	asker: Asker,
	located: Located,
	work: (asked: Asked) => Promise<Answer>,
	options: AskOptions<Answer>,
): Promise<OneAnswer<Noted<Answer>>[]> {
	const routes = routesFor(located, options);
	const settled = await Promise.allSettled(routes.map((route) => askOne(asker, located, route, work, options)));
	const answers = settled.flatMap((result, index) =>
		result.status === "fulfilled" ? [{ server: routes[index]!.config.id, answer: result.value }] : [],
	);
	if (answers.length > 0) return answers;
	throw settled.find((result) => result.status === "rejected")?.reason;
}

function routesFor<Answer>(located: Located, { linters = false }: AskOptions<Answer>): readonly Route[] {
	const routes = located.routes.filter(({ config }) => linters || config.role !== "linter");
	if (routes.length > 0) return routes;
	throw new LspError("LSP_UNSUPPORTED_FILE", `No language server answers questions about ${located.display}.`);
}

/** What one server lacks another one may have; what is wrong with the question is wrong for all of them. */
function othersMayAnswer(thrown: unknown): boolean {
	if (isNotIndexed(thrown)) return true;
	const codes = ["LSP_UNSUPPORTED_REQUEST", "LSP_SERVER_UNAVAILABLE", "LSP_PREREQUISITE_MISSING", "LSP_SERVER_ERROR"];
	return thrown instanceof LspError && codes.includes(thrown.code);
}

function isNotIndexed(thrown: unknown): boolean {
	return thrown instanceof LspError && thrown.code === "LSP_FILE_NOT_INDEXED";
}

async function askOne<Answer extends object>(
	{ hub, cwd, env, signal }: Asker,
	located: Located,
	route: Route,
	work: (asked: Asked) => Promise<Answer>,
	{ whole = false, isEmpty }: AskOptions<Answer>,
): Promise<Noted<Answer>> {
	const limit = deadline(
		defaultAskMs,
		() => new LspError("LSP_SERVER_TIMEOUT", `${route.config.id} did not answer within ${defaultAskMs / 1000} s.`),
		signal,
	);
	const { path, workspace } = located;
	const once = (server: LanguageServer) =>
		server.turns.read(async () => {
			await server.catchUp(limit.signal, path);
			return server.documents.hold(path, async () => {
				const document = await documentOnDisk(server, path, route.languageId);
				// What a server was still reading when it was asked may be missing in what it answers.
				const before = server.readiness.busy;
				const incomplete = whole ? whyIncomplete(server) : undefined;
				const answer = await work(asking(server, document, workspace, cwd, limit.signal));
				const busy = before ?? server.readiness.busy;
				return { busy, answer: incomplete === undefined ? answer : { ...answer, incomplete } };
			});
		});
	const question = async (server: LanguageServer) => {
		if (whole) await server.readiness.settled(projectMs, limit.signal);
		let { busy, answer } = await once(server);
		// Nothing, from a server that was reading, is no answer yet.
		if (!whole && busy !== undefined && isEmpty?.(answer)) {
			await server.readiness.settled(projectMs, limit.signal);
			({ busy, answer } = await once(server));
		}
		if (busy !== undefined && isEmpty?.(answer)) throw notIndexed(located, route, busy);
		return answer;
	};
	try {
		return await hub.pool.use(route, workspace, env, limit.signal, question, { path });
	} finally {
		limit.end();
	}
}

function notIndexed({ path, display }: Located, { config }: Route, progress: string): LspError {
	return new LspError("LSP_FILE_NOT_INDEXED", `${display} is not yet indexed by ${config.id}: ${progress}.`, {
		...aboutServer(config),
		file_path: path,
		progress,
		suggestion: "Wait for indexing to complete, then ask again.",
	});
}

/** Why an answer about the whole project may lack something. */
export function whyIncomplete({ config, readiness }: LanguageServer): string | undefined {
	const { busy } = readiness;
	if (busy !== undefined) return `${config.id} is still busy: ${busy}. Ask again when it has settled.`;
	return config.loading?.never && `${config.loading.never}.`;
}

/** The questions that go through one door: capability first, so that nothing is sent that a server does not know. */
function asking(
	server: LanguageServer,
	document: OpenDocument,
	workspace: string,
	cwd: string,
	signal: AbortSignal,
): Asked {
	const { encoding } = server;
	const known = new Map<Pointer, Promise<Position>>();
	// Several requests about one place look for it once.
	const position = (pointer: Pointer) => {
		const found = known.get(pointer) ?? findPosition(server, document, pointer, signal);
		known.set(pointer, found);
		return found;
	};
	const lines = documentLines(document);
	const display = (path: string) => displayPath(path, cwd);
	return {
		server,
		document,
		workspace,
		signal,
		position,
		async request(method, pointer, params) {
			server.require(method);
			const about = {
				textDocument: { uri: document.uri },
				...(pointer ? { position: await position(pointer) } : {}),
				...params,
			};
			return server.request(method, about, signal);
		},
		places: (found, options) => toPlaces(server, workspace, found, display, options),
		counts(found, without = null, but) {
			const isDeclaration = (shown: string, start: Position) =>
				shown === but?.path && isNameOf(but.group, toSpot(start, but.lines, encoding));
			return countByFile(found, workspace, display, { without, isDeclaration });
		},
		async beside(shown, work) {
			const path = resolve(cwd, shown);
			const real = (await realPathOf(path)) ?? path;
			if (!isInside(real, workspace) || isForeign(real, workspace))
				throw new LspError("LSP_OUTSIDE_WORKSPACE", `${shown} is outside the workspace ${workspace}.`);
			return server.documents.hold(path, async () => {
				const other = await documentOnDisk(server, path, languageOf(server.config, path));
				return work(asking(server, other, workspace, cwd, signal));
			});
		},
		declared: () => declaredIn(server, document, signal),
		display,
		isTest(uri) {
			const path = toPath(uri);
			return path !== undefined && isTestPath(relative(workspace, path));
		},
		shown(uri) {
			const path = toPath(uri);
			return path === undefined ? uri : display(path);
		},
		lineOf: (at) => toSpot(at, [], "utf-16").line,
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
