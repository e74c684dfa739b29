import { dirname, join } from "node:path";
import type { Position } from "vscode-languageserver-protocol";
import { documentOnDisk } from "../diagnostics/sources/prove.ts";
import type { FileIndex } from "../impact/index/file-index.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { directoriesUp } from "../project/directories.ts";
import { languageOf } from "../project/file-match.ts";
import { statOf } from "../util/files.ts";
import { positionAt } from "../util/positions.ts";
import { documentSymbol } from "./document-symbols.ts";
import { type LocationResult, locationsIn } from "./locations.ts";

/** Fewer than the documents that a server holds open. */
const maxUsers = 50;

export interface UsersQuestion {
	readonly server: LanguageServer;
	readonly index: FileIndex;
	/** The file that the question is about. */
	readonly path: string;
	readonly name: string;
	readonly signal: AbortSignal;
}

/** True if the server knows only open files and what they import (`openFilesOnlyWithout`). */
export async function knowsOnlyOpenFiles({ config, root }: LanguageServer, path: string): Promise<boolean> {
	if (!config.openFilesOnlyWithout) return false;
	for (const directory of directoriesUp(dirname(path), root))
		for (const name of config.openFilesOnlyWithout) if (await statOf(join(directory, name))) return false;
	return true;
}

export interface Users {
	readonly opened: readonly OpenDocument[];
	/** False if there are too many. */
	readonly areAll: boolean;
}

/** Opens the files that hold a name, those first that import the file, and waits until the server has read them. */
export async function openUsers({ server, index, path, name, signal }: UsersQuestion): Promise<Users> {
	await index.read();
	const importers = new Set(await index.dependents(path, { all: true }));
	const holders = index.filesWith(new Set([name]), path).filter((file) => file !== path);
	const users = [...holders.filter((file) => importers.has(file)), ...holders.filter((file) => !importers.has(file))];
	const open = async (user: string) => {
		const document = await documentOnDisk(server, user, languageOf(server.config, user));
		// The answer comes after the server has built the file.
		await server.request(documentSymbol, { textDocument: { uri: document.uri } }, signal);
		return document;
	};
	const read = await Promise.allSettled(users.slice(0, maxUsers).map(open));
	signal.throwIfAborted();
	const opened = read.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
	return { opened, areAll: opened.length === users.length };
}

export interface Place {
	readonly uri: string;
	readonly position: Position;
}

const maxStandIns = 3;

/**
 * A use of a header's name in a C source, where the place of the header is the declaration; undefined if there is none.
 * Without a compile command clangd reads headers as C++, in which a function is another symbol than in C.
 */
export async function useInSource(
	server: LanguageServer,
	users: readonly OpenDocument[],
	{ uri, position, name }: Place & { readonly name: string },
	signal: AbortSignal,
): Promise<Place | undefined> {
	if (!/\.h$/i.test(uri)) return undefined;
	const sources = users.filter(({ path }) => path.endsWith(".c"));
	for (const source of sources.slice(0, maxStandIns)) {
		const offset = new RegExp(`\\b${escaped(name)}\\b`).exec(source.text)?.index;
		if (offset === undefined) continue;
		const use = { uri: source.uri, position: positionAt(offset, source.text, server.encoding) };
		const params = { textDocument: { uri: use.uri }, position: use.position };
		const declared = await server.request<LocationResult>("textDocument/declaration", params, signal);
		const isHere = locationsIn(declared).some((each) => each.uri === uri && each.range.start.line === position.line);
		if (isHere) return use;
	}
	return undefined;
}

function escaped(name: string): string {
	return name.replace(/\$/g, "\\$");
}
