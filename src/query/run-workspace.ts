import type { Settings } from "../config/resolve-settings.ts";
import { asLspError, LspError } from "../contract/errors.ts";
import { withDisk } from "../diagnostics/sources/prove.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { entryKey } from "../pool/server-entry.ts";
import { isLanguage, languageOf, speaks } from "../project/file-match.ts";
import { workspaceOf } from "../project/root.ts";
import { inWorkspace, locate, type Route, sandboxFor } from "../routing/locate.ts";
import { surveyLanguages } from "../routing/survey-languages.ts";
import { deadline } from "../util/abort.ts";
import { statOf } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";
import { isInside } from "../util/paths.ts";
import { declaredIn } from "./document-symbols.ts";
import { type Asker, defaultAskMs, type Noted, type OneAnswer, projectMs, whyIncomplete } from "./run.ts";
import { namedFiles } from "./uri-names.ts";
import { type FoundSymbols, toFoundSymbols } from "./workspace-symbols.ts";

/** A server that is asked about all that it knows, not about a file. */
export interface AskedWorkspace {
	readonly server: LanguageServer;
	/** The most that it answers, if that is known. */
	readonly most: number | undefined;
	/** `workspace/symbol`, of what was asked for; what lies outside of the workspace is counted. */
	symbols(query: string): Promise<FoundSymbols>;
}

/** The part of a workspace that a question is about; all of it without these. */
export interface Part {
	/** As the caller writes it. */
	readonly directory?: string | undefined;
	/** An id of LSP's. */
	readonly language?: string | undefined;
}

/** The same when the directory has been found: real and absolute, the workspace itself if none was named. */
interface FoundPart {
	readonly directory: string;
	readonly language: string | undefined;
	readonly workspace: string;
}

/** A language of the workspace of which nothing was asked, and why. */
export interface Unasked {
	readonly language: string;
	readonly reason: string;
}

/** What the servers of a workspace answered; those that could not are named. */
export interface WorkspaceAnswers<Answer> {
	readonly answers: OneAnswer<Noted<Answer>>[];
	readonly unasked: Unasked[];
}

/** A server that may be asked, and files that show it the projects of the workspace. */
interface Candidate {
	readonly route: Route;
	readonly language: string;
	readonly samples: string[];
}

/** Of so many of a workspace's languages, the most used first, a server is started. */
const maxStarted = 2;
/** What is written in these has no symbols that a server would find by name. */
const withoutSymbols =
	/^(?:jsonc?|yaml|toml|xml|markdown|mdx?|html|css|scss|less|sass|dockerfile|ini|properties|plaintext|csv|svg|dotenv|gitignore|editorconfig|make|makefile|shellscript|restructuredtext|latex|graphql|proto3?)$/;
/** How long it is known which languages a directory is written in, in milliseconds. */
const surveyedMs = 60_000;

/**
 * Asks the servers of the caller's workspace that answer `method`: those that run, and those of its two most used languages,
 * which are started. Each has a file of each part of the workspace open: TypeScript knows the projects of open files only.
 * Of a part only the servers of that part are asked. Rejects if nobody could be asked, and for a directory elsewhere or
 * none at all with LSP_OUTSIDE_WORKSPACE and LSP_FILE_NOT_FOUND.
 */
export async function askWorkspace<Answer extends object>(
	asker: Asker,
	settings: Settings,
	method: string,
	work: (asked: AskedWorkspace) => Promise<Answer>,
	{ directory: named, language: wanted }: Part = {},
): Promise<WorkspaceAnswers<Answer>> {
	const workspace = await workspaceOf(asker.cwd);
	const directory = named === undefined ? workspace : await directoryNamed(named, asker.cwd);
	const part: FoundPart = { directory, language: wanted, workspace };
	const { candidates, unasked, failure } = await candidatesIn(asker, settings, part);
	const settled = await Promise.allSettled(candidates.map((one) => askOne(asker, part, one, method, work)));
	asker.signal.throwIfAborted();
	const answers = settled.flatMap((result, index) => {
		const { route, language } = candidates[index] as Candidate;
		if (result.status === "fulfilled") return [{ server: route.config.id, answer: result.value }];
		unasked.push({ language, reason: asLspError(result.reason).message });
		return [];
	});
	if (answers.length > 0) return { answers, unasked };
	throw (
		settled.find((result) => result.status === "rejected")?.reason ??
		failure ??
		new LspError(
			"LSP_UNSUPPORTED_FILE",
			`No language server knows symbols of the ${wanted ? `${wanted} ` : ""}files of ${directory}.`,
		)
	);
}

async function directoryNamed(named: string, cwd: string): Promise<string> {
	const { path } = await inWorkspace(named, cwd);
	if ((await statOf(path))?.isDirectory()) return path;
	throw new LspError("LSP_FILE_NOT_FOUND", `${named} is no directory.`, { file_path: path });
}

async function candidatesIn(
	asker: Asker,
	settings: Settings,
	{ directory, language: wanted, workspace }: FoundPart,
): Promise<{ readonly candidates: Candidate[]; readonly unasked: Unasked[]; readonly failure: unknown }> {
	const { pool } = asker.service;
	const candidates = new Map<string, Candidate>();
	const unasked: Unasked[] = [];
	let started = 0;
	let failure: unknown;
	for (const { id: language, samples } of await languagesOf(directory, settings, asker.signal)) {
		if (withoutSymbols.test(language) || (wanted && !isLanguage(language, wanted))) continue;
		const mayStart = started < maxStarted;
		const found = await routesOf(samples, asker.cwd, settings);
		for (const { route, path } of found.routes) {
			const known = candidates.get(entryKey(route));
			if (known) known.samples.push(path);
			else if (mayStart || pool.running(route)) candidates.set(entryKey(route), { route, language, samples: [path] });
		}
		const isAsked = [...candidates.values()].some(({ samples: asked }) => asked.some((path) => samples.includes(path)));
		failure ??= found.failure;
		if (isAsked) started++;
		else if (found.failure) unasked.push({ language, reason: asLspError(found.failure).message });
		else unasked.push({ language, reason: "its server does not run; ask about one of its files first." });
	}
	// Of those that run in other parts of the workspace no file was seen.
	for (const route of pool.routes()) {
		const isNear = isInside(route.root, directory) || isInside(directory, route.root);
		const isAlike = route.trusted === settings.trusted && route.sandbox === sandboxFor(settings).sandbox;
		const isOurs = isAlike && isInside(route.root, workspace) && isLanguages(route);
		const isKnown =
			settings.servers.some(({ id }) => id === route.config.id) && !settings.disabled.has(route.config.id);
		if (isOurs && isNear && isKnown && (!wanted || speaks(route.config, wanted)) && !candidates.has(entryKey(route)))
			candidates.set(entryKey(route), { route, language: route.languageId, samples: [] });
	}
	return { candidates: [...candidates.values()], unasked, failure };
}

/** The servers of some files; of one that has none, why. */
async function routesOf(samples: readonly string[], cwd: string, settings: Settings) {
	const routes: { readonly route: Route; readonly path: string }[] = [];
	let failure: unknown;
	for (const sample of samples)
		try {
			const { path, routes: found } = await locate(sample, cwd, settings);
			routes.push(...found.filter(isLanguages).map((route) => ({ route, path })));
		} catch (thrown) {
			failure ??= thrown;
		}
	return { routes, failure };
}

function isLanguages({ config: { role = "language" } }: Route): boolean {
	return role === "language";
}

const surveyed = new LruMap<{ readonly at: number; readonly languages: readonly Language[] }>(20);

interface Language {
	readonly id: string;
	readonly samples: readonly string[];
}

async function languagesOf(
	directory: string,
	{ servers }: Settings,
	signal: AbortSignal,
): Promise<readonly Language[]> {
	const known = surveyed.get(directory);
	if (known && performance.now() - known.at < surveyedMs) return known.languages;
	const survey = await surveyLanguages(directory, servers, signal);
	const languages = survey.languages.map(({ id, samples }) => ({ id, samples: [...samples.values()] }));
	// A new workspace grows quickly: what was not there is not remembered.
	if (languages.length > 0) surveyed.set(directory, { at: performance.now(), languages });
	return languages;
}

async function askOne<Answer extends object>(
	{ service, cwd, env, signal }: Asker,
	{ directory, language: wanted, workspace }: FoundPart,
	{ route, samples }: Candidate,
	method: string,
	work: (asked: AskedWorkspace) => Promise<Answer>,
): Promise<Noted<Answer>> {
	const { id } = route.config;
	const limit = deadline(
		defaultAskMs,
		() => new LspError("LSP_SERVER_TIMEOUT", `${id} did not answer within ${defaultAskMs / 1000} s.`),
		signal,
	);
	const isWanted = (path: string) =>
		isInside(path, directory) && (!wanted || isLanguage(languageOf(route.config, path), wanted));
	const question = async (server: LanguageServer) => {
		server.require(method);
		await server.turns.read(async () => {
			await server.catchUp(limit.signal);
			await Promise.all(samples.map((path) => openOnce(server, path, limit.signal)));
		});
		await server.readiness.settled(projectMs, limit.signal);
		const incomplete = whyIncomplete(server);
		const answer = await server.turns.read(() =>
			work({
				server,
				most: route.config.maxSymbols,
				async symbols(query) {
					const found = await server.request<Parameters<typeof toFoundSymbols>[0]>(method, { query }, limit.signal);
					return toFoundSymbols(found, namedFiles(workspace, cwd), server.encoding, isWanted);
				},
			}),
		);
		return incomplete === undefined ? answer : { ...answer, incomplete };
	};
	try {
		return await service.pool.use(route, workspace, env, limit.signal, question);
	} finally {
		limit.end();
	}
}

/**
 * Opens a file that is not open, and asks something of it: pyright knows no symbols of its workspace before the first
 * question about a file. One that is gone meanwhile shows nothing.
 */
async function openOnce(server: LanguageServer, path: string, signal: AbortSignal): Promise<void> {
	if (server.documents.get(path)) return;
	const languageId = languageOf(server.config, path);
	const canary = (document: OpenDocument) => declaredIn(server, document, signal);
	await server.documents.exclusively(path, () => withDisk(server, path, languageId, canary)).catch(() => {});
	signal.throwIfAborted();
}
