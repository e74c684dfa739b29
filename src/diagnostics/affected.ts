import { dirname, relative, sep } from "node:path";
import type { Location } from "vscode-languageserver-protocol";
import { toPath } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { isForeign, isInside } from "../workspace/root.ts";
import type { Shape, ShapeSymbol } from "./shape.ts";

/**
 * The files that use any of the declarations `paths` of a document that the server has now, nearest first.
 *
 * A declaration that only uses a changed one inside the same file may have changed its type with it (`const b = a()`),
 * so the users of those are asked for too, until nothing is added.
 */
export async function usersOf(
	server: LanguageServer,
	shape: Shape,
	paths: readonly string[],
	workspace: string,
	signal?: AbortSignal,
): Promise<string[]> {
	if (!server.offers("textDocument/references", "referencesProvider")) return [];
	const asked = new Set<string>();
	const files = new Set<string>();
	let wave = [...new Set(paths)];
	while (wave.length > 0) {
		for (const path of wave) asked.add(path);
		const locations = (await Promise.all(wave.map((path) => references(server, shape, path, signal)))).flat();
		const next = new Set<string>();
		for (const { uri, range } of locations) {
			const path = toPath(uri);
			if (path === undefined) continue;
			if (path !== shape.document.path) files.add(path);
			else for (const symbol of holdersOf(shape, range.start.line)) if (!asked.has(symbol.path)) next.add(symbol.path);
		}
		wave = [...next];
	}
	return [...files]
		.filter((path) => isInside(path, workspace) && !isForeign(path, workspace))
		.sort((a, b) => distance(shape.document.path, a) - distance(shape.document.path, b) || a.localeCompare(b));
}

async function references(
	server: LanguageServer,
	shape: Shape,
	path: string,
	signal?: AbortSignal,
): Promise<Location[]> {
	const symbol = shape.symbols.get(path);
	if (!symbol) return [];
	const found = await server.request<Location[] | null>(
		"textDocument/references",
		{
			textDocument: { uri: shape.document.uri },
			position: symbol.selection.start,
			// An import or a re-export that uses nothing else is a declaration too, for TypeScript.
			context: { includeDeclaration: true },
		},
		signal,
	);
	return found ?? [];
}

function holdersOf(shape: Shape, line: number): ShapeSymbol[] {
	return [...shape.symbols.values()].filter(
		({ range, members }) => !members && range.start.line <= line && range.end.line >= line,
	);
}

/** How many directories lie between two files. */
function distance(from: string, to: string): number {
	return relative(dirname(from), to).split(sep).length;
}
