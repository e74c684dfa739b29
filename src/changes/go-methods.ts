import type { FileQuery } from "../query/file-query.ts";
import { type LocationResult, locationsIn, type Spot } from "../util/positions.ts";
import { type DeclaredSymbol, plainNameOf } from "./declared-symbols.ts";
import type { FileOutline, FileOutlines } from "./file-outlines.ts";
import { type FilesNaming, filesWithName } from "./named-users.ts";
import { type User, usersIn } from "./users.ts";

const implementation = "textDocument/implementation";

export interface UnseenGoCalls {
	readonly users: readonly User[];
	/** Code outside of the workspace may call it, through an interface or by reflection. */
	readonly isOpen: boolean;
	readonly isExported: boolean;
}

export function isGoMethod(path: string, { text }: Pick<DeclaredSymbol, "text">): boolean {
	return path.endsWith(".go") && /^func\s*\(/.test(text);
}

/** Interfaces inside functions, which `implementation` does not name outside of the workspace. */
const calledUnnamed =
	/^(?:As|CancelRequest|Cause|CloseWrite|Elem|Equal|Error|Format|GoString|Is|IsBoolFlag|Name|StackTrace|String|Temporary|Timeout|Unwrap)$/;

/** Words of code that calls methods whose names no Go file needs to hold. */
const reflecting: readonly string[] = ["ParseFiles", "ParseGlob", "ParseFS", "NumMethod", "embed", "rpc"];
const reflects = /\b(?:ParseFiles|ParseGlob|ParseFS|NumMethod)\s*\(|"(?:embed|net\/rpc(?:\/\w+)?)"/;

/** True if templates stand in files, or methods are called by their number. */
export async function callsAnyMethod(
	asked: FileQuery,
	path: string,
	outlines: FileOutlines,
	filesNaming: FilesNaming,
): Promise<boolean> {
	for (const word of reflecting)
		for (const file of await filesNaming(word, path)) {
			const outline = await outlines.of(asked, file);
			if (!outline || outline.lines.some((line) => reflects.test(line))) return true;
		}
	return false;
}

/** What `references` of a method does not name; that of an unexported one names all of its calls. */
export async function unseenGoCalls(
	asked: FileQuery,
	{ path, symbol }: { readonly path: string; readonly symbol: DeclaredSymbol },
	outlines: FileOutlines,
	filesNaming: FilesNaming,
): Promise<UnseenGoCalls> {
	const name = plainNameOf(symbol);
	if (!/^\p{Lu}/u.test(name)) return { users: [], isOpen: false, isExported: false };
	const users: User[] = [];
	for (const file of await filesWithName(asked, { path, name }, outlines, filesNaming)) {
		const places = file.outline ? calledByText(file.outline, name) : [{ line: 1, column: 1 }];
		const found = places.map((place) => ({ ...place, test: file.isTest }));
		users.push(...(await usersIn(asked, file.path, found, outlines)));
	}
	const isOpen = calledUnnamed.test(name) || (await isOfForeignInterface(asked, path, symbol));
	return { users, isOpen, isExported: true };
}

/** Places in actions of templates, or in quotes. */
export function calledByText({ lines }: Pick<FileOutline, "lines">, name: string): Spot[] {
	const found: Spot[] = [];
	let isAction = false;
	const parts = new RegExp(`\\{\\{|\\}\\}|\\.${name}(?!\\w)|["\`]${name}["\`]`, "g");
	for (const [index, text] of lines.entries())
		for (const { 0: part, index: at } of text.matchAll(parts)) {
			if (part === "{{" || part === "}}") isAction = part === "{{";
			else if (isAction || !part.startsWith(".")) found.push({ line: index + 1, column: at + 2 });
		}
	return found;
}

async function isOfForeignInterface(asked: FileQuery, path: string, symbol: DeclaredSymbol): Promise<boolean> {
	if (!asked.server.offers(implementation)) return true;
	const ask = (query: FileQuery) => query.request<LocationResult>(implementation, { ...symbol.at }, {});
	const found = locationsIn(await asked.inAnyFile(path, ask));
	return found.some(({ uri }) => !asked.isOwn(uri));
}
