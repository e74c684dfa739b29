import type { Settings } from "../config/read-settings.ts";
import { asLspError, LspError } from "../contract/errors.ts";
import { repeatUntilUnchanged } from "../diagnostics/sources/prove.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { entryKey } from "../pool/server-entry.ts";
import { isData, isLanguage, languageOf, speaks } from "../project/file-match.ts";
import { workspaceOf } from "../project/root.ts";
import { inWorkspace, locate, type Route, startFields } from "../routing/locate.ts";
import { statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { documentSymbol } from "./document-symbols.ts";
import { UriNames } from "./locations.ts";
import {
	type CallContext,
	type MaybeIncomplete,
	projectMs,
	questionLimit,
	type ServerAnswer,
	whyIncomplete,
} from "./run.ts";
import { type FoundSymbols, toFoundSymbols, type WorkspaceSymbolResult } from "./workspace-symbols.ts";

export interface WorkspaceQuery {
	readonly server: LanguageServer;
	readonly maxSymbols: number | undefined;
	symbols(query: string): Promise<FoundSymbols>;
}

export interface WorkspacePart {
	readonly directory?: string | undefined;
	/** An LSP language id. */
	readonly language?: string | undefined;
	/** Opens no file either. */
	readonly runningOnly?: boolean;
}

export interface WorkspaceQuestion<Answer> {
	readonly method: string;
	readonly answer: (query: WorkspaceQuery) => Promise<Answer>;
	readonly part?: WorkspacePart | undefined;
}

interface ResolvedPart {
	readonly directory: string;
	readonly language: string | undefined;
	readonly runningOnly: boolean;
	readonly workspace: string;
}

export interface Unasked {
	readonly language: string;
	readonly reason: string;
}

export interface WorkspaceAnswers<Answer> {
	readonly answers: ServerAnswer<MaybeIncomplete<Answer>>[];
	readonly unasked: Unasked[];
}

interface Candidate {
	readonly route: Route;
	readonly language: string;
	readonly samples: string[];
}

const maxAskedLanguages = 2;

/**
 * Starts servers of the two most used languages. TypeScript knows projects only by open files: some of each part are
 * opened. Rejects if no server can be asked; for the directory with LSP_OUTSIDE_WORKSPACE or LSP_FILE_NOT_FOUND.
 */
export async function askWorkspace<Answer extends object>(
	call: CallContext,
	settings: Settings,
	question: WorkspaceQuestion<Answer>,
): Promise<WorkspaceAnswers<Answer>> {
	const part = await resolvePart(question.part ?? {}, call.cwd);
	const { candidates, unasked, failure } = await candidatesIn(call, settings, part);
	const settled = await Promise.allSettled(candidates.map((one) => askCandidate(call, question, part, one)));
	call.signal.throwIfAborted();
	const answers = settled.flatMap((result, index) => {
		const { route, language } = candidates[index] as Candidate;
		if (result.status === "fulfilled") return [{ server: route.config.id, answer: result.value }];
		unasked.push({ language, reason: asLspError(result.reason).message });
		return [];
	});
	if (answers.length > 0) return { answers, unasked };
	const { directory, language } = part;
	throw (
		settled.find((result) => result.status === "rejected")?.reason ??
		failure ??
		new LspError(
			"LSP_UNSUPPORTED_FILE",
			`No language server knows symbols of the ${language ? `${language} ` : ""}files of ${directory}.`,
		)
	);
}

async function resolvePart(
	{ directory: named, language, runningOnly = false }: WorkspacePart,
	cwd: string,
): Promise<ResolvedPart> {
	const workspace = await workspaceOf(cwd);
	if (named === undefined) return { directory: workspace, language, runningOnly, workspace };
	const path = await inWorkspace(named, { directory: cwd, workspace });
	if ((await statOf(path))?.isDirectory()) return { directory: path, language, runningOnly, workspace };
	throw new LspError("LSP_FILE_NOT_FOUND", `${named} is no directory.`, { file_path: path });
}

async function candidatesIn(
	call: CallContext,
	settings: Settings,
	part: ResolvedPart,
): Promise<{ readonly candidates: Candidate[]; readonly unasked: Unasked[]; readonly failure: unknown }> {
	const { pool, surveys } = call.service;
	const { directory, language: wanted, runningOnly } = part;
	const candidates = new Map<string, Candidate>();
	const unasked: Unasked[] = [];
	let asked = 0;
	let failure: unknown;
	const survey = runningOnly ? undefined : await surveys.of(directory, settings.servers, call.signal);
	for (const { id: language, samples: files } of survey?.languages ?? []) {
		const samples = [...files.values()];
		if (isData(language) || (wanted && !isLanguage(language, wanted))) continue;
		const mayStart = asked < maxAskedLanguages;
		const found = await routesOf(samples, settings);
		for (const { route, path } of found.routes) {
			const known = candidates.get(entryKey(route));
			if (known) known.samples.push(path);
			else if (mayStart || pool.running(route)) candidates.set(entryKey(route), { route, language, samples: [path] });
		}
		const isAsked = [...candidates.values()].some(({ samples: known }) => known.some((path) => samples.includes(path)));
		failure ??= found.failure;
		if (isAsked) asked++;
		else if (found.failure) unasked.push({ language, reason: asLspError(found.failure).message });
		else unasked.push({ language, reason: "its server does not run; ask about one of its files first." });
	}
	for (const route of pool.routes())
		if (!candidates.has(entryKey(route)) && isServerOf(route, settings, part))
			candidates.set(entryKey(route), { route, language: route.languageId, samples: [] });
	return { candidates: [...candidates.values()], unasked, failure };
}

function isServerOf(route: Route, settings: Settings, { directory, language, workspace }: ResolvedPart): boolean {
	const { config, root } = route;
	const { sandbox, environment } = startFields(settings);
	const isAlike = route.trusted === settings.trusted && route.sandbox === sandbox && route.environment === environment;
	const isEnabled = settings.servers.some(({ id }) => id === config.id) && !settings.disabled.has(config.id);
	const isNear = isInside(root, workspace) && (isInside(root, directory) || isInside(directory, root));
	return isAlike && isEnabled && isNear && isLanguages(route) && (!language || speaks(config, language));
}

async function routesOf(samples: readonly string[], settings: Settings) {
	const routes: { readonly route: Route; readonly path: string }[] = [];
	let failure: unknown;
	for (const sample of samples)
		try {
			const { path, routes: found } = await locate(sample, settings);
			routes.push(...found.filter(isLanguages).map((route) => ({ route, path })));
		} catch (thrown) {
			failure ??= thrown;
		}
	return { routes, failure };
}

function isLanguages({ config: { role = "language" } }: Route): boolean {
	return role === "language";
}

async function askCandidate<Answer extends object>(
	call: CallContext,
	question: WorkspaceQuestion<Answer>,
	part: ResolvedPart,
	{ route, samples }: Candidate,
): Promise<MaybeIncomplete<Answer>> {
	const limit = questionLimit(route.config.id, call.signal);
	const { signal } = limit;
	const answerOf = async (server: LanguageServer) => {
		server.require(question.method);
		await server.turns.read(async () => {
			await server.catchUp(signal);
			await Promise.all(samples.map((path) => openSample(server, path, signal)));
		});
		await server.readiness.settled(projectMs, signal);
		const incomplete = whyIncomplete(server);
		const query = workspaceQuery(server, part, call.cwd, (params) => server.request(question.method, params, signal));
		const answer = await server.turns.read(() => question.answer(query));
		return incomplete === undefined ? answer : { ...answer, incomplete };
	};
	try {
		return await call.service.pool.use(route, { workspace: part.workspace, env: call.env, signal }, answerOf);
	} finally {
		limit.end();
	}
}

function workspaceQuery(
	server: LanguageServer,
	{ directory, language, workspace }: ResolvedPart,
	cwd: string,
	request: (params: object) => Promise<WorkspaceSymbolResult>,
): WorkspaceQuery {
	const { config, encoding } = server;
	const isWanted = (path: string) =>
		isInside(path, directory) && (!language || isLanguage(languageOf(config, path), language));
	return {
		server,
		maxSymbols: config.maxSymbols,
		symbols: async (query) =>
			toFoundSymbols(await request({ query }), { names: new UriNames(workspace, cwd), encoding }, isWanted),
	};
}

/** pyright finds no workspace symbols before a request about a file. */
async function openSample(server: LanguageServer, path: string, signal: AbortSignal): Promise<void> {
	if (server.documents.get(path)) return;
	const languageId = languageOf(server.config, path);
	const requestSymbols = async ({ uri }: OpenDocument) => {
		if (server.offers(documentSymbol)) await server.request(documentSymbol, { textDocument: { uri } }, signal);
	};
	await server.documents
		.exclusively(path, () => repeatUntilUnchanged(server, path, languageId, requestSymbols))
		.catch(() => {});
	signal.throwIfAborted();
}
