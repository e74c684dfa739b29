import { LspError } from "../contract/errors.ts";
import { inTurnWithTexts } from "../diagnostics/preview.ts";
import { documentOnDisk } from "../diagnostics/sources/prove.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { FileQuery } from "../query/file-query.ts";
import { type CallContext, projectMs, questionLimit, textsFor, whyIncomplete } from "../query/run.ts";
import type { Located } from "../routing/locate.ts";
import { waitOrAbort } from "../util/abort.ts";

export interface FileAtServer {
	readonly server: LanguageServer;
	readonly languageId: string;
	readonly incomplete: string | undefined;
	onDisk<T>(work: (asked: FileQuery) => Promise<T>): Promise<T>;
	/** The server has another text meanwhile, and answers no other caller. */
	withText<T>(text: string, work: (asked: FileQuery) => Promise<T>): Promise<T>;
	/** Likewise with texts of several files, one of them this one. */
	withTexts<T>(texts: ReadonlyMap<string, string>, work: (asked: FileQuery) => Promise<T>): Promise<T>;
}

/** Asks the file's first language server. Rejects like `Pool.use`, and with LSP_UNSUPPORTED_FILE. */
export async function atServer<T>(
	call: CallContext,
	{ path, display, workspace, routes }: Located,
	work: (file: FileAtServer) => Promise<T>,
): Promise<T> {
	const route = routes.find(({ config }) => (config.role ?? "language") === "language");
	if (!route) throw new LspError("LSP_UNSUPPORTED_FILE", `No language server answers questions about ${display}.`);
	const limit = questionLimit(route.config.id, call.signal);
	const { signal } = limit;
	const context = { cwd: call.cwd, workspace, signal };
	const run = async (server: LanguageServer) => {
		await server.readiness.settled(projectMs, signal);
		await server.catchUp(signal, path);
		const { languageId } = route;
		const ask = <Answer>(document: OpenDocument, question: (asked: FileQuery) => Promise<Answer>) =>
			question(new FileQuery(document, { ...context, server }));
		const withTexts: FileAtServer["withTexts"] = (texts, question) =>
			inTurnWithTexts(server, textsFor(server, path, texts), signal, async () => {
				signal.throwIfAborted();
				const document = server.documents.get(path);
				if (!document) throw new LspError("LSP_SERVER_ERROR", `${display} cannot be shown to ${server.config.id}.`);
				return waitOrAbort(ask(document, question), signal);
			});
		return work({
			server,
			languageId,
			incomplete: whyIncomplete(server),
			onDisk: (question) =>
				server.turns.read(() =>
					server.documents.hold(path, async () => ask(await documentOnDisk(server, path, languageId), question)),
				),
			withText: (text, question) => withTexts(new Map([[path, text]]), question),
			withTexts,
		});
	};
	try {
		return await call.service.pool.use(route, { workspace, env: call.env, signal }, run, { path });
	} finally {
		limit.end();
	}
}

/** rust-analyzer misses users when it cannot load the project or its libraries. */
export function complaintOf({ config, complaint }: LanguageServer): string | undefined {
	return complaint.text === undefined ? undefined : `${config.id} said: ${complaint.text}`;
}
