import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { aborter } from "../util/abort.ts";

/**
 * Asks about a document with what the server was told so far, and looks meanwhile whether there was anything to tell: that
 * takes as long as a warm server takes for its answer, and nearly always there was nothing. Then the answer is of the
 * moment of the call. Undefined where the server had to be told something, or knows too little of the document: what was
 * asked is cancelled, the server is up to date, and it is to be asked again.
 *
 * `holds` is looked at beside it: what is false afterwards ends the question in the same way.
 *
 * `ask` gets what it may tell the server after (`current`): before that it may only send requests.
 */
export async function askAtOnce<Answer>(
	server: LanguageServer,
	path: string,
	signal: AbortSignal,
	ask: (
		document: OpenDocument,
		asking: { readonly current: Promise<void>; readonly signal: AbortSignal },
	) => Promise<Answer>,
	holds: () => Promise<boolean> = async () => true,
): Promise<{ readonly answer: Answer } | undefined> {
	const document = server.documents.inStep(path);
	if (!document || server.hasNews(path)) return undefined;
	const { told } = server;
	const early = aborter();
	const end = () => early.abort(signal.reason);
	signal.addEventListener("abort", end, { once: true });
	try {
		// The look begins when the request is on its way: an immediate comes after all that a call does at once.
		const current = new Promise((resolve) => setImmediate(resolve))
			.then(() => Promise.all([holds(), server.catchUp(signal, path)]))
			.then(([held]) => {
				if (!held || server.told !== told || server.documents.inStep(path) !== document) throw outdated;
			});
		const answer = ask(document, { current, signal: early.signal });
		answer.catch(() => {});
		await current;
		return { answer: await answer };
	} catch (thrown) {
		early.abort();
		if (thrown !== outdated) throw thrown;
		return undefined;
	} finally {
		signal.removeEventListener("abort", end);
	}
}

const outdated = new Error("the server was told something meanwhile");
