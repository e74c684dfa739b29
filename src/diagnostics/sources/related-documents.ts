import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../../lsp/server.ts";
import { statOf } from "../../util/files.ts";
import { hashOf } from "../../util/hash.ts";
import { isInside } from "../../util/paths.ts";
import { linesOf } from "../../util/positions.ts";
import { maxSourceBytes, readText } from "../../util/read-file.ts";
import { convertDiagnostics } from "./convert.ts";
import type { Proof } from "./prove.ts";

/** File systems may date a change by the last tick. */
const tickMs = 20;

export interface RequestTime {
	/** By performance.now(). */
	readonly sentAt: number;
	/** In ms since 1970. */
	readonly wallClock: number;
}

export function requestTime(): RequestTime {
	return { sentAt: performance.now(), wallClock: Date.now() };
}

/** Undefined if the text changed since, or just before, the request. */
export async function relatedProof(
	server: LanguageServer,
	path: string,
	items: readonly ProtocolDiagnostic[],
	asked: RequestTime,
): Promise<Proof | undefined> {
	const text = await textAt(server, path, asked);
	if (text === undefined) return undefined;
	const diagnostics = await convertDiagnostics(items, linesOf(text), server.encoding);
	return { path, text, hash: hashOf(text), diagnostics };
}

async function textAt(server: LanguageServer, path: string, asked: RequestTime): Promise<string | undefined> {
	const document = server.documents.get(path);
	if (document) return document.sentAt <= asked.sentAt ? document.text : undefined;
	const folder = server.folders.find((candidate) => isInside(path, candidate));
	if (folder === undefined) return undefined;
	const text = await readText(path, { maxBytes: maxSourceBytes, within: folder });
	const info = await statOf(path);
	const isOld = info !== undefined && Number(info.ctimeMs) + tickMs < asked.wallClock;
	return isOld && !server.documents.get(path) ? text : undefined;
}
