import { basename } from "node:path";
import type { FileQuery } from "../query/file-query.ts";
import { type DeclaredSymbol, kindWord, plainNameOf } from "./declared-symbols.ts";
import { type FileOutline, FileOutlines } from "./file-outlines.ts";
import { callsAnyMethod, isGoMethod, unseenGoCalls } from "./go-methods.ts";
import { type FilesNaming, isNamedElsewhere, sharedIn, usersByName } from "./named-users.ts";
import { isEntryPoint, isRegistered, mayImplement, typeOf } from "./unseen-uses.ts";
import { type User, usersOfReached } from "./users.ts";

export interface Reached {
	/** Displayed path. */
	readonly path: string;
	readonly symbol: string;
	readonly isTest: boolean;
}

const askedAtOnce = 8;
const maxSymbols = 3000;

/** Characters of a line. */
const maxHead = 500;

/** Goes from caller to caller, without a limit of steps. */
export class ReachingTests {
	readonly cases = new Map<string, Set<string>>();
	readonly whole = new Set<string>();
	readonly loaded = new Set<string>();
	isCut = false;
	readonly #seen = new Set<string>();
	/** What each symbol, file and test was reached from, by key. */
	readonly #from = new Map<string, Map<string, Reached>>();
	readonly #filesNaming: FilesNaming;
	#callsAnyMethod: Promise<boolean> | undefined;

	constructor(filesNaming: FilesNaming) {
		this.#filesNaming = filesNaming;
	}

	async follow(asked: FileQuery, symbols: readonly Reached[]): Promise<void> {
		const outlines = new FileOutlines();
		let wave = symbols.filter((each) => this.#isNew(each));
		while (wave.length > 0 && !this.isCut) {
			asked.signal.throwIfAborted();
			const next: Reached[] = [];
			for (let at = 0; at < wave.length; at += askedAtOnce) {
				const some = wave.slice(at, at + askedAtOnce);
				const found = await Promise.all(some.map((each) => this.#usersOf(asked, each, outlines)));
				for (const [index, own] of found.entries())
					for (const each of own) this.#note(keyOf(each), some[index] as Reached);
				next.push(...found.flat().filter((each) => this.#isNew(each)));
			}
			this.isCut = this.#seen.size > maxSymbols;
			wave = next;
		}
	}

	take(users: readonly User[], from: Reached): Reached[] {
		return users.flatMap(({ path, symbol, testCase, isTest, isImport }) => {
			if (testCase !== undefined) {
				this.#note(keyOf({ path, symbol: testCase }), from);
				const known = this.cases.get(path) ?? new Set();
				this.cases.set(path, known.add(testCase));
				return [];
			}
			if (symbol !== undefined) return [{ path, symbol, isTest }];
			if (!isImport) this.load(path, isTest, from);
			return [];
		});
	}

	/** Code of the file that runs when it is loaded has changed, or reaches `from`. */
	load(path: string, isTest: boolean, from?: Reached): void {
		if (isTest) this.whole.add(path);
		this.loaded.add(path);
		if (from) this.loads(path, from);
	}

	/** `from` may be a file, whose `symbol` is empty. */
	loads(path: string, from: Reached): void {
		this.#note(keyOf({ path, symbol: "" }), from);
	}

	/**
	 * The changed symbols from which a test was reached, and changed files with an empty symbol; those of its whole file
	 * for a name that is not among its tests.
	 */
	causesOf(path: string, test: string | undefined): Reached[] {
		const names = [...(this.cases.get(path) ?? [])];
		const own = test === undefined ? [] : names.filter((name) => isSameTest(name, test));
		const open = [...(own.length > 0 ? own : names), ""].map((symbol) => keyOf({ path, symbol }));
		const seen = new Set(open);
		const causes = new Map<string, Reached>();
		if (this.whole.has(path) && !this.#from.has(keyOf({ path, symbol: "" })))
			causes.set("", { path, symbol: "", isTest: true });
		for (const key of open)
			for (const [before, reached] of this.#from.get(key) ?? []) {
				if (!this.#from.has(before)) causes.set(before, reached);
				if (!seen.has(before)) open.push(before);
				seen.add(before);
			}
		return [...causes.values()];
	}

	#note(key: string, from: Reached): void {
		const before = keyOf(from);
		if (before === key) return;
		const known = this.#from.get(key) ?? new Map<string, Reached>();
		this.#from.set(key, known.set(before, from));
	}

	#isNew(reached: Reached): boolean {
		const key = keyOf(reached);
		const isNew = !this.#seen.has(key);
		this.#seen.add(key);
		return isNew;
	}

	async #usersOf(asked: FileQuery, reached: Reached, outlines: FileOutlines): Promise<Reached[]> {
		const { path, symbol, isTest } = reached;
		const outline = await outlines.of(asked, path);
		const declared = outline?.declared.get(symbol);
		if (!outline || !declared) {
			this.load(path, isTest, reached);
			return [];
		}
		// Other tests of the file may see what the making of its value does.
		if (isTest && isMadeWhenLoaded(declared)) this.load(path, isTest, reached);
		const byName = () => usersByName(asked, { path, symbol: declared }, outlines, this.#filesNaming);
		if (sharedIn(path) !== undefined) return this.take(await byName(), reached);
		const users = await usersOfReached(asked, path, declared, outlines);
		if (isGoMethod(path, declared))
			return this.#usersOfGoMethod(asked, { reached, declared, outline, users }, outlines);
		// A changed one may itself be wrong, which a runner that checks types reports.
		if (users.length === 0 && isTypeAlone(path, declared) && this.#from.has(keyOf(reached))) return [];
		const isOtherwise = () => isNamedElsewhere(asked, { path, symbol: declared }, outlines, this.#filesNaming);
		const seen = calledUnseen(declared, outline, path, users.length);
		const how = seen ?? (isStructural(declared, outline, path) && (await isOtherwise()) ? "owner" : undefined);
		if (how === "named") return this.take(await byName(), reached);
		if (how === "loaded") this.load(path, isTest, reached);
		if (how !== "owner") return this.take(users, reached);
		const type = namedType(declared, outline);
		const above = declared.parent === undefined ? undefined : outline.declared.get(declared.parent);
		const holder = type ?? above;
		const ofType = holder ? await usersOfReached(asked, path, holder, outlines) : [];
		// A method runs only where its type is named, unless an object of it is made unseen.
		const isNamed = above && (await isMadeByName(asked, { path, above, type, users: ofType }, outlines));
		const next = isNamed ? [] : this.take(users, reached);
		if (type) return [...next, ...this.take(ofType, reached)];
		return above ? [...next, { path, symbol: above.path, isTest }] : next;
	}

	async #usersOfGoMethod(
		asked: FileQuery,
		{ reached, declared, outline, users }: GoMethod,
		outlines: FileOutlines,
	): Promise<Reached[]> {
		const { path } = reached;
		const unseen = await unseenGoCalls(asked, { path, symbol: declared }, outlines, this.#filesNaming);
		const next = this.take([...users, ...unseen.users], reached);
		this.#callsAnyMethod ??= callsAnyMethod(asked, path, outlines, this.#filesNaming);
		const isUnused = users.length + unseen.users.length === 0;
		if (!unseen.isOpen && !(unseen.isExported && (isUnused || (await this.#callsAnyMethod)))) return next;
		const type = namedType(declared, outline);
		if (!type) return next;
		return [...next, ...this.take(await usersOfReached(asked, path, type, outlines), reached)];
	}
}

interface GoMethod {
	readonly reached: Reached;
	readonly declared: DeclaredSymbol;
	readonly outline: FileOutline;
	readonly users: readonly User[];
}

interface NamedType {
	readonly path: string;
	/** What holds its methods. */
	readonly above: DeclaredSymbol;
	readonly type: DeclaredSymbol | undefined;
	readonly users: readonly User[];
}

/** True if objects of a type come from code that names it: not by a string, as in Python, nor of a literal. */
async function isMadeByName(
	asked: FileQuery,
	{ path, above, type, users }: NamedType,
	outlines: FileOutlines,
): Promise<boolean> {
	const outline = await outlines.of(asked, path);
	if (!outline || isRegistered(above, outline) || users.every(({ isImport }) => isImport)) return false;
	if (/\.[cm]?[jt]sx?$/.test(path)) return above.kind === "class";
	if (!path.endsWith(".rs") || !type) return false;
	const files = new Set([path, ...users.flatMap((each) => (each.symbol === type.path ? each.path : []))]);
	for (const file of files)
		if (/^(?:struct|enum)$/.test((await outlines.of(asked, file))?.declared.get(type.path)?.kind ?? "")) return true;
	return false;
}

function keyOf({ path, symbol }: Pick<Reached, "path" | "symbol">): string {
	return `${path}#${symbol}`;
}

/** Go adds the name of a part (`TestA/part`), pytest parameters (`test_a[1]`), Rust and pytest write `::`. */
function isSameTest(name: string, reported: string): boolean {
	const bracket = reported.endsWith("]") ? reported.indexOf("[") : -1;
	const plain = (bracket < 0 ? reported : reported.slice(0, bracket)).replaceAll("::", ".");
	return [plain, plain.split("/")[0] ?? ""].some((each) => each === name || each.endsWith(`.${name}`));
}

const functionValue = /=\s*(?:async\s*)?(?:func(?:tion)?\b|lambda\b|\([^()]*\)\s*=>|\w+\s*=>)/;

/** True for a value that calls may make. */
function isMadeWhenLoaded({ kind, parent, text }: DeclaredSymbol): boolean {
	const isValue = /^(?:variable|constant)$/.test(kind) && parent === undefined;
	return isValue && /=[\s\S]*[(`]/.test(text) && !functionValue.test(text.slice(0, maxHead));
}

/** True if nothing of it is left when the code runs. */
function isTypeAlone(path: string, declared: DeclaredSymbol): boolean {
	const isType = declared.kind === "interface" || kindWord(declared) === "type";
	return isType && /\.[cm]?tsx?$/.test(path) && declared.spans.length === 1;
}

/** What runs a symbol without a reference has its type, or loads its file. */
function calledUnseen(
	declared: DeclaredSymbol,
	outline: FileOutline,
	path: string,
	users: number,
): "owner" | "loaded" | "named" | undefined {
	if (isEntryPoint(path, declared.path) || isRegistered(declared, outline)) return "loaded";
	const type = typeOf(declared, outline);
	if (type && mayImplement(declared, type, outline)) return "owner";
	// Macros hold names that rust-analyzer does not resolve.
	if (type && users === 0) return path.endsWith(".rs") ? "named" : "owner";
	if (type && users > 0 && protocol.test(plainNameOf(declared))) return "owner";
	if (users > 0) return undefined;
	// A Go method may implement an interface of the standard library; others may be found by name.
	return namedType(declared, outline) ? "owner" : "loaded";
}

/** What JavaScript calls of itself. */
const protocol = /^(?:then|next|return|throw|toJSON|toString|valueOf|handleEvent)$/;

/** TypeScript takes an object of a class for any type with the same members; values of Python often have no type. */
function isStructural(declared: DeclaredSymbol, outline: FileOutline, path: string): boolean {
	if (!/\.(?:[cm]?[jt]sx?|py)$/.test(path) || typeOf(declared, outline)?.kind !== "class") return false;
	return !/(?:^|\.)#/.test(declared.path) && !/^\s*(?:private|constructor)\b/.test(declared.text);
}

/** The type that a Go receiver or a Rust `impl` names. */
function namedType(declared: DeclaredSymbol, { declared: all, lines }: FileOutline): DeclaredSymbol | undefined {
	const above = declared.parent === undefined ? declared : all.get(declared.parent);
	const line = above?.spans[0]?.[0] ?? 0;
	const text = (lines[line - 1] ?? "").slice(0, maxHead);
	const head =
		/^func\s*\(\s*(?:\w+\s+)?\*?|^\s*(?:unsafe\s+)?impl\b(?:<[^>]*>)?(?:.*\sfor)?\s+(?:&\s*)?(?:mut\s+)?/.exec(
			text,
		)?.[0];
	if (above === undefined || head === undefined || !/^\w/.test(text.slice(head.length))) return undefined;
	const [name = ""] = /^\w+/.exec(text.slice(head.length)) ?? [];
	return { ...above, path: name, kind: "struct", parent: undefined, at: { line, column: head.length + 1 } };
}

/** pytest gives its declarations to all tests below. */
export function isForDirectory(path: string): boolean {
	return basename(path) === "conftest.py";
}
