import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Deadline } from "../util/abort.ts";

/** What `askAtOnce` rejects with where the server had to be told something: it is up to date now, and to be asked again. */
export const toldMeanwhile = new Error("the server was told something meanwhile");

/**
 * Asks about a document with what the server was told so far, and looks meanwhile whether there was anything to tell: that
 * takes as long as a warm server takes for its answer, and nearly always there was nothing. Then the answer is of the
 * moment of the call. Undefined, and nothing is asked, where the server is known to be behind or knows too little of the
 * document. Rejects with `toldMeanwhile` where it had to be told something: what was asked is cancelled, by the end of
 * `limit`.
 *
 * `holds` is looked at beside it: what is false afterwards ends the question in the same way.
 *
 * `ask` gets what it may tell the server after (`current`): before that it may only send requests.
 */
export async function askAtOnce<Answer>(
	server: LanguageServer,
	path: string,
	limit: Deadline,
	ask: (
		document: OpenDocument,
		asking: { readonly current: Promise<void>; readonly signal: AbortSignal },
	) => Promise<Answer>,
	holds: () => Promise<boolean> = async () => true,
): Promise<{ readonly answer: Answer } | undefined> {
	const document = server.documents.inStep(path);
	if (!document || server.hasNews(path)) return undefined;
	const { told } = server;
	const { signal } = limit;
	// The look begins when the request is on its way: an immediate comes after all that a call does at once.
	const current = new Promise((resolve) => setImmediate(resolve))
		.then(() => Promise.all([holds(), server.catchUp(signal, path)]))
		.then(([held]) => {
			if (!held || server.told !== told || server.documents.inStep(path) !== document) throw toldMeanwhile;
		});
	const answer = ask(document, { current, signal });
	answer.catch(() => {});
	try {
		await current;
	} catch (thrown) {
		limit.end(true);
		throw thrown;
	}
	return { answer: await answer };
}
