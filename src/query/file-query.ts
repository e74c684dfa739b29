import { resolve } from "node:path";
import type {
	CodeAction,
	Diagnostic,
	FormattingOptions,
	Location,
	Position,
	Range,
} from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { diagnosticsOf, documentOnDisk } from "../diagnostics/sources/prove.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { describePosition } from "../project/describe-position.ts";
import { languageOf } from "../project/file-match.ts";
import { indentationOf } from "../project/indentation.ts";
import { isOurs } from "../project/root.ts";
import { displayPath } from "../routing/locate.ts";
import { realPathOf, statOf } from "../util/files.ts";
import { type LocationResult, linesOf, type Spot, toPosition, toSpot } from "../util/positions.ts";
import type { StatCache } from "../util/stat-cache.ts";
import { type ActionQuestion, codeActionsIn } from "./code-actions.ts";
import { type ConcurrentCallers, type ConcurrentQuestion, concurrentCallers } from "./concurrent-callers.ts";
import {
	type DocumentSymbolEntry,
	documentSymbol,
	type SymbolResult,
	scriptDeclarations,
	symbolTree,
} from "./document-symbols.ts";
import { type ConfiguredFormat, editorConfigOf } from "./editorconfig.ts";
import { type CommandAnswer, type CommandCall, commandsOf, executeCommand } from "./execute-command.ts";
import { type Declaration, findDeclaration } from "./find-declaration.ts";
import { findPosition, type Pointer } from "./find-position.ts";
import { isBeforeNameEnd } from "./find-symbol.ts";
import {
	countByFile,
	type FileCount,
	type LocationList,
	type LocationOptions,
	listLocations,
	UriNames,
} from "./locations.ts";
import { SymbolTrees } from "./symbol-trees.ts";
import { type UriPosition, type Users, useInSource } from "./users/open-users.ts";
import { type RequiredUses, requiredUses } from "./users/required-uses.ts";

export interface QueryContext {
	readonly server: LanguageServer;
	readonly workspace: string;
	/** Real and absolute. */
	readonly cwd: string;
	readonly signal: AbortSignal;
	readonly openFilesUsing?: ((name: string) => Promise<Users>) | undefined;
	readonly importing?: ((path: string, name: string) => Promise<readonly string[]>) | undefined;
}

const [references, prepareCalls] = ["textDocument/references", "textDocument/prepareCallHierarchy"];
const aboutUsers: ReadonlySet<string> = new Set([
	references,
	"textDocument/implementation",
	prepareCalls,
	"textDocument/prepareTypeHierarchy",
	"textDocument/rename",
]);

/** With the text on disk, or the caller's unsaved one (`texts` of `run.ts`). */
export class FileQuery {
	readonly server: LanguageServer;
	readonly document: OpenDocument;
	readonly lines: readonly string[];
	readonly signal: AbortSignal;
	readonly #context: QueryContext;
	readonly #names: UriNames;
	readonly #positions = new Map<Pointer, Promise<Position>>();
	readonly #answers = new Map<Pointer, Map<string, Promise<unknown>>>();
	#symbols: Promise<readonly DocumentSymbolEntry[]> | undefined;
	readonly #users = new Map<string, Promise<Users>>();
	readonly #required = new Map<Pointer, Promise<RequiredUses>>();
	#isUnfollowed = false;

	constructor(document: OpenDocument, context: QueryContext) {
		this.server = context.server;
		this.document = document;
		this.lines = linesOf(document.text);
		this.signal = context.signal;
		this.#context = context;
		this.#names = new UriNames(context.workspace, context.cwd);
	}

	position(pointer: Pointer): Promise<Position> {
		const found = this.#positions.get(pointer) ?? findPosition(this, pointer);
		this.#positions.set(pointer, found);
		return found;
	}

	/** Without `params` sent once for each pointer object. Rejects with LSP_UNSUPPORTED_REQUEST. */
	request<Result>(method: string, pointer?: Pointer, params?: object): Promise<Result> {
		if (!pointer || params) return this.#send(method, pointer, params);
		const answers = this.#answers.get(pointer) ?? new Map<string, Promise<unknown>>();
		this.#answers.set(pointer, answers);
		const answer = answers.get(method) ?? this.#send(method, pointer);
		answers.set(method, answer);
		return answer as Promise<Result>;
	}

	async #send<Result>(method: string, pointer?: Pointer, params?: object): Promise<Result> {
		this.server.require(method);
		const { uri } = this.document;
		if (!pointer) return this.server.request(method, { textDocument: { uri }, ...params }, this.signal);
		const here = { uri, position: await this.position(pointer) };
		const asked = aboutUsers.has(method) ? await this.#amongUsers(here) : here;
		const place = { textDocument: { uri: asked.uri }, position: asked.position };
		const answer = await this.server.request<Result>(method, { ...place, ...params }, this.signal);
		if (method === prepareCalls && (await this.#requiredUses(pointer, [])).uses.length > 0) this.#isUnfollowed = true;
		if (method !== references) return answer;
		const { uses } = await this.#requiredUses(pointer, (answer ?? []) as unknown as Location[]);
		return uses.length > 0 ? ([answer ?? [], uses.map(({ location }) => location)].flat() as Result) : answer;
	}

	/** Left out of the server's references and renames. */
	async requiredUses(pointer: Pointer): Promise<RequiredUses> {
		return (await this.#required.get(pointer)) ?? { uses: [], left: 0 };
	}

	#requiredUses(pointer: Pointer, found: readonly Location[]): Promise<RequiredUses> {
		const known = this.#required.get(pointer) ?? this.#findRequiredUses(pointer, found);
		this.#required.set(pointer, known);
		return known;
	}

	async #findRequiredUses(pointer: Pointer, found: readonly Location[]): Promise<RequiredUses> {
		const { server, signal } = this;
		const { importing } = this.#context;
		const isScript = /^javascript/.test(this.document.languageId);
		if (!importing || !isScript || !server.config.missesRequired) return { uses: [], left: 0 };
		const position = await this.position(pointer);
		const { line, column } = this.toSpot(position);
		const name = wordAt(this.lines[line - 1] ?? "", column - 1);
		if (name === "") return { uses: [], left: 0 };
		const at = { uri: this.document.uri, position, name };
		return requiredUses({ server, importing, at, found, signal });
	}

	async #amongUsers(here: UriPosition): Promise<UriPosition> {
		const { openFilesUsing } = this.#context;
		const { line, column } = toSpot(here.position, this.lines, this.server.encoding);
		const name = openFilesUsing && wordAt(this.lines[line - 1] ?? "", column - 1);
		if (!name) return here;
		const users = this.#users.get(name) ?? openFilesUsing(name);
		this.#users.set(name, users);
		return (await useInSource(this.server, (await users).opened, { ...here, name }, this.signal)) ?? here;
	}

	/** `why` counts unless all users are known. */
	async whyIncomplete(why: string | undefined): Promise<string | undefined> {
		if (this.#isUnfollowed)
			return `${this.server.config.id} does not follow what \`exports\` names into files that require it: references has its uses.`;
		const users = await Promise.all(this.#users.values());
		const knowsAll = users.length > 0 && users.every(({ areAll }) => areAll);
		if (knowsAll || why !== undefined) return knowsAll ? undefined : why;
		const searched = [...users, ...(await Promise.all(this.#required.values()))];
		const left = searched.reduce((sum, each) => sum + each.left, 0);
		return left > 0 ? `${left} more files hold the name and are in no project: they were not searched.` : undefined;
	}

	/** Rejects with LSP_UNSUPPORTED_REQUEST. */
	codeActions(range: Range, question: ActionQuestion = {}): Promise<CodeAction[]> {
		return codeActionsIn(this, range, question);
	}

	get commands(): readonly string[] {
		return commandsOf(this.server);
	}

	/** Its edits are not written. */
	execute(command: CommandCall): Promise<CommandAnswer> {
		return executeCommand(this.server, command, this.signal);
	}

	/** Empty if the server does not offer them. */
	allSymbols(): Promise<readonly DocumentSymbolEntry[]> {
		this.#symbols ??= this.#requestSymbols();
		return this.#symbols;
	}

	async #requestSymbols(): Promise<readonly DocumentSymbolEntry[]> {
		if (!this.server.offers(documentSymbol)) return [];
		const trees = this.server.part(SymbolTrees);
		const known = trees.known(this.document);
		if (known) return known;
		const found = await this.request<SymbolResult>(documentSymbol);
		const tree = symbolTree(found, this.lines, this.server.encoding);
		trees.keep(this.document, tree);
		return tree;
	}

	get hasSymbols(): boolean {
		return this.server.part(SymbolTrees).known(this.document) !== undefined;
	}

	/** Rejects with LSP_UNSUPPORTED_REQUEST. */
	async symbols(): Promise<readonly DocumentSymbolEntry[]> {
		this.server.require(documentSymbol);
		const all = await this.allSymbols();
		const { languageId, text } = this.document;
		return /script/.test(languageId) ? scriptDeclarations(all, text, this.lines) : all;
	}

	declaration(pointer: Pointer, { follow = false } = {}): Promise<Declaration | undefined> {
		return findDeclaration(this, pointer, follow);
	}

	/** Rejects with LSP_UNSUPPORTED_REQUEST. */
	concurrentCallers(pointer: Pointer, options: ConcurrentQuestion): Promise<ConcurrentCallers> {
		return concurrentCallers(this, pointer, options);
	}

	locations(found: LocationResult, options?: LocationOptions): Promise<LocationList> {
		const unwritten = (path: string) => this.#unwritten(path)?.text;
		return listLocations(found, { names: this.#names, encoding: this.server.encoding, unwritten }, options);
	}

	countByFile(found: LocationResult, without?: LocationResult, declaration?: Declaration): Promise<FileCount[]> {
		const isDeclaration = (shown: string, start: Position) =>
			shown === declaration?.path &&
			isBeforeNameEnd(declaration.group, toSpot(start, declaration.lines, this.server.encoding));
		return countByFile(found, this.#names, { without: without ?? null, isDeclaration });
	}

	/** Takes a displayed path. Rejects with LSP_OUTSIDE_WORKSPACE. */
	async inFile<T>(path: string, work: (other: FileQuery) => Promise<T>): Promise<T> {
		const { server } = this;
		const absolute = resolve(this.cwd, path);
		const real = await this.#realPathOf(path);
		return server.documents.hold(absolute, async () => {
			const onDisk = () => documentOnDisk(server, absolute, languageOf(server.config, absolute));
			return work(new FileQuery(this.#unwritten(real) ?? (await onDisk()), this.#context));
		});
	}

	async #realPathOf(path: string): Promise<string> {
		const { workspace, cwd } = this.#context;
		const absolute = resolve(cwd, path);
		const real = (await realPathOf(absolute)) ?? absolute;
		if (isOurs(real, workspace)) return real;
		throw new LspError("LSP_OUTSIDE_WORKSPACE", `${path} is outside the workspace ${workspace}.`);
	}

	/** Like `inFile`, but does not open its own file again. */
	async inAnyFile<T>(path: string, work: (query: FileQuery) => Promise<T>): Promise<T> {
		return path === this.displayPath(this.document.path) ? work(this) : this.inFile(path, work);
	}

	/** Like `inFile`, if text and symbols suffice: opens no unchanged file again. */
	async keptOfFile<T>(path: string, kept: StatCache<T>, work: (other: FileQuery) => Promise<T>): Promise<T> {
		const real = await this.#realPathOf(path);
		const info = this.#unwritten(real) ? undefined : await statOf(real);
		const known = info && kept.get(real, info);
		if (known) return known.value;
		return this.inFile(path, async (other) => {
			const found = await work(other);
			if (info && other.hasSymbols) kept.set(real, info, found);
			return found;
		});
	}

	#unwritten(path: string): OpenDocument | undefined {
		const { documents } = this.server;
		return documents.isOverlaid(path) ? documents.get(path) : undefined;
	}

	get cwd(): string {
		return this.#context.cwd;
	}

	get workspace(): string {
		return this.#context.workspace;
	}

	displayPath(path: string): string {
		return displayPath(path, this.#context.cwd);
	}

	displayUri(uri: string): string {
		return this.#names.of(uri).shown;
	}

	isOwn(uri: string): boolean {
		return this.#names.of(uri).isOurs;
	}

	isTest(uri: string): boolean {
		return this.#names.of(uri).isTest;
	}

	toSpot(position: Position): Spot {
		return toSpot(position, this.lines, this.server.encoding);
	}

	/** 1-based, both included. */
	lineRange(first: number, last: number): Range {
		const { encoding } = this.server;
		return {
			start: toPosition({ line: first, column: 1 }, this.lines, encoding),
			end: toPosition({ line: last, column: (this.lines[last - 1]?.length ?? 0) + 1 }, this.lines, encoding),
		};
	}

	configuredFormat(): Promise<ConfiguredFormat> {
		return editorConfigOf(this.document.path, this.#context.workspace);
	}

	/** By `.editorconfig`, else the file's indentation. */
	async formatting(): Promise<FormattingOptions> {
		const configured = await this.configuredFormat();
		const own = indentationOf(this.document.text) ?? { tabSize: 4, insertSpaces: true };
		return { ...own, ...configured };
	}

	/** Of a position that the server knows nothing of. */
	async describe(pointer: Pointer): Promise<string> {
		return describePosition(this.document.text, await this.position(pointer), this.server.encoding);
	}

	diagnostics(): Promise<readonly Diagnostic[]> {
		return diagnosticsOf(this.server, this.document, { signal: this.signal });
	}
}

function wordAt(text: string, index: number): string {
	const [before = ""] = /[\w$]*$/.exec(text.slice(0, index)) ?? [];
	const [after = ""] = /^[\w$]*/.exec(text.slice(index)) ?? [];
	return before + after;
}
