import type { Location, Position } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { isOurs } from "../project/root.ts";
import type { FileQuery } from "../query/file-query.ts";
import { declarationAround, isAtName } from "../query/find-symbol.ts";
import type { SourceLocation } from "../query/locations.ts";
import type { UriPosition } from "../query/users/open-users.ts";
import { isInside } from "../util/paths.ts";
import { type LocationResult, locationsIn, positionAt, toPath, toPosition, toUri } from "../util/positions.ts";
import { type Declared, declaredAt, type LibrarySymbol } from "./library-symbol.ts";
import { copyOf, type PackageCopy } from "./packages.ts";

const definition = "textDocument/definition";
const [references, implementation] = ["textDocument/references", "textDocument/implementation"];
const maxAsked = 1500;

export interface UseGroup {
	/** Undefined for the library's own declaration. */
	readonly copy: PackageCopy | undefined;
	/** A file built from the library declares it again. */
	readonly build: string | undefined;
	/** By path and position. */
	readonly places: Map<string, SourceLocation>;
	/** Overrides too. */
	readonly implementers: Map<string, SourceLocation>;
}

export interface Candidate {
	readonly path: string;
	readonly offsets: readonly number[];
	readonly mayImport: boolean;
}

export interface Consumer {
	readonly root: string;
	readonly workspace: string;
}

/** Also asks for definitions: pyright leaves uses out (docs/facts.md, 39). */
export class UseSearch {
	readonly groups = new Map<string, UseGroup>();
	readonly unresolved: Map<string, SourceLocation> = new Map();
	/** Servers that know no implementers. */
	readonly withoutImplementers = new Set<string>();
	left = 0;
	readonly #library: LibrarySymbol;
	readonly #consumer: Consumer;
	readonly #covered = new Set<string>();
	readonly #followed = new Set<string>();
	#asked = 0;

	constructor(library: LibrarySymbol, consumer: Consumer) {
		this.#library = library;
		this.#consumer = consumer;
	}

	/** Returns how many places it found. Rejects like `FileQuery.request`. */
	async search(query: FileQuery, { offsets, mayImport }: Candidate): Promise<{ readonly found: number }> {
		const { uri, text } = query.document;
		let found = 0;
		await this.#implementDeclared(query);
		for (const offset of offsets) {
			const position = positionAt(offset, text, query.server.encoding);
			const end = { ...position, character: position.character + 1 };
			const here: Location = { uri, range: { start: position, end } };
			if (this.#covered.has(keyOf(here))) {
				found++;
				continue;
			}
			if (this.#asked >= maxAsked) {
				this.left++;
				continue;
			}
			this.#asked++;
			const spot = query.toSpot(position);
			const declared = await definitionsAt(query, spot);
			if (declared.length === 0 || declared.every((each) => this.#isImport(each))) {
				if (mayImport && !isInComment(text, offset)) await this.#add(query, this.unresolved, [here]);
				continue;
			}
			const group = await this.#groupOf(declared);
			if (!group) continue;
			found++;
			await this.#addTo(group, query, group.places, [here]);
			await this.#follow(query, position, group, declared);
		}
		return { found };
	}

	async #follow(query: FileQuery, position: Position, group: UseGroup, at: readonly Declared[]) {
		const { server } = query;
		const key = JSON.stringify([
			server.config.id,
			server.root,
			at.map(({ path, line, column }) => [path, line, column]),
		]);
		if (this.#followed.has(key) || !server.offers(references)) return;
		this.#followed.add(key);
		const context = { includeDeclaration: true };
		const found = await query.request<LocationResult>(references, query.toSpot(position), { context });
		await this.#addTo(group, query, group.places, locationsIn(found));
		const implementing = await implementersAt(query, { uri: query.document.uri, position });
		await this.#addTo(group, query, group.implementers, await this.#declaring(query, implementing));
	}

	/** Implementers of an interface need not name it. */
	async #implementDeclared(query: FileQuery): Promise<void> {
		const { config, root, encoding } = query.server;
		const key = `declared ${config.id} ${root}`;
		if (this.#followed.has(key)) return;
		this.#followed.add(key);
		if (!query.server.offers(implementation)) this.withoutImplementers.add(config.id);
		for (const { path, line, column, text } of this.#library.declared) {
			const { character } = toPosition({ line: 1, column }, [text], encoding);
			const found = await implementersAt(query, { uri: toUri(path), position: { line: line - 1, character } });
			const own = await this.#declaring(query, found);
			if (own.length > 0) await this.#add(query, this.#group("").implementers, own);
		}
	}

	#addTo({ copy }: UseGroup, query: FileQuery, places: UseGroup["places"], found: readonly Location[]): Promise<void> {
		const isInCopy = ({ uri }: Location) => copy !== undefined && isInside(toPath(uri) ?? "", copy.directory);
		return this.#add(
			query,
			places,
			found.filter((each) => !isInCopy(each)),
		);
	}

	async #add(query: FileQuery, places: UseGroup["places"], found: readonly Location[]): Promise<void> {
		const own = found.filter((each) => !places.has(keyOf(each)) && this.#isOwn(each));
		if (places !== this.unresolved) for (const each of own) this.unresolved.delete(keyOf(each));
		for (const each of own) {
			const [place] = (await query.locations([each])).places;
			if (!place) continue;
			places.set(keyOf(each), place);
			if (places !== this.unresolved) this.#covered.add(keyOf(each));
		}
	}

	/** TypeScript 7 also returns imports. */
	async #declaring(query: FileQuery, found: readonly Location[]): Promise<Location[]> {
		const declaring: Location[] = [];
		for (const each of found.filter((one) => this.#isOwn(one))) {
			const isDeclaration = await query.inFile(toPath(each.uri) ?? "", async (other) => {
				const spot = other.toSpot(each.range.start);
				const around = declarationAround(await other.symbols(), spot);
				return around !== undefined && isAtName(around, spot);
			});
			if (isDeclaration) declaring.push(each);
		}
		return declaring;
	}

	#isOwn({ uri }: Location): boolean {
		const { root, workspace } = this.#consumer;
		const path = toPath(uri);
		return path !== undefined && isConsumers(path, root, this.#library) && isOurs(path, workspace);
	}

	async #groupOf(declared: readonly Declared[]): Promise<UseGroup | undefined> {
		const { declared: own, home, names, package: ofLibrary } = this.#library;
		if (declared.some((each) => own.some((one) => isSame(one, each)))) return this.#group("");
		const named = declared.filter(({ name }) => names.has(name));
		const build = named.find(({ path }) => isInside(path, home) && isBuilt(path));
		if (build) return this.#group(`build ${build.path}`, { build: build.path });
		for (const { path } of named) {
			const copy = isInside(path, home) || !ofLibrary ? undefined : await copyOf(ofLibrary, path);
			if (copy) return this.#group(`copy ${copy.directory}`, { copy });
		}
		return undefined;
	}

	#group(key: string, about: { readonly copy?: PackageCopy; readonly build?: string } = {}): UseGroup {
		const group = this.groups.get(key) ?? {
			copy: about.copy,
			build: about.build,
			places: new Map(),
			implementers: new Map(),
		};
		this.groups.set(key, group);
		return group;
	}

	/** TypeScript takes an unresolved import for the definition. */
	#isImport({ path, text }: Declared): boolean {
		const { package: library } = this.#library;
		if (!isInside(path, this.#consumer.root) || !library) return false;
		return /\b(?:import|from|use|require)\b/.test(text) && text.includes(library.name);
	}
}

export function isConsumers(path: string, root: string, { home }: LibrarySymbol): boolean {
	return isInside(path, root) && (isInside(root, home) || !isInside(path, home));
}

function isSame(one: Declared, other: Declared): boolean {
	return one.path === other.path && one.line === other.line && one.column === other.column;
}

function isBuilt(path: string): boolean {
	return /\.d\.[cm]?ts$|\.[cm]?js$|\.pyi$/.test(path);
}

async function definitionsAt(query: FileQuery, spot: { line: number; column: number }): Promise<Declared[]> {
	try {
		const found = await query.request<LocationResult>(definition, spot);
		return await declaredAt(locationsIn(found), query.server.encoding);
	} catch (thrown) {
		// gopls refuses an unresolved name.
		if (thrown instanceof LspError && thrown.code === "LSP_SERVER_ERROR") return [];
		throw thrown;
	}
}

/** gopls refuses what is no type or method, others a closed file. */
async function implementersAt({ server, signal }: FileQuery, { uri, position }: UriPosition) {
	if (!server.offers(implementation)) return [];
	try {
		const params = { textDocument: { uri }, position };
		return locationsIn(await server.request<LocationResult>(implementation, params, signal));
	} catch (thrown) {
		if (thrown instanceof LspError && thrown.code === "LSP_SERVER_ERROR") return [];
		throw thrown;
	}
}

function isInComment(text: string, offset: number): boolean {
	const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
	return /\/\/|#(?![[!])|^\s*\/?\*/.test(line);
}

function keyOf({ uri, range: { start } }: Location): string {
	return `${toPath(uri)}:${start.line}:${start.character}`;
}
