import type { Location, Position } from "vscode-languageserver-protocol";
import { documentLines, type OpenDocument } from "../lsp/documents.ts";
import { toPosition, toSpot } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { isModule } from "../util/script-module.ts";
import { type Declared, declaredIn, isNameOf } from "./declared.ts";

/** What stands in front of the name of a function or a variable, and of no part of a pattern. */
const declares = /(?:\bfunction\b\s*\*?|\b(?:const|let|var)\b)\s*$/;

/**
 * The definition of a function or a variable of a TypeScript module that is asked about at its own name: that is the name
 * itself, and what the file declares says so without a question. Undefined where the server has to be asked: anything
 * else, and what is declared more than once (overloads, a namespace or a type of the same name).
 */
export async function ownDefinition(
	server: LanguageServer,
	document: OpenDocument,
	position: Position,
	signal?: AbortSignal,
): Promise<Location | undefined> {
	if (!/^typescript/.test(document.languageId)) return undefined;
	const lines = documentLines(document);
	const spot = toSpot(position, lines, server.encoding);
	const before = (lines[spot.line - 1] ?? "").slice(0, spot.column - 1).replace(/[\p{L}\p{N}_$]+$/u, "");
	if (!declares.test(before) || !isModule(document.text)) return undefined;
	const all = flat(await declaredIn(server, document, signal));
	const named = all.find((symbol) => isNameOf([symbol], spot));
	if (!named || all.some((other) => other !== named && other.path === named.path)) return undefined;
	const { line, column } = named.at;
	const [start, end] = [column, column + named.name.length].map((at) =>
		toPosition({ line, column: at }, lines, server.encoding),
	) as [Position, Position];
	return { uri: document.uri, range: { start, end } };
}

function flat(declared: readonly Declared[]): Declared[] {
	return declared.flatMap((symbol) => [symbol, ...flat(symbol.children)]);
}
