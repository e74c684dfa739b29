import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../../lsp/server.ts";
import { statOf } from "../../util/files.ts";
import { hashOf } from "../../util/hash.ts";
import { isInside } from "../../util/paths.ts";
import { linesOf } from "../../util/positions.ts";
import { maxSourceBytes, readText } from "../../util/read-file.ts";
import { convertDiagnostics } from "./convert.ts";
import type { Proof } from "./prove.ts";

/** A file system may date a change by the clock's last tick: 4 to 10 ms before it happened. */
const tickMs = 20;

/** When a question was sent. */
export interface Moment {
	readonly sentAt: number;
	readonly wallClock: number;
}

export function momentOf(): Moment {
	return { sentAt: performance.now(), wallClock: Date.now() };
}

/**
 * The proof of a file that an answer told of by the way: for the content that the file had when the question was sent.
 * Undefined if the document or the file has changed since, or just before: then it is asked about by itself.
 */
export async function proofBeside(
	server: LanguageServer,
	path: string,
	items: readonly ProtocolDiagnostic[],
	asked: Moment,
): Promise<Proof | undefined> {
	const text = await textAt(server, path, asked);
	if (text === undefined) return undefined;
	return { path, text, hash: hashOf(text), diagnostics: convertDiagnostics(items, linesOf(text), server.encoding) };
}

async function textAt(server: LanguageServer, path: string, asked: Moment): Promise<string | undefined> {
	const document = server.documents.get(path);
	if (document) return document.sentAt <= asked.sentAt ? document.text : undefined;
	// A server may name anything; what lies elsewhere is asked about by nobody, and so is what it says of it.
	const folder = server.folders.find((candidate) => isInside(path, candidate));
	if (folder === undefined) return undefined;
	const text = await readText(path, { maxBytes: maxSourceBytes, within: folder });
	const info = await statOf(path);
	const isOld = info !== undefined && Number(info.ctimeMs) + tickMs < asked.wallClock;
	return isOld && !server.documents.get(path) ? text : undefined;
}
