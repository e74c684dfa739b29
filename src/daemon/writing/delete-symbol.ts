import type { Location, TextEdit } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { parseFile } from "../../impact/outline/parse-file.ts";
import { deleteSymbol } from "../../planning/symbols/place-code.ts";
import { spanInTree } from "../../planning/symbols/symbol-span.ts";
import { textEditsOf } from "../../planning/text-edits.ts";
import { nameStart } from "../../query/find-symbol.ts";
import { type LocationResult, locationsIn } from "../../util/positions.ts";
import { offsets, refused, type SelectedSymbol } from "./select-symbol.ts";

const maxNamed = 10;

/**
 * Deletes a symbol's other declarations in C or C++, by URI. Rejects with LSP_EDIT_REFUSED for a symbol in use,
 * LSP_FILE_NOT_INDEXED for a busy server.
 */
export async function deletedElsewhere(selected: SelectedSymbol): Promise<Record<string, TextEdit[]>> {
	const { asked, text, spans, group, parsed } = selected;
	const entry = group[0]!;
	const { busy } = asked.server.readiness;
	const { id } = asked.server.config;
	if (busy !== undefined)
		throw new LspError("LSP_FILE_NOT_INDEXED", `${id} is still busy (${busy}) and might miss users of it.`);
	// TypeScript 7 counts names in imports among declarations.
	const context = { includeDeclaration: true };
	const name = nameStart(entry, asked.lines);
	const found = await asked.request<Location[] | null>("textDocument/references", name, { context });
	const own = asked.document.uri;
	const offsetOf = offsets(text);
	const isOutside = ({ uri, range }: Location) => {
		const offset = offsetOf(asked.toSpot(range.start));
		return uri !== own || !spans.some(({ top, closed }) => top <= offset && offset < closed);
	};
	const declarations = parsed?.family === "c" ? await declarationsOf(selected) : new Map<string, Location>();
	const users = (found ?? []).filter((location) => isOutside(location) && !declarations.has(keyOf(location)));
	if (users.length > 0) throw await inUse(selected, users);
	const deletions: Record<string, TextEdit[]> = {};
	for (const location of declarations.values())
		if (isOutside(location) && asked.isOwn(location.uri))
			deletions[location.uri] = [...(deletions[location.uri] ?? []), ...(await deletionAt(selected, location))];
	return deletions;
}

/** clangd answers a definition with its declaration and the reverse; its references lack those in headers. */
async function declarationsOf({ asked, group }: SelectedSymbol): Promise<ReadonlyMap<string, Location>> {
	const name = nameStart(group[0]!, asked.lines);
	const methods = ["textDocument/declaration", "textDocument/definition"];
	const offered = methods.filter((method) => asked.server.offers(method));
	const found = await Promise.all(offered.map((method) => asked.request<LocationResult>(method, name)));
	return new Map(found.flatMap(locationsIn).map((location) => [keyOf(location), location]));
}

function keyOf({ uri, range: { start } }: Pick<Location, "uri" | "range">): string {
	return `${start.line}:${start.character} ${uri}`;
}

async function inUse({ asked, group }: SelectedSymbol, users: readonly Location[]): Promise<LspError> {
	const { path } = group[0]!;
	const { places } = await asked.locations(users);
	const named = places.slice(0, maxNamed).map((place) => `${place.path}:${place.line}`);
	const more = users.length > named.length ? ` and ${users.length - named.length} more` : "";
	const what = users.length === 1 ? "one place refers" : `${users.length} places refer`;
	return new LspError("LSP_EDIT_REFUSED", `${path} is not deleted: ${what} to it: ${named.join(", ")}${more}.`, {
		references: places.slice(0, maxNamed),
		suggestion: "Nothing was written. Change these places first.",
	});
}

function deletionAt({ asked, group }: SelectedSymbol, { uri, range }: Location): Promise<TextEdit[]> {
	const shown = asked.displayUri(uri);
	return asked.inFile(shown, async (other) => {
		const { path, text: onDisk } = other.document;
		const text = onDisk.replace(/\r\n/g, "\n");
		const spot = other.toSpot(range.start);
		const parsed = await parseFile(path, text);
		const span = parsed && spanInTree(parsed, text, offsets(text)(spot));
		if (!span || span.isShared)
			throw refused(`${group[0]!.path} is not deleted: ${shown}:${spot.line} declares it together with others.`);
		return textEditsOf(deleteSymbol({ text, span, isPython: false }), text, other.server.encoding);
	});
}
