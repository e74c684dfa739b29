import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { asLspError, disabled, type ErrorValue, LspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import { doubtAbout } from "../diagnostics/file-state.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import type { SourceLocation } from "../query/locations.ts";
import { askFirst } from "../query/run.ts";
import { displayPath } from "../routing/locate.ts";
import type { CallerIdentity } from "../routing/route-cache.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import { realPathOf, statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { filesNaming } from "./candidates.ts";
import { type Candidate, type Consumer, UseSearch } from "./find-uses.ts";
import { type Declared, type LibrarySymbol, librarySymbol } from "./library-symbol.ts";
import { isNamedIn, packageAround } from "./packages.ts";

export interface CrossRepoOrder {
	readonly file: string;
	readonly pointer: Pointer;
	/** Relative to the caller's directory; default: the user's `consumerRoots`. */
	readonly roots: readonly string[] | undefined;
}

interface OtherUses {
	readonly package: string;
	readonly version?: string;
	readonly path: string;
	readonly places: readonly SourceLocation[];
}

export interface ConsumerUses {
	/** As the caller names it. */
	readonly root: string;
	/** By file, tests last. */
	readonly places: readonly SourceLocation[];
	readonly implementers?: readonly SourceLocation[];
	/** Displayed path of the library's built file. */
	readonly through?: string;
	/** Of other copies of the library. */
	readonly others: readonly OtherUses[];
	readonly note?: string;
	readonly incomplete?: string;
	readonly error?: ErrorValue;
}

export interface CrossRepo {
	readonly library: LibrarySymbol;
	readonly consumers: readonly ConsumerUses[];
}

const rootsAtOnce = 3;
const filesAtOnce = 8;
const rootMs = 180_000;
const [maxFiles, fileMs] = [300, 60_000];

/** A failing root does not end the others. Rejects like `librarySymbol`, and with LSP_INVALID_INPUT without roots. */
export async function crossRepo(call: OperationCall, { file, pointer, roots }: CrossRepoOrder): Promise<CrossRepo> {
	const wanted = await wantedRoots(call, roots);
	const library = await librarySymbol(call, file, pointer);
	const { cwd } = await call.context();
	const seen = new Map<string, string>();
	const consumers: ConsumerUses[] = [];
	const searchOne = async (root: string): Promise<ConsumerUses> => {
		try {
			const consumer = await consumerAt(root, { call, cwd, library, seen });
			return { root, ...(await usesIn(call, library, consumer)) };
		} catch (thrown) {
			call.signal.throwIfAborted();
			return { root, places: [], others: [], error: asLspError(thrown).toJSON() };
		}
	};
	for (let at = 0; at < wanted.length; at += rootsAtOnce)
		consumers.push(...(await Promise.all(wanted.slice(at, at + rootsAtOnce).map(searchOne))));
	return { library, consumers };
}

/** Only the user's own configuration names other directories. */
async function wantedRoots(call: OperationCall, given: readonly string[] | undefined): Promise<readonly string[]> {
	if (given && given.length > 0) return given;
	const { consumerRoots, problems } = await call.settings();
	if (consumerRoots.length > 0) return consumerRoots;
	const refused = problems.filter((problem) => problem.includes('"consumerRoots"'));
	throw new LspError(
		"LSP_INVALID_INPUT",
		["No consumer is named, and the user's configuration has no `consumerRoots`.", ...refused].join(" "),
		{ suggestion: "Name the directories of other checkouts. See {{usage}}." },
	);
}

interface RootQuestion {
	readonly call: OperationCall;
	readonly cwd: string;
	readonly library: LibrarySymbol;
	readonly seen: Map<string, string>;
}

interface CalledConsumer extends Consumer {
	readonly caller: CallerIdentity;
}

async function consumerAt(given: string, { call, cwd, library, seen }: RootQuestion): Promise<CalledConsumer> {
	const home = process.env.HOME || homedir();
	const path = given === "~" ? home : given.startsWith("~/") ? join(home, given.slice(2)) : resolve(cwd, given);
	const root = await realPathOf(path);
	if (root === undefined) throw new LspError("LSP_FILE_NOT_FOUND", `${given} does not exist.`, { file_path: path });
	if (!(await statOf(root))?.isDirectory())
		throw new LspError("LSP_INVALID_INPUT", `${given} is not a directory.`, { file_path: root });
	const refuse = (why: string, suggestion: string) =>
		new LspError("LSP_INVALID_INPUT", `${given} ${why}.`, { file_path: root, suggestion });
	const known = seen.get(root);
	if (known !== undefined) throw refuse(`is the same directory as ${known}`, "Its users are listed there.");
	seen.set(root, given);
	if (isInside(root, library.home) && (await homeOf(root, library)) === library.home)
		throw refuse("is in the library's own checkout", "{{references}} has the uses there.");
	if (isInside(home, root)) throw refuse("holds the home directory", "Name the checkouts themselves.");
	// Trust in the caller's repository says nothing of others.
	const { trust, ...params } = call.params;
	const caller = { ...params, cwd: root, ...(typeof trust === "string" ? { trust } : {}) };
	const settings = await call.service.settings(caller);
	if (!settings.enabled) throw disabled();
	return { root, workspace: settings.workspace, caller };
}

async function homeOf(root: string, { declared: [{ path }], home }: LibrarySymbol): Promise<string> {
	return (await packageAround(join(root, basename(path))))?.directory ?? home;
}

type Found = Omit<ConsumerUses, "root">;

async function usesIn(call: OperationCall, library: LibrarySymbol, consumer: CalledConsumer): Promise<Found> {
	const slow = () => new LspError("LSP_SERVER_TIMEOUT", `It was not searched within ${rootMs / 1000} s.`);
	const limit = deadline(rootMs, slow, call.signal);
	try {
		return await waitOrAbort(searchIn(call, library, consumer, limit.signal), limit.signal);
	} finally {
		limit.end();
	}
}

async function searchIn(
	call: OperationCall,
	library: LibrarySymbol,
	consumer: CalledConsumer,
	signal: AbortSignal,
): Promise<Found> {
	const { service } = call;
	const context = { ...(await call.context()), signal };
	const candidates = await filesNaming(call, library, consumer);
	const search = new UseSearch(library, consumer);
	const errors: LspError[] = [];
	const doubts = new Set<string>();
	const ask = async (candidate: Candidate) => {
		signal.throwIfAborted();
		try {
			const { located } = await service.locate(candidate.path, consumer.caller);
			for (const route of located.routes)
				if (route.config.role !== "linter") doubts.add(doubtAbout(route)?.reason ?? "");
			const answer = (query: FileQuery) => search.search(query, candidate);
			const options = { whole: true, ms: fileMs, isEmpty: ({ found }: { found: number }) => found === 0 };
			const { incomplete } = await askFirst(context, { located, answer, options });
			if (incomplete !== undefined) doubts.add(incomplete);
		} catch (thrown) {
			signal.throwIfAborted();
			errors.push(asLspError(thrown));
		}
	};
	const [first, ...others] = candidates.slice(0, maxFiles);
	if (first) await ask(first);
	for (let at = 0; at < others.length; at += filesAtOnce)
		await Promise.all(others.slice(at, at + filesAtOnce).map(ask));
	return report(search, { call, library, consumer, candidates: candidates.length, errors, doubts, cwd: context.cwd });
}

interface Searched {
	readonly call: OperationCall;
	readonly library: LibrarySymbol;
	readonly consumer: Consumer;
	readonly candidates: number;
	readonly errors: readonly LspError[];
	readonly doubts: ReadonlySet<string>;
	readonly cwd: string;
}

async function report(search: UseSearch, about: Searched): Promise<Found> {
	const { library, consumer, candidates, errors, doubts, cwd } = about;
	const groups = [...search.groups.values()];
	const own = groups.filter(({ copy }) => !copy);
	const build = own.find((group) => group.build !== undefined)?.build;
	const places = inOrder(own.flatMap((group) => [...group.places.values()]));
	const implementers = inOrder(own.flatMap((group) => [...group.implementers.values()]));
	const others = groups.flatMap(({ copy, places: found }) =>
		copy
			? {
					package: copy.name,
					...(copy.version === undefined ? {} : { version: copy.version }),
					path: displayPath(copy.directory, cwd),
					places: inOrder([...found.values()]),
				}
			: [],
	);
	const [failure] = errors;
	if (failure && groups.length === 0) return { places, others, error: failure.toJSON() };
	const unread = candidates - maxFiles;
	const incomplete = [
		...new Set([
			...[...doubts].filter((doubt) => doubt !== ""),
			...errors.map(({ message }) => message),
			...(unread > 0 ? [`${unread} more files hold the name and were not searched.`] : []),
			...(search.left > 0 ? [`The name stands in ${search.left} more places, which were not asked about.`] : []),
		]),
	].join(" ");
	const note = [
		...(groups.length === 0
			? await whyNone(library, consumer, { candidates, unresolved: search.unresolved.size })
			: []),
		...unresolvedNote(library, [...search.unresolved.values()]),
		...(places.length > 0 && library.declared.some(mayBeImplemented)
			? [...search.withoutImplementers].map((server) => `${server} does not say what implements or overrides it.`)
			: []),
	].join(" ");
	return {
		places,
		...(implementers.length > 0 ? { implementers } : {}),
		...(build === undefined ? {} : { through: displayPath(build, cwd) }),
		others,
		...(note === "" ? {} : { note }),
		...(incomplete === "" ? {} : { incomplete }),
	};
}

async function whyNone(
	library: LibrarySymbol,
	{ root }: Consumer,
	{ candidates, unresolved }: { readonly candidates: number; readonly unresolved: number },
): Promise<string[]> {
	const isNamed = library.package && (await isNamedIn(root, library.package));
	if (isNamed === undefined) return candidates === 0 ? [`No file of it names ${library.name}.`] : [];
	const name = library.package?.name;
	if (!isNamed) return [`No manifest of it names ${name}: it does not depend on it.`];
	if (candidates === 0) return [`It depends on ${name}; no file of it names ${library.name}.`];
	if (unresolved > 0) return [`It depends on ${name}, which may not be installed there.`];
	return [`It depends on ${name}; what it calls ${library.name} is not that of this checkout.`];
}

function mayBeImplemented({ text }: Declared): boolean {
	return /^\s*(?:[a-z]+\s+)*(?:class|interface|trait|protocol)\s|^\s+(?:async\s+)?def\s/.test(text.slice(0, maxHead));
}

/** In characters. */
const maxHead = 500;

const maxShown = 3;

function unresolvedNote({ name }: LibrarySymbol, unresolved: readonly SourceLocation[]): string[] {
	if (unresolved.length === 0) return [];
	const shown = inOrder(unresolved).slice(0, maxShown);
	const rest = unresolved.length - shown.length;
	const places = [...shown.map(({ path, line }) => `${path}:${line}`), ...(rest > 0 ? [`${rest} more`] : [])];
	return [`The server there knows no definition for ${name} at ${places.join(", ")}.`];
}

function inOrder(places: readonly SourceLocation[]): SourceLocation[] {
	return [...places].sort(
		(a, b) =>
			Number(a.test === true) - Number(b.test === true) ||
			(a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1),
	);
}
