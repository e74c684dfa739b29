import { cancelled } from "../errors.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import { aborter, deadline, waitOrAbort } from "../util/abort.ts";
import { type EditedFile, followed, knownToFail, queueOf } from "./others.ts";
import { outlookOf } from "./outlook.ts";
import { proveDocument, strategyOf } from "./prove.ts";
import type { Shape } from "./shape.ts";

/** How long a server holds a text that may never be written, in milliseconds. */
const heldMs = 10_000;
/** So many other files are asked about: no more than a server is asked for at once. */
const mostOthers = 8;

/**
 * Shows a server the text that an edit is about to write, and asks about it and about the files that it may break, while
 * the tool still writes it: what the server has worked out by then, the check need not wait for.
 *
 * Nobody else ever sees the text (design.md section 9): it is shown in a writer's turn, which is only taken while nobody
 * asks and ends as soon as somebody does, and by then the document is what its file is.
 *
 * The state before need not be certain: what is asked here counts for a check only if the server was told nothing since.
 */
export async function anticipate(place: EditedFile, before: Shape, next: string): Promise<void> {
	const { server, located, signal } = place;
	const { path } = located;
	await server.turns.writeWhileIdle(async (wanted) => {
		const { documents } = server;
		const old = documents.get(path);
		if (old?.hash !== before.document.hash) return;
		const asking = aborter();
		const held = deadline(heldMs, cancelled, signal);
		const ours = documents.set(path, old.languageId, next);
		try {
			const asked = askAbout({ ...place, signal: asking.signal }, before, ours);
			const dead = server.exited.then(() => asked);
			await waitOrAbort(Promise.race([wanted, dead, failureOf(asked)]), held.signal);
		} finally {
			held.end();
			// The text that a server has died of is the one that it was shown.
			if (server.state === "ready") await documents.reread(path);
			// It was written: then the answers on their way are those of the file as it is.
			if (documents.get(path)?.hash !== ours.hash) asking.abort();
		}
	});
}

/** Rejects when `work` does, and never resolves. */
function failureOf(work: Promise<unknown>): Promise<never> {
	return work.then(() => new Promise<never>(() => {}));
}

async function askAbout(place: EditedFile, before: Shape, document: OpenDocument): Promise<void> {
	const { server, signal, watched } = place;
	// One that looks at the disk itself may know more by the time of the check than it was told.
	const ahead = watched && strategyOf(server) === "pull";
	const own = proveDocument(server, document, { signal, ahead });
	own.catch(() => {});
	const queue = queueOf(place, undefined, { ahead });
	let room = mostOthers;
	const found = (other: string) => {
		if (room-- > 0) queue.add(other);
	};
	for (const known of knownToFail(place)) found(known);
	const outlook = outlookOf(before, document.text);
	if (outlook?.name !== undefined) await followed(place, found)(before, [outlook.name]);
	await Promise.all([own, queue.done()]);
}
