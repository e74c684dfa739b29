import type { Location, Range } from "vscode-languageserver-protocol";
import { documentOnDisk } from "../../diagnostics/sources/prove.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { languageOf } from "../../project/file-match.ts";
import {
	type LocationResult,
	linesOf,
	locationsIn,
	positionAt,
	toPath,
	toPosition,
	toSpot,
} from "../../util/positions.ts";
import type { UriPosition } from "./open-users.ts";

const [maxFiles, maxUses, askedAtOnce] = [50, 200, 8];

interface RequiredUse {
	readonly location: Location;
	readonly document: OpenDocument;
	readonly offset: number;
	readonly definitions: readonly Location[];
}

export interface RequiredUses {
	readonly uses: readonly RequiredUse[];
	readonly left: number;
}

export interface RequiredQuestion {
	readonly server: LanguageServer;
	readonly importing: (path: string, name: string) => Promise<readonly string[]>;
	readonly at: UriPosition & { readonly name: string };
	readonly found: readonly Location[];
	readonly signal: AbortSignal;
}

/**
 * Uses of a JavaScript file's `exports` in files that require it. TypeScript 7.0 leaves them out of references and
 * renames, but knows their definitions (docs/facts.md, 38).
 */
export async function requiredUses(question: RequiredQuestion): Promise<RequiredUses> {
	const { server, importing, at, found, signal } = question;
	const definitionsAt = async ({ uri, position }: UriPosition) => {
		const params = { textDocument: { uri }, position };
		return locationsIn(await server.request<LocationResult>("textDocument/definition", params, signal));
	};
	const declared = await definitionsAt(at);
	const home = declared[0]?.uri ?? at.uri;
	const path = toPath(home);
	if (path === undefined || !/\.[cm]?jsx?$/.test(path)) return { uses: [], left: 0 };
	const exporting = await documentOnDisk(server, path, languageOf(server.config, path));
	if (!/\bexports\b/.test(exporting.text)) return { uses: [], left: 0 };
	const lines = linesOf(exporting.text);
	const exportOf = (each: Location) =>
		each.uri === home ? exportedAs(each, { lines, encoding: server.encoding, name: at.name }) : each;
	const own = new Set(
		[...found, ...declared]
			.filter(({ uri }) => uri === home)
			.map(exportOf)
			.map(startOf),
	);
	const files = await importing(path, at.name);
	const known = new Set(found.map(startOf));
	const uses: RequiredUse[] = [];
	let [asked, read] = [0, 0];
	for (const file of files.slice(0, maxFiles)) {
		if (asked >= maxUses) break;
		read++;
		const document = await documentOnDisk(server, file, languageOf(server.config, file));
		const offsets = offsetsOf(at.name, document.text).slice(0, maxUses - asked);
		asked += offsets.length;
		for (let first = 0; first < offsets.length; first += askedAtOnce) {
			const some = offsets.slice(first, first + askedAtOnce).map(async (offset) => {
				const position = positionAt(offset, document.text, server.encoding);
				const definitions = (await definitionsAt({ uri: document.uri, position })).map(exportOf);
				return { offset, position, definitions };
			});
			for (const { offset, position, definitions } of await Promise.all(some)) {
				if (!definitions.some((each) => own.has(startOf(each)))) continue;
				const end = positionAt(offset + at.name.length, document.text, server.encoding);
				const location = { uri: document.uri, range: { start: position, end } };
				if (!known.has(startOf(location))) uses.push({ location, document, offset, definitions });
			}
		}
	}
	return { uses, left: files.length - read };
}

interface Exporting {
	readonly lines: readonly string[];
	readonly encoding: LanguageServer["encoding"];
	readonly name: string;
}

/** The server takes the function in `exports.name = function name…` for the definition. */
function exportedAs(location: Location, { lines, encoding, name }: Exporting): Location {
	const { line, column } = toSpot(location.range.start, lines, encoding);
	const before = (lines[line - 1] ?? "").slice(0, column - 1);
	const assigned = new RegExp(
		`\\bexports\\.(?=${escaped(name)}\\s*=\\s*(?:async\\s+)?(?:function\\s*\\*?|class)\\s*$)`,
	);
	const found = assigned.exec(before);
	if (!found) return location;
	const start = { line, column: found.index + found[0].length + 1 };
	const end = { line, column: start.column + name.length };
	return { ...location, range: { start: toPosition(start, lines, encoding), end: toPosition(end, lines, encoding) } };
}

function offsetsOf(name: string, text: string): number[] {
	const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(name)}(?![\\p{L}\\p{N}_$])`, "gu");
	return [...text.matchAll(word)].map(({ index }) => index);
}

function escaped(name: string): string {
	return name.replaceAll("$", "\\$");
}

export function startOf({ uri, range: { start } }: { readonly uri: string; readonly range: Range }): string {
	return `${start.line}:${start.character} ${uri}`;
}
