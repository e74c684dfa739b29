import type { Location, Position } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import { familyOf } from "../impact/index/sources.ts";
import { isOurs } from "../project/root.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import { declarationAround, everySymbol, nameStart } from "../query/find-symbol.ts";
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
	toPosition,
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

/** With links resolved. */
export interface Declared {
	readonly path: string;
	/** 1-based, in UTF-16 units. */
	readonly line: number;
	readonly column: number;
	readonly name: string;
	readonly text: string;
}

export interface LibrarySymbol {
	readonly name: string;
	/** Its own, and those under which the library exports it. */
	readonly names: ReadonlySet<string>;
	readonly isDefault: boolean;
	readonly declared: readonly [Declared, ...Declared[]];
	readonly path: string;
	/** Of its package, or the workspace. */
	readonly home: string;
	readonly package: LibraryPackage | undefined;
	readonly uses: LocationList;
	readonly incomplete: string | undefined;
}

/**
 * Rejects like `locate` and `findPosition`, and with LSP_OUTSIDE_WORKSPACE if it is not declared in the caller's
 * workspace.
 */
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
	const declaredNames = [...new Set([first, ...others].filter(isUsable).map(({ name }) => name))];
	const exported = declaredNames.flatMap((name) => uses.places.flatMap(({ text = "" }) => exportedAs(text, name)));
	const isDefault = exported.includes("default") || (isScript(first.path) && /\bexport\s+default\b/.test(first.text));
	const names = new Set([...declaredNames, ...exported].filter((name) => name !== "default"));
	if (names.size === 0 && !isDefault)
		throw new LspError("LSP_SYMBOL_NOT_FOUND", "What stands there has no name under which others could use it.");
	return {
		name: declaredNames[0] ?? "default",
		names,
		isDefault,
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
	const places = defined.length + alsoDeclared.length > 0 ? [...defined, ...alsoDeclared] : [here];
	const declared = await declaredAt([...places, ...(await classOf(query, start))], server.encoding);
	const context = { includeDeclaration: true };
	const found = await query.request<LocationResult>(references, pointer, { context });
	const { places: all, ...counts } = await query.locations(found, { without: places });
	return { declared, uses: { places: all, ...counts } };
}

async function classOf(query: FileQuery, position: Position): Promise<Location[]> {
	const all = everySymbol(await query.allSymbols());
	const spot = query.toSpot(position);
	const around = declarationAround(await query.allSymbols(), spot)?.[0];
	if (!around || !constructors.test(around.name)) return [];
	const outer = all.find(({ path }) => `${path}.${around.name}` === around.path);
	if (!outer) return [];
	const start = toPosition(nameStart(outer, query.lines), query.lines, query.server.encoding);
	return [{ uri: query.document.uri, range: { start, end: start } }];
}

/** Each place once, only of the scheme `file:`. */
export async function declaredAt(found: readonly Location[], encoding: PositionEncoding): Promise<Declared[]> {
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

/** TypeScript points at the keyword of a nameless default export. */
const keyword = /^(?:export|default|function|class|async)$/;
const constructors = /^(?:constructor|__init__|__new__)$/;

function isUsable({ name, path }: Declared): boolean {
	return name !== "" && !constructors.test(name) && !(isScript(path) && keyword.test(name));
}

function isScript(path: string): boolean {
	return familyOf(path) === "script";
}

/** `export { greet as hello }`, `from .core import greet as hello`, `pub use core::greet as hello`, `export default greet`. */
function exportedAs(text: string, name: string): string[] {
	const word = name.replaceAll("$", "\\$");
	const renamed = [...text.matchAll(new RegExp(`(?<![\\w$])${word}\\s+as\\s+([\\p{L}_$][\\p{L}\\p{N}_$]*)`, "gu"))];
	const isDefault = new RegExp(`\\bexport\\s+default\\s+${word}\\s*;?\\s*$`).test(text);
	return [...renamed.flatMap(([, other = ""]) => (other === "" ? [] : [other])), ...(isDefault ? ["default"] : [])];
}
