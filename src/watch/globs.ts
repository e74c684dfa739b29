import { dirname, isAbsolute, join, sep } from "node:path";
import picomatch from "picomatch";
import { WatchKind } from "../contract/protocol-kinds.ts";
import { toPath } from "../util/positions.ts";

/** One `FileSystemWatcher` of LSP as a server sends it; servers send more than the specification allows. */
export interface WatcherOptions {
	readonly globPattern?: unknown;
	readonly kind?: unknown;
}

/** A directory that a server wants to hear of. */
export interface Base {
	readonly directory: string;
	/** False if only the files of the directory itself are meant. */
	readonly deep: boolean;
}

const everyKind = WatchKind.Create | WatchKind.Change | WatchKind.Delete;

/** Milliseconds that one batch of changes may spend on matching; what is left after them counts as matching. */
const budgetMs = 40;
/** Beyond these a glob takes more time than it can be worth, and is read as "everything below its base". */
const limits = { length: 500, combinations: 256, deepStars: 2, starsInSegment: 2 };

/** The watchers of a server, compiled. A glob that cannot be read means everything below its base: nothing is missed. */
export class Globs {
	readonly #groups = new Map<string, Group>();
	readonly bases: readonly Base[];

	constructor(root: string, watchers: readonly WatcherOptions[]) {
		const bases = new Map<string, boolean>();
		for (const { globPattern, kind } of watchers) {
			const glob = resolveGlob(root, globPattern);
			if (!glob) continue;
			const group = this.#groups.get(glob.base) ?? new Group();
			this.#groups.set(glob.base, group);
			group.add(glob, typeof kind === "number" ? kind & everyKind : everyKind);
			bases.set(glob.base, (bases.get(glob.base) ?? false) || /[/{]|\*\*/.test(glob.rest));
		}
		this.bases = [...bases].map(([directory, deep]) => ({ directory, deep }));
	}

	/** A matcher for one batch of changes: true if any watcher wants one of the `kinds` (a mask) of a path. */
	matcher(): (path: string, kinds: number) => boolean {
		const end = performance.now() + budgetMs;
		let spent = false;
		const isSpent = () => {
			spent ||= performance.now() > end;
			return spent;
		};
		return (path, kinds) => isSpent() || this.#matches(path, kinds, isSpent);
	}

	#matches(path: string, kinds: number, isSpent: () => boolean): boolean {
		for (let at = dirname(path); ; at = dirname(at)) {
			const relative = path.slice(at.endsWith(sep) ? at.length : at.length + 1);
			if (this.#groups.get(at)?.matches(relative, path, kinds, isSpent)) return true;
			if (at === dirname(at)) return false;
		}
	}
}

interface Glob {
	readonly base: string;
	/** What is left of the pattern, for paths relative to the base. */
	readonly rest: string;
	/** The pattern as a server sent it without a base, to be tried on absolute paths as well. */
	readonly whole?: string;
}

function resolveGlob(root: string, pattern: unknown): Glob | undefined {
	if (typeof pattern === "string") return splitGlob(isAbsolute(pattern) ? "" : root, pattern);
	if (typeof pattern !== "object" || pattern === null) return undefined;
	const { baseUri, pattern: inner } = pattern as { baseUri?: unknown; pattern?: unknown };
	const uri = typeof baseUri === "object" && baseUri !== null ? (baseUri as { uri?: unknown }).uri : baseUri;
	const base = typeof uri === "string" ? toPath(uri) : undefined;
	return base !== undefined && typeof inner === "string" ? splitGlob(base, inner) : undefined;
}

/** Moves the leading segments that are plain names from the pattern to its base. */
function splitGlob(base: string, pattern: string): Glob {
	const parts = pattern.split("/");
	const magic = parts.findIndex((part) => /[*?[\]{}]/.test(part));
	const count = magic < 0 ? parts.length - 1 : magic;
	const directory = join(
		base === "" ? "" : base,
		...(base === "" ? [parts.slice(0, count).join("/") || "/"] : parts.slice(0, count)),
	);
	const plain = directory.length > 1 && directory.endsWith(sep) ? directory.slice(0, -1) : directory;
	return { base: plain, rest: parts.slice(count).join("/"), ...(base === "" ? {} : { whole: pattern }) };
}

/** The watchers with one base. The usual patterns are looked up; only unusual ones cost a regular expression. */
class Group {
	#everything = 0;
	readonly #extensions = new Map<string, number>();
	readonly #names = new Map<string, number>();
	readonly #paths = new Map<string, number>();
	readonly #others = new Map<string, { readonly test: Test; kinds: number }>();

	add({ rest, whole }: Glob, kinds: number): void {
		const extensions = /^\*\*\/\*\.(?:([\w-]+)|\{([\w,-]+)\})$/.exec(rest);
		if (rest === "**" || rest === "**/*" || isTooComplex(rest)) this.#everything |= kinds;
		else if (extensions)
			for (const extension of (extensions[1] ?? extensions[2] ?? "").split(","))
				grow(this.#extensions, extension, kinds);
		else if (/^\*\*\/[^*?[\]{}/\\!()]+$/.test(rest)) grow(this.#names, rest.slice(3), kinds);
		else if (/^[^*?[\]{}\\!()]+$/.test(rest)) grow(this.#paths, rest, kinds);
		else {
			const known = this.#others.get(rest);
			const test = known ? undefined : compile(rest, whole);
			if (known) known.kinds |= kinds;
			else if (test) this.#others.set(rest, { test, kinds });
			else this.#everything |= kinds;
		}
	}

	matches(relative: string, path: string, kinds: number, isSpent: () => boolean): boolean {
		if (this.#everything & kinds) return true;
		const name = relative.slice(relative.lastIndexOf(sep) + 1);
		if ((this.#extensions.get(name.slice(name.lastIndexOf(".") + 1)) ?? 0) & kinds && name.includes(".")) return true;
		if ((this.#names.get(name) ?? 0) & kinds) return true;
		const plain = sep === "/" ? relative : relative.replaceAll(sep, "/");
		if ((this.#paths.get(plain) ?? 0) & kinds) return true;
		let tests = 0;
		for (const other of this.#others.values()) {
			if (other.kinds & kinds && other.test(plain, path)) return true;
			if (++tests % 32 === 0 && isSpent()) return true;
		}
		return false;
	}
}

function grow(map: Map<string, number>, key: string, kinds: number): void {
	map.set(key, (map.get(key) ?? 0) | kinds);
}

type Test = (relative: string, path: string) => boolean;

/** Compiled patterns: one costs 0.2 ms, and servers register the same ones again and again. */
const compiled = new Map<string, Test | undefined>();
const maxCompiled = 2000;

function compile(rest: string, whole: string | undefined): Test | undefined {
	const key = `${rest} ${whole ?? ""}`;
	if (compiled.has(key)) return compiled.get(key);
	if (compiled.size >= maxCompiled) compiled.clear();
	const options = { dot: true, noextglob: true, nonegate: true, nocase: process.platform !== "linux" };
	// picomatch reads only the other spelling of a negated class.
	const regexOf = (pattern: string) => picomatch.makeRe(pattern.replaceAll("[!", "[^"), options);
	let test: Test | undefined;
	try {
		const relative = regexOf(rest);
		// A pattern without a base may mean the absolute path (`**/name-of-root/**/*.go`).
		const absolute = whole?.startsWith("**") ? regexOf(whole) : undefined;
		test = (path, full) => relative.test(path) || (absolute?.test(full) ?? false);
	} catch {
		// No test: the caller takes it for everything.
	}
	compiled.set(key, test);
	return test;
}

/** True for a pattern whose regular expression could backtrack for ever (`{a,aa}{a,aa}…`, `*a*a*a…`). */
function isTooComplex(pattern: string): boolean {
	if (pattern.length > limits.length) return true;
	const segments = pattern.split("/");
	if (segments.filter((segment) => segment.includes("**")).length > limits.deepStars) return true;
	const combinations = [...pattern.matchAll(/\{([^{}]*)\}/g)].reduce(
		(product, [, inner]) => product * (inner ?? "").split(",").length,
		1,
	);
	const nested = /\{[^}]*\{/.test(pattern);
	const stars = segments.map((segment) => segment.replace(/\{[^}]*\}/g, "").split("*").length - 1);
	return (
		nested ||
		combinations > limits.combinations ||
		segments.some((segment, i) => segment !== "**" && (stars[i] ?? 0) > limits.starsInSegment)
	);
}
