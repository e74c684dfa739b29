import { aboutServer } from "../contract/error-details.ts";
import { asLspError, LspError } from "../contract/errors.ts";
import type { Service } from "../daemon/service.ts";
import { inTurnWithTexts } from "../diagnostics/preview.ts";
import { documentOnDisk } from "../diagnostics/sources/prove.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import { matchesName } from "../project/file-match.ts";
import type { Located, Route } from "../routing/locate.ts";
import { type Deadline, deadline } from "../util/abort.ts";
import { isInside } from "../util/paths.ts";
import { FileQuery, type QueryContext } from "./file-query.ts";
import { filesHolding, openFilesUsing, usersScope } from "./users/open-users.ts";

export interface CallContext {
	readonly service: Service;
	/** Real and absolute. */
	readonly cwd: string;
	readonly env: EnvironmentSource;
	readonly signal: AbortSignal;
}

export interface AskOptions<Answer> {
	isEmpty?(answer: Answer): boolean;
	/** Waits for the project, at most `projectMs`. */
	readonly whole?: boolean;
	readonly linters?: boolean;
	readonly ms?: number;
	readonly texts?: ReadonlyMap<string, string>;
}

export interface FileQuestion<Answer> {
	readonly located: Located;
	readonly answer: (query: FileQuery) => Promise<Answer>;
	readonly options: AskOptions<Answer>;
}

export type MaybeIncomplete<Answer> = Answer & { readonly incomplete?: string };

export interface ServerAnswer<Answer> {
	readonly server: string;
	readonly answer: Answer;
}

export interface FileAnswers<Answer> {
	readonly answers: readonly ServerAnswer<MaybeIncomplete<Answer>>[];
	/** Sentences about failed servers, which might have more to say. */
	readonly unanswered: readonly string[];
}

const questionMs = 30_000;
/** Of `questionMs`, for reading the project. */
export const projectMs = 10_000;

/** Prefers a non-empty answer; without any, rejects with the first failure. */
export async function askFirst<Answer extends object>(
	call: CallContext,
	question: FileQuestion<Answer>,
): Promise<MaybeIncomplete<Answer>> {
	let empty: MaybeIncomplete<Answer> | undefined;
	let failure: unknown;
	for (const route of routesFor(question)) {
		try {
			const answer = await askServer(call, question, route);
			if (!question.options.isEmpty?.(answer)) return answer;
			empty ??= answer;
		} catch (thrown) {
			if (!mayAskNext(thrown)) throw thrown;
			failure ??= thrown;
		}
	}
	if (empty && !isNotIndexed(failure)) return empty;
	throw failure;
}

/** Rejects if all fail. */
export async function askEach<Answer extends object>(
	call: CallContext,
	question: FileQuestion<Answer>,
): Promise<FileAnswers<Answer>> {
	const routes = routesFor(question);
	const settled = await Promise.allSettled(routes.map((route) => askServer(call, question, route)));
	const answers: ServerAnswer<MaybeIncomplete<Answer>>[] = [];
	const failures: { readonly server: string; readonly error: LspError }[] = [];
	for (const [index, result] of settled.entries()) {
		const server = routes[index]!.config.id;
		if (result.status === "fulfilled") answers.push({ server, answer: result.value });
		else failures.push({ server, error: asLspError(result.reason) });
	}
	if (answers.length === 0) throw failures[0]?.error;
	const failed = failures.filter(({ error }) => error.code !== "LSP_UNSUPPORTED_REQUEST");
	const unanswered = failed.map(({ server, error: { message } }) =>
		message.includes(server) ? message : `${server}: ${message}`,
	);
	return { answers, unanswered };
}

function routesFor<Answer>({ located, options }: FileQuestion<Answer>): readonly Route[] {
	const routes = located.routes.filter(({ config }) => options.linters || config.role !== "linter");
	if (routes.length > 0) return routes;
	throw new LspError("LSP_UNSUPPORTED_FILE", `No language server answers questions about ${located.display}.`);
}

const failuresOfOneServer = new Set([
	"LSP_FILE_NOT_INDEXED",
	"LSP_UNSUPPORTED_REQUEST",
	"LSP_SERVER_UNAVAILABLE",
	"LSP_PREREQUISITE_MISSING",
	"LSP_SERVER_ERROR",
]);

function mayAskNext(thrown: unknown): boolean {
	return thrown instanceof LspError && failuresOfOneServer.has(thrown.code);
}

function isNotIndexed(thrown: unknown): boolean {
	return thrown instanceof LspError && thrown.code === "LSP_FILE_NOT_INDEXED";
}

async function askServer<Answer extends object>(
	call: CallContext,
	question: FileQuestion<Answer>,
	route: Route,
): Promise<MaybeIncomplete<Answer>> {
	const { path, workspace } = question.located;
	const limit = questionLimit(route.config.id, call.signal, question.options.ms);
	const context = { cwd: call.cwd, workspace, languageId: route.languageId, signal: limit.signal };
	const answerOf = async (server: LanguageServer) => {
		const unknown = question.options.whole ? await usersScope(server, path) : undefined;
		if (!unknown) return answerWhenLoaded({ ...context, server }, question);
		const index = call.service.indexOf(server.root);
		const watched = await call.service.watches.areCurrent(server.root);
		const users = (name: string) =>
			openFilesUsing({ server, index, watched, path, name, unknown, signal: limit.signal });
		const importing = async (file: string, name: string) =>
			(await filesHolding({ index, watched, path: file, name })).importing;
		return answerWhenLoaded({ ...context, server, openFilesUsing: users, importing }, question);
	};
	try {
		return await call.service.pool.use(route, { workspace, env: call.env, signal: limit.signal }, answerOf, { path });
	} finally {
		limit.end();
	}
}

/** Aborts with LSP_SERVER_TIMEOUT. */
export function questionLimit(id: string, signal: AbortSignal, ms = questionMs): Deadline {
	const message = `${id} did not answer within ${ms / 1000} s.`;
	return deadline(ms, () => new LspError("LSP_SERVER_TIMEOUT", message), signal);
}

interface ServerContext extends QueryContext {
	readonly languageId: string;
}

/** Repeats an empty answer. Rejects with LSP_FILE_NOT_INDEXED if the server stays busy. */
async function answerWhenLoaded<Answer extends object>(
	context: ServerContext,
	question: FileQuestion<Answer>,
): Promise<MaybeIncomplete<Answer>> {
	const { server, signal } = context;
	const { whole = false, isEmpty } = question.options;
	if (whole) await server.readiness.settled(projectMs, signal);
	for (let isLast = whole; ; isLast = true) {
		const { answer, busy } = await answerInTurn(context, question);
		if (busy === undefined || !isEmpty?.(answer)) return answer;
		if (isLast) throw notIndexed(question.located, server, busy);
		await server.readiness.settled(projectMs, signal);
	}
}

interface Reply<Answer> {
	readonly answer: MaybeIncomplete<Answer>;
	readonly busy: string | undefined;
}

function answerInTurn<Answer extends object>(
	context: ServerContext,
	{ located: { path }, answer, options }: FileQuestion<Answer>,
): Promise<Reply<Answer>> {
	const { server, signal, languageId } = context;
	const texts = textsFor(server, path, options.texts);
	const answerNow = async () => {
		if (texts.size === 0) await server.catchUp(signal, path);
		const unwritten = texts.has(path) ? server.documents.get(path) : undefined;
		const document = unwritten ?? (await documentOnDisk(server, path, languageId));
		const busyBefore = server.readiness.busy;
		const why = options.whole ? whyIncomplete(server) : undefined;
		const query = new FileQuery(document, context);
		const found = await answer(query);
		const incomplete = await query.whyIncomplete(why);
		const busy = busyBefore ?? server.readiness.busy;
		return { answer: incomplete === undefined ? found : { ...found, incomplete }, busy };
	};
	const answerHeld = () => server.documents.hold(path, answerNow);
	return texts.size > 0 ? inTurnWithTexts(server, texts, signal, answerHeld) : server.turns.read(answerHeld);
}

export function textsFor(
	{ config, root }: Pick<LanguageServer, "config" | "root">,
	asked: string | undefined,
	texts: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
	const isOwn = (path: string) => path === asked || (matchesName(config, path) && isInside(path, root));
	return new Map([...texts].filter(([path]) => isOwn(path)));
}

function notIndexed({ path, display }: Located, { config }: LanguageServer, progress = ""): LspError {
	return new LspError("LSP_FILE_NOT_INDEXED", `${display} is not yet indexed by ${config.id}: ${progress}.`, {
		...aboutServer(config),
		file_path: path,
		progress,
		suggestion: "Wait for indexing to complete, then ask again.",
	});
}

export function whyIncomplete({ config, readiness }: LanguageServer): string | undefined {
	const { busy } = readiness;
	if (busy !== undefined) return `${config.id} is still busy: ${busy}. Ask again when it has settled.`;
	return config.loading?.never && `${config.loading.never}.`;
}
