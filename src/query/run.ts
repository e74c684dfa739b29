import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import type { Service } from "../daemon/service.ts";
import { documentOnDisk } from "../diagnostics/sources/prove.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import type { Located, Route } from "../routing/locate.ts";
import { deadline } from "../util/abort.ts";
import { type FileQuery, fileQuery } from "./file-query.ts";

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
	readonly service: Service;
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
	work: (asked: FileQuery) => Promise<Answer>,
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
	work: (asked: FileQuery) => Promise<Answer>,
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

/** Asks one server within the time that a question may take. */
async function askOne<Answer extends object>(
	{ service, cwd, env, signal }: Asker,
	located: Located,
	route: Route,
	work: (asked: FileQuery) => Promise<Answer>,
	{ whole = false, isEmpty }: AskOptions<Answer>,
): Promise<Noted<Answer>> {
	const limit = deadline(
		defaultAskMs,
		() => new LspError("LSP_SERVER_TIMEOUT", `${route.config.id} did not answer within ${defaultAskMs / 1000} s.`),
		signal,
	);
	const { path, workspace } = located;
	const about = { workspace, cwd, signal: limit.signal };
	const once = (server: LanguageServer) =>
		server.turns.read(() =>
			server.documents.hold(path, async () => {
				await server.catchUp(limit.signal, path);
				const document = await documentOnDisk(server, path, route.languageId);
				// What a server was still reading when it was asked may be missing in what it answers.
				const before = server.readiness.busy;
				const incomplete = whole ? whyIncomplete(server) : undefined;
				const answer = await work(fileQuery(document, { server, ...about }));
				const busy = before ?? server.readiness.busy;
				return { busy, answer: incomplete === undefined ? answer : { ...answer, incomplete } };
			}),
		);
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
		return await service.pool.use(route, workspace, env, limit.signal, question, { path });
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
