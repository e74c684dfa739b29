import { dirname, join } from "node:path";
import type { Position } from "vscode-languageserver-protocol";
import { Configurations } from "../../diagnostics/sources/loaded-project.ts";
import { documentOnDisk } from "../../diagnostics/sources/prove.ts";
import type { FileIndex } from "../../impact/index/file-index.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { directoriesUp } from "../../project/directories.ts";
import { languageOf } from "../../project/file-match.ts";
import { statOf } from "../../util/files.ts";
import { type LocationResult, locationsIn, positionAt } from "../../util/positions.ts";
import { documentSymbol } from "../document-symbols.ts";

/** Fewer than a server's open documents. */
const maxUsers = 50;

export interface UsersQuestion {
	readonly server: LanguageServer;
	readonly index: FileIndex;
	readonly watched: boolean;
	readonly unknown: UsersScope;
	readonly path: string;
	readonly name: string;
	readonly signal: AbortSignal;
}

/** Known only while open: all, or those of no project. */
export type UsersScope = "all" | "outside";

export async function usersScope({ config, root }: LanguageServer, path: string): Promise<UsersScope | undefined> {
	if (!config.openFilesOnlyWithout) return undefined;
	for (const directory of directoriesUp(dirname(path), root))
		for (const name of config.openFilesOnlyWithout) if (await statOf(join(directory, name))) return "outside";
	return "all";
}

export interface Users {
	readonly opened: readonly OpenDocument[];
	readonly areAll: boolean;
	readonly left: number;
}

/** Importers first; afterwards the server has read all. */
export async function openFilesUsing(question: UsersQuestion): Promise<Users> {
	const { server, unknown, signal } = question;
	const { importing, others } = await filesHolding(question);
	const candidates = unknown === "all" ? [...importing, ...others] : await outsideProjects(question, importing);
	const users = candidates.filter((file) => !server.documents.isOverlaid(file));
	const open = async (user: string) => {
		const document = await documentOnDisk(server, user, languageOf(server.config, user));
		await server.request(documentSymbol, { textDocument: { uri: document.uri } }, signal);
		return document;
	};
	const read = await Promise.allSettled(users.slice(0, maxUsers).map(open));
	signal.throwIfAborted();
	const opened = read.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
	const left = users.length - opened.length;
	return { opened, areAll: unknown === "all" && left === 0, left };
}

export async function filesHolding({
	index,
	watched,
	path,
	name,
}: Pick<UsersQuestion, "index" | "watched" | "path" | "name">): Promise<{
	readonly importing: string[];
	readonly others: string[];
}> {
	await index.read({ watched });
	const importers = new Set(await index.dependents(path, { all: true, watched }));
	const holders = index.filesWith(new Set([name]), path).filter((file) => file !== path);
	return {
		importing: holders.filter((file) => importers.has(file)),
		others: holders.filter((file) => !importers.has(file)),
	};
}

async function outsideProjects({ server, path, signal }: UsersQuestion, paths: readonly string[]): Promise<string[]> {
	const unopened = paths.filter((other) => !server.documents.get(other));
	if (unopened.length === 0) return [];
	const outside = await server.part(Configurations).outside(unopened, path, signal);
	signal.throwIfAborted();
	return outside;
}

export interface UriPosition {
	readonly uri: string;
	readonly position: Position;
}

const maxStandIns = 3;

/** Without a compile command clangd reads headers as C++, where a C function is another symbol. */
export async function useInSource(
	server: LanguageServer,
	users: readonly OpenDocument[],
	{ uri, position, name }: UriPosition & { readonly name: string },
	signal: AbortSignal,
): Promise<UriPosition | undefined> {
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
