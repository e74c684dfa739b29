import type { Position } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../lsp/server.ts";
import { isObject } from "../util/objects.ts";
import { linesOf, type PositionEncoding, toPath, toPosition, toSpot } from "../util/positions.ts";
import { anySource, readText } from "../util/read-file.ts";

type LinesOf = (uri: string) => Promise<readonly string[]>;

/** Of the open document, else the disk. */
export function linesAt(server: Pick<LanguageServer, "documents">): LinesOf {
	const known = new Map<string, Promise<readonly string[]>>();
	const read = async (uri: string) => {
		const path = toPath(uri);
		if (path === undefined) return [];
		return linesOf(server.documents.get(path)?.text ?? (await readText(path, anySource)) ?? "");
	};
	return (uri) => {
		const lines = known.get(uri) ?? read(uri);
		known.set(uri, lines);
		return lines;
	};
}

/** Positions without a URI are in `uri`. Leaves what only the server reads (`data`, arguments of commands). */
export async function convertPositions<Value>(
	value: Value,
	uri: string,
	{ from, to }: { readonly from: PositionEncoding; readonly to: PositionEncoding },
	linesOfUri: LinesOf,
): Promise<Value> {
	if (from === to) return value;
	const walk = async (part: unknown, here: string): Promise<unknown> => {
		if (typeof part !== "object" || part === null) return part;
		if (Array.isArray(part)) return Promise.all(part.map((each) => walk(each, here)));
		if (isPosition(part)) {
			const lines = await linesOfUri(here);
			return lines.length === 0 ? part : toPosition(toSpot(part, lines, from), lines, to);
		}
		const fields = part as Readonly<Record<string, unknown>>;
		const entries = Object.entries(fields).map(async ([name, field]): Promise<[string, unknown]> => {
			if (name === "data" || name === "arguments") return [name, field];
			if (name === "changes" && isObject(field)) return [name, await walkChanges(field)];
			return [name, await walk(field, uriOf(name, fields, here))];
		});
		return Object.fromEntries(await Promise.all(entries));
	};
	const walkChanges = async (changes: Readonly<Record<string, unknown>>) =>
		Object.fromEntries(
			await Promise.all(Object.entries(changes).map(async ([name, edits]) => [name, await walk(edits, name)] as const)),
		);
	return (await walk(value, uri)) as Value;
}

function uriOf(name: string, fields: Readonly<Record<string, unknown>>, here: string): string {
	const { uri, targetUri, textDocument, from } = fields;
	const own = (value: unknown) => (isObject(value) && typeof value.uri === "string" ? value.uri : undefined);
	if (name === "targetRange" || name === "targetSelectionRange")
		return typeof targetUri === "string" ? targetUri : here;
	if (name === "fromRanges") return own(from) ?? here;
	if (name === "edits") return own(textDocument) ?? here;
	return typeof uri === "string" ? uri : here;
}

function isPosition(value: object): value is Position {
	const { line, character } = value as Partial<Position>;
	return typeof line === "number" && typeof character === "number";
}
