import { dirname, isAbsolute, join, sep } from "node:path";
import picomatch from "picomatch";
import { WatchKind } from "../contract/protocol-kinds.ts";
import { LruMap } from "../util/lru-map.ts";
import { toPath } from "../util/positions.ts";

export interface WatcherOptions {
	readonly globPattern?: unknown;
	readonly kind?: unknown;
}

export interface Base {
	readonly directory: string;
	readonly deep: boolean;
}

const everyKind = WatchKind.Create | WatchKind.Change | WatchKind.Delete;

type Test = (relative: string, path: string) => boolean;
export type CompiledGlobs = LruMap<Test>;
export const newCompiledGlobs = (): CompiledGlobs => new LruMap(2000);

/** For one batch; beyond it all files match. */
const budgetMs = 40;
const limits = { length: 500, combinations: 256, deepStars: 2, starsInSegment: 2 };

/** An unreadable glob matches everything below its base. */
export class Globs {
	readonly #groups = new Map<string, Group>();
	readonly bases: readonly Base[];

	constructor(root: string, watchers: readonly WatcherOptions[], compiled = newCompiledGlobs()) {
		const bases = new Map<string, boolean>();
		for (const { globPattern, kind } of watchers) {
			const glob = resolveGlob(root, globPattern);
			if (!glob) continue;
			const group = this.#groups.get(glob.base) ?? new Group(compiled);
			this.#groups.set(glob.base, group);
			group.add(glob, typeof kind === "number" ? kind & everyKind : everyKind);
			bases.set(glob.base, (bases.get(glob.base) ?? false) || /[/{]|\*\*/.test(glob.rest));
		}
		this.bases = [...bases].map(([directory, deep]) => ({ directory, deep }));
	}

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
	readonly rest: string;
	/** For absolute paths too, if the server sent no base. */
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

class Group {
	readonly #compiled: CompiledGlobs;
	#everything = 0;
	readonly #extensions = new Map<string, number>();
	readonly #names = new Map<string, number>();
	readonly #paths = new Map<string, number>();
	readonly #others = new Map<string, { readonly test: Test; kinds: number }>();

	constructor(compiled: CompiledGlobs) {
		this.#compiled = compiled;
	}

	add({ rest, whole }: Glob, kinds: number): void {
		const extensions = /^\*\*\/\*\.(?:([\w-]+)|\{([\w,-]+)\})$/.exec(rest);
		if (rest === "**" || rest === "**/*" || isTooComplex(rest)) this.#everything |= kinds;
		else if (extensions)
			for (const extension of (extensions[1] ?? extensions[2] ?? "").split(","))
				addKinds(this.#extensions, extension, kinds);
		else if (/^\*\*\/[^*?[\]{}/\\!()]+$/.test(rest)) addKinds(this.#names, rest.slice(3), kinds);
		else if (/^[^*?[\]{}\\!()]+$/.test(rest)) addKinds(this.#paths, rest, kinds);
		else {
			const known = this.#others.get(rest);
			if (known) known.kinds |= kinds;
			else this.#others.set(rest, { test: this.#testFor(rest, whole), kinds });
		}
	}

	#testFor(rest: string, whole: string | undefined): Test {
		const key = `${rest} ${whole ?? ""}`;
		const test = this.#compiled.get(key) ?? compile(rest, whole);
		this.#compiled.set(key, test);
		return test;
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

function addKinds(map: Map<string, number>, key: string, kinds: number): void {
	map.set(key, (map.get(key) ?? 0) | kinds);
}

function compile(rest: string, whole: string | undefined): Test {
	const options = { dot: true, noextglob: true, nonegate: true, nocase: process.platform !== "linux" };
	// picomatch reads only `[^…]` as a negated class.
	const regexOf = (pattern: string) => picomatch.makeRe(pattern.replaceAll("[!", "[^"), options);
	try {
		const relative = regexOf(rest);
		// Without a base the pattern may mean the absolute path (`**/name-of-root/**/*.go`).
		const absolute = whole?.startsWith("**") ? regexOf(whole) : undefined;
		return (path, full) => relative.test(path) || (absolute?.test(full) ?? false);
	} catch {
		return () => true;
	}
}

export function globTest(pattern: string): ((relative: string) => boolean) | undefined {
	if (isTooComplex(pattern)) return undefined;
	const test = compile(pattern, undefined);
	return (path) => test(path, path);
}

/** It could backtrack for ever (`{a,aa}{a,aa}…`, `*a*a*a…`). */
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
