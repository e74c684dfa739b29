import { basename, dirname, relative, resolve } from "node:path";
import { asLspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import { declarationsOf } from "../impact/declarations.ts";
import type { FileIndex } from "../impact/index/file-index.ts";
import { isSource } from "../impact/index/sources.ts";
import { WantedNames } from "../impact/outline/identifier-filter.ts";
import type { UnusedReport } from "../operations/unused.ts";
import { Directories, directoriesUp } from "../project/directories.ts";
import { isTestPath } from "../project/test-paths.ts";
import { workspaceOf } from "../project/workspace-of.ts";
import type { FileQuery } from "../query/file-query.ts";
import { askFirst } from "../query/run.ts";
import { linesOf } from "../util/positions.ts";
import { anySource, readText } from "../util/read-file.ts";
import { complaintOf } from "./at-server.ts";
import { type DeclaredSymbol, linesOutside, plainNameOf } from "./declared-symbols.ts";
import { FileOutlines } from "./file-outlines.ts";
import { isSeen } from "./symbol-changes.ts";
import { isEntryPoint, isRegistered, isSpecialName, mayImplement, typeOf } from "./unseen-uses.ts";
import { type User, usersOf } from "./users.ts";

type UnusedSymbol = UnusedReport["unused"][number];

export interface Unused {
	readonly symbols: readonly UnusedSymbol[];
	readonly asked: number;
	readonly unread: readonly { readonly path: string; readonly reason: string }[];
	readonly incomplete?: string;
}

const kinds = /^(?:function|method|class|interface|struct|enum|variable|constant|constructor|module|object|trait)$/;
const filesAtOnce = 4;
const symbolsAtOnce = 6;
const fileMs = 120_000;

/** Rejects like `locate` for a single file. */
export async function unusedSymbols(call: OperationCall, files: readonly string[]): Promise<Unused> {
	const { cwd } = await call.context();
	const workspace = await workspaceOf(cwd);
	const index = call.service.indexOf(workspace);
	await index.read({ watched: await call.service.watches.areCurrent(workspace) });
	const directories = new Directories();
	const symbols: UnusedSymbol[] = [];
	const unread: { path: string; reason: string }[] = [];
	let [asked, incomplete]: [number, string | undefined] = [0, undefined];
	const ofFile = async (file: string) => {
		// Every part of a data file would be unused.
		if (isTestPath(relative(workspace, resolve(cwd, file))) || (files.length > 1 && !isSource(file))) return;
		try {
			const { located } = await call.service.locate(file, call.params);
			const answer = (query: FileQuery) => unusedIn(query, { index, directories, workspace });
			const found = await askFirst(await call.context(), { located, answer, options: { whole: true, ms: fileMs } });
			symbols.push(...found.symbols);
			asked += found.asked;
			incomplete ??= found.incomplete;
		} catch (thrown) {
			call.signal.throwIfAborted();
			if (files.length === 1) throw thrown;
			unread.push({ path: file, reason: asLspError(thrown).message });
		}
	};
	for (let at = 0; at < files.length; at += filesAtOnce) {
		call.signal.throwIfAborted();
		await Promise.all(files.slice(at, at + filesAtOnce).map(ofFile));
	}
	return { symbols, asked, unread, ...(incomplete === undefined ? {} : { incomplete }) };
}

interface Surroundings {
	readonly index: FileIndex;
	readonly directories: Directories;
	readonly workspace: string;
}

async function unusedIn(query: FileQuery, around: Surroundings) {
	const outlines = new FileOutlines();
	const file = query.displayPath(query.document.path);
	const outline = await outlines.of(query, file);
	const { path, text } = query.document;
	const seen = await declarationsOf(path, text);
	const symbols: UnusedSymbol[] = [];
	const candidates = [...(outline?.declared.values() ?? [])].filter(
		(each) => kinds.test(each.kind) && !isEntryPoint(path, each.path) && !isTestModule(each) && !isRustPart(path, each),
	);
	for (let at = 0; at < candidates.length; at += symbolsAtOnce) {
		query.signal.throwIfAborted();
		const some = candidates.slice(at, at + symbolsAtOnce).map(async (declared) => {
			const users = await usersOf(query, declared, outlines);
			if (!outline || users.some(({ isTest }) => !isTest)) return;
			const judged = await judge(declared, users, { query, outline, isSeen: seen && isSeen(declared, seen) }, around);
			const { symbol, kind, line } = { symbol: declared.path, kind: declared.kind, line: declared.at.line };
			if (judged) symbols.push({ symbol, kind, file, line, ...judged });
		});
		await Promise.all(some);
	}
	const within = ({ symbol }: UnusedSymbol) => symbols.some((other) => symbol.startsWith(`${other.symbol}.`));
	const incomplete = complaintOf(query.server);
	return {
		symbols: symbols.filter((each) => !within(each)).sort((a, b) => a.line - b.line),
		asked: candidates.length,
		...(incomplete === undefined ? {} : { incomplete }),
	};
}

/** Works without a use of its name: a module, and what implements a type of another file. */
function isRustPart(path: string, { kind, text }: DeclaredSymbol): boolean {
	if (!path.endsWith(".rs")) return false;
	return kind === "module" || (kind === "object" && !/^[ \t]*(?:pub\b\S*[ \t]+)?(?:struct|enum|union)\s/m.test(text));
}

function isTestModule({ text }: DeclaredSymbol): boolean {
	return /^[ \t]*#\[(?:cfg\(test\)|test\b|\w+::test\b)/m.test(text.slice(0, 500));
}

interface InFile {
	readonly query: FileQuery;
	readonly outline: NonNullable<Awaited<ReturnType<FileOutlines["of"]>>>;
	readonly isSeen: boolean | undefined;
}

async function judge(
	declared: DeclaredSymbol,
	users: readonly User[],
	{ query, outline, isSeen: isSeenElsewhere }: InFile,
	around: Surroundings,
): Promise<Pick<UnusedSymbol, "certainty" | "why"> | undefined> {
	const { path, text } = query.document;
	const type = typeOf(declared, outline);
	// An interface, an operator or a framework calls it.
	const isOwn = isScriptPrivate(path, declared);
	if (type && mayImplement(declared, type, outline) && !isOwn) return undefined;
	if (isRegistered(declared, outline)) return { certainty: "probable", why: "its decorator may hand it to others" };
	if (users.length > 0) return { certainty: "probable", why: "only tests use it" };
	if (isSeenElsewhere === undefined) return { certainty: "probable", why: "nothing refers to it" };
	if (isSeenElsewhere && !isOwn && (await isPublic(path, declared, text, around)))
		return { certainty: "exported", why: "nothing here refers to it; code elsewhere may" };
	const where = await mentionOf(declared, path, text, around);
	if (where !== undefined)
		return { certainty: "probable", why: `nothing refers to it, but its name stands in ${where}` };
	const left = path.endsWith(".go") ? loneImport(declared, text) : undefined;
	if (left !== undefined) return { certainty: "probable", why: `nothing else uses the import ${left}` };
	return { certainty: "certain", why: "nothing refers to it or names it" };
}

/** No base class may have a private member of the same name; in Java, serialization calls them. */
function isScriptPrivate(path: string, declared: DeclaredSymbol): boolean {
	if (!/\.[cm]?[jt]sx?$/.test(path)) return false;
	return plainNameOf(declared).startsWith("#") || /^\s*(?:static\s+)?private\b/.test(declared.text);
}

async function isPublic(
	path: string,
	declared: DeclaredSymbol,
	text: string,
	{ directories, workspace }: Surroundings,
): Promise<boolean> {
	if (path.endsWith(".go"))
		return (
			/^\p{Lu}/u.test(plainNameOf(declared)) && !/(?:^|\/)internal\//.test(path) && !/^package\s+main\b/m.test(text)
		);
	if (path.endsWith(".rs")) return /^\s*(?:#\[[^\n]*\n\s*|\/\/[^\n]*\n\s*)*pub\s+(?!\()/.test(declared.text);
	if (/\.pyi?$/.test(path))
		return !declared.path.split(".").some((part) => part.startsWith("_") && !isSpecialName(part));
	for (const directory of directoriesUp(dirname(path), workspace)) {
		const manifest = await directories.json(directory, "package.json");
		if (!manifest) continue;
		return ["main", "module", "exports", "types", "typings", "bin", "browser"].some((field) =>
			Object.hasOwn(manifest, field),
		);
	}
	return true;
}

const maxRead = 200;

/** A file that has the name as a word. */
async function mentionOf(
	declared: DeclaredSymbol,
	path: string,
	text: string,
	{ index, workspace }: Surroundings,
): Promise<string | undefined> {
	const names = new Set([plainNameOf(declared)]);
	const wanted = new WantedNames(names);
	const isIn = (other: string) => wanted.in(other).size > 0;
	if (isIn(linesOutside(linesOf(text), [declared]).join("\n"))) return "its own file";
	const files = index.filesWith(names, path).filter((file) => file !== path);
	if (files.length > maxRead) return "many files";
	for (const file of files) if (isIn((await readText(file, anySource)) ?? "")) return relative(workspace, file);
	return undefined;
}

/** Go refuses an import that nothing else uses. */
function loneImport(declared: DeclaredSymbol, text: string): string | undefined {
	const own = declared.text;
	const rest = linesOutside(linesOf(text), [declared]).join("\n");
	for (const [, alias, path = ""] of rest.matchAll(/^(?:import\s+|\t)(?:([\w.]+)\s+)?"([^"\n]+)"/gm)) {
		const name = alias ?? basename(path).replace(/^go-|\.go$|-go$/, "");
		if (name === "_" || name === ".") continue;
		const use = new RegExp(`\\b${name.replace(/\W/g, "\\$&")}\\.`);
		if (use.test(own) && !use.test(rest)) return path;
	}
	return undefined;
}
