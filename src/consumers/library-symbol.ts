import { LspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import { isOurs } from "../project/root.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import type { LocationList } from "../query/locations.ts";
import { askFirst } from "../query/run.ts";
import { displayPath } from "../routing/locate.ts";
import { realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import {
	type LocationResult,
	linesOf,
	locationsIn,
	type PositionEncoding,
	toPath,
	toSpot,
	toUri,
} from "../util/positions.ts";
import { anySource, readText } from "../util/read-file.ts";
import { type LibraryPackage, packageAround } from "./packages.ts";

const [definition, declaration, references] = [
	"textDocument/definition",
	"textDocument/declaration",
	"textDocument/references",
];
const referencesMs = 120_000;

/** A declaration, with links resolved. */
export interface Declared {
	readonly path: string;
	/** 1-based, in UTF-16 units. */
	readonly line: number;
	readonly column: number;
	/** The word that stands there. */
	readonly name: string;
	readonly text: string;
}

export interface LibrarySymbol {
	readonly name: string;
	/** Under which other files may name it: its own, and those under which the library exports it. */
	readonly names: ReadonlySet<string>;
	readonly declared: readonly [Declared, ...Declared[]];
	/** Displayed path of the first declaration. */
	readonly path: string;
	/** The directory of its package, or the workspace. */
	readonly home: string;
	readonly package: LibraryPackage | undefined;
	/** In the library itself. */
	readonly uses: LocationList;
	readonly incomplete: string | undefined;
}

/** Rejects like `locate` and `findPosition`, and with LSP_OUTSIDE_WORKSPACE if it is not declared in the caller's workspace. */
export async function librarySymbol(call: OperationCall, file: string, pointer: Pointer): Promise<LibrarySymbol> {
	const { located } = await call.service.locate(file, call.params);
	const { workspace } = located;
	const context = await call.context();
	const answer = (query: FileQuery) => declaredAndUsed(query, pointer);
	const options = { whole: true, ms: referencesMs };
	const { declared, uses, incomplete } = await askFirst(context, { located, answer, options });
	const [first, ...others] = declared.filter(({ path }) => isOurs(path, workspace));
	if (!first) {
		const [elsewhere] = declared;
		const where = elsewhere ? displayPath(elsewhere.path, context.cwd) : "no file";
		throw new LspError("LSP_OUTSIDE_WORKSPACE", `It is declared in ${where}, outside of this checkout.`, {
			file_path: located.path,
			suggestion: "Name a symbol that is declared here.",
		});
	}
	const own = await packageAround(first.path);
	return {
		name: first.name,
		names: new Set([first.name, ...uses.places.flatMap(({ text = "" }) => exportedAs(text, first.name))]),
		declared: [first, ...others],
		path: displayPath(first.path, context.cwd),
		home: own && isInside(own.directory, workspace) ? own.directory : workspace,
		package: own,
		uses,
		incomplete,
	};
}

async function declaredAndUsed(query: FileQuery, pointer: Pointer) {
	const { server, document } = query;
	const start = await query.position(pointer);
	const here = { uri: document.uri, range: { start, end: start } };
	const ask = async (method: string) =>
		server.offers(method) ? locationsIn(await query.request<LocationResult>(method, pointer)) : [];
	const [defined, alsoDeclared] = await Promise.all([ask(definition), ask(declaration)]);
	const places = [...defined, ...alsoDeclared];
	const declared = await declaredAt(places.length > 0 ? places : [here], server.encoding);
	const context = { includeDeclaration: true };
	const found = await query.request<LocationResult>(references, pointer, { context });
	const { places: all, ...counts } = await query.locations(found, { without: places.length > 0 ? places : [here] });
	return { declared, uses: { places: all, ...counts } };
}

/** Each place once; those of another scheme than `file:` are left out. */
export async function declaredAt(
	found: readonly { readonly uri: string; readonly range: { readonly start: { line: number; character: number } } }[],
	encoding: PositionEncoding,
): Promise<Declared[]> {
	const declared = new Map<string, Declared>();
	for (const { uri, range } of found) {
		const path = toPath(uri);
		if (path === undefined) continue;
		const real = (await realPathOf(path)) ?? path;
		const lines = linesOf((await readText(real, anySource)) ?? "");
		const { line, column } = toSpot(range.start, lines, encoding);
		const text = lines[line - 1] ?? "";
		const [name = ""] = /^[\p{L}\p{N}_$]*/u.exec(text.slice(column - 1)) ?? [];
		declared.set(`${toUri(real)}:${line}:${column}`, { path: real, line, column, name, text });
	}
	return [...declared.values()];
}

/** `export { greet as hello }`, `from .core import greet as hello`, `pub use core::greet as hello`, `export default greet`. */
function exportedAs(text: string, name: string): string[] {
	const word = name.replaceAll("$", "\\$");
	const renamed = [...text.matchAll(new RegExp(`(?<![\\w$])${word}\\s+as\\s+([\\p{L}_$][\\p{L}\\p{N}_$]*)`, "gu"))];
	return renamed.flatMap(([, other = ""]) => (other === "" ? [] : [other]));
}
