import { basename, dirname, extname, join, resolve } from "node:path";
import { compilerOptionsOf, nearestTypescriptConfig } from "../diagnostics/sources/typescript-config.ts";
import { isScript, withoutExtension } from "../impact/index/imports.ts";
import { familyOf } from "../impact/index/sources.ts";
import { type Directories, directoriesUp } from "../project/directories.ts";
import { isObject } from "../util/objects.ts";
import { isInside } from "../util/paths.ts";
import type { Package } from "./packages.ts";

export class ImportResolver {
	readonly #root: string;
	readonly #packages: readonly Package[];
	readonly #directories: Directories;
	readonly #stems = new Map<string, string>();
	/** By last word. */
	readonly #byWord = new Map<string, string[]>();
	readonly #folders = new Set<string>();
	readonly #options = new Map<string, Promise<Readonly<Record<string, unknown>>>>();

	constructor(root: string, files: readonly string[], packages: readonly Package[], directories: Directories) {
		this.#root = root;
		this.#packages = packages;
		this.#directories = directories;
		for (const path of files) {
			const stem = stemOf(path);
			if (this.#stems.has(stem)) continue;
			this.#stems.set(stem, path);
			const word = basename(stem);
			this.#byWord.set(word, [...(this.#byWord.get(word) ?? []), stem]);
			for (let above = dirname(path); !this.#folders.has(above) && isInside(above, root); above = dirname(above))
				this.#folders.add(above);
		}
	}

	/** A directory if the language imports these. */
	async targetOf(name: string, from: string): Promise<string | undefined> {
		if (isScript(from)) return this.#scriptTarget(name.replace(/[?#](?!.*\/).*$/, "") || name, from);
		switch (familyOf(from)) {
			case "python":
				return name.startsWith("/") ? this.#at(name, "__init__") : this.#pythonModule(name, from);
			case "go":
				return this.#goPackage(name, from);
			case "rust":
				return this.#rustModule(name.split("/"), from);
			case "c":
				return this.#stems.get(name) ?? this.#suffix(name, from, 1);
			case "jvm":
				return this.#droppingLast(name.split("/"), from);
			case "zig":
			case "dart":
				return this.#stems.get(stemOf(resolve(dirname(from), name))) ?? this.#dartPackage(name);
			case "ruby":
				return this.#stems.get(resolve(dirname(from), name)) ?? this.#suffix(name, from, 2);
			default:
				// PSR-4 gives the first words a directory of another name.
				return this.#droppingFirst(name.split("/"), from);
		}
	}

	#at(stem: string, index: string): string | undefined {
		return this.#stems.get(stem) ?? this.#stems.get(join(stem, index));
	}

	async #scriptTarget(name: string, from: string): Promise<string | undefined> {
		if (/^\.{1,2}(?:\/|$)/.test(name)) return this.#at(stemOf(resolve(dirname(from), name)), "index");
		if (name.startsWith("node:") || name.startsWith("/")) return undefined;
		const own = this.#packages.find((each) => name === each.name || name.startsWith(`${each.name}/`));
		if (own) return this.#inPackage(own, name.slice(own.name.length + 1));
		return (await this.#aliasTarget(name, from)) ?? this.#conventionalTarget(name, from);
	}

	#inPackage({ directory }: Package, rest: string): string {
		for (const below of ["", "src", "lib", "source"]) {
			const found = this.#at(stemOf(join(directory, below, rest)), "index");
			if (found !== undefined) return found;
		}
		return directory;
	}

	async #aliasTarget(name: string, from: string): Promise<string | undefined> {
		const config = await nearestTypescriptConfig(from, this.#root, this.#directories);
		if (!config) return undefined;
		const known = this.#options.get(config.path) ?? compilerOptionsOf(config);
		this.#options.set(config.path, known);
		const { paths, baseUrl } = await known;
		const base = typeof baseUrl === "string" ? baseUrl : ".";
		const targets = Object.entries(isObject(paths) ? paths : {}).flatMap(([pattern, places]) => {
			const [start = "", end] = pattern.split("*");
			const fits = end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end);
			if (!fits || !Array.isArray(places)) return [];
			const rest = end === undefined ? "" : name.slice(start.length, name.length - end.length);
			return places.filter((place) => typeof place === "string").map((place) => place.replace("*", () => rest));
		});
		if (typeof baseUrl === "string") targets.push(name);
		// Inherited paths are relative to a file above.
		for (const above of directoriesUp(dirname(config.path), this.#root))
			for (const target of targets) {
				const found = this.#at(stemOf(resolve(above, base, target)), "index");
				if (found !== undefined) return found;
			}
		return undefined;
	}

	/** `@/a`, `~/a` and `#a` of bundlers, whose configuration is code. */
	#conventionalTarget(name: string, from: string): string | undefined {
		const [, rest] = /^(?:[@~]\/|#\/?)(.+)$/.exec(name) ?? [];
		if (rest === undefined) return undefined;
		for (const above of directoriesUp(dirname(from), this.#root))
			for (const below of ["src", ".", "app"]) {
				const found = this.#at(stemOf(join(above, below, rest)), "index");
				if (found !== undefined) return found;
			}
		return undefined;
	}

	#pythonModule(name: string, from: string): string | undefined {
		const found = this.#candidates(name, "__init__").filter((stem) => {
			const base = stem.slice(0, -name.length - 1);
			if (this.#stems.has(join(base, "__init__"))) return false;
			return name.includes("/") || base === this.#root || basename(base) === "src" || base === dirname(from);
		});
		const [nearest] = found.sort((a, b) => a.length - b.length);
		return nearest === undefined ? undefined : this.#at(nearest, "__init__");
	}

	#goPackage(name: string, from: string): string | undefined {
		if (name === dirname(from)) return undefined;
		const own = this.#packages
			.filter((each) => each.kind === "go" && (name === each.name || name.startsWith(`${each.name}/`)))
			.sort((a, b) => b.name.length - a.name.length)[0];
		const directory = own && join(own.directory, name.slice(own.name.length));
		return directory !== undefined && this.#folders.has(directory) ? directory : undefined;
	}

	#rustModule([first = "", ...words]: readonly string[], from: string): string | undefined {
		const crates = this.#packages.filter(({ kind }) => kind === "cargo");
		const isRoot = /\/(?:mod|lib|main)\.rs$/.test(from);
		const modules = isRoot ? dirname(from) : stemOf(from);
		let base: string | undefined;
		let rest = words;
		if (first === "self") base = modules;
		else if (first === "super") {
			base = dirname(modules);
			for (; rest[0] === "super"; rest = rest.slice(1)) base = dirname(base);
		} else {
			const own = crates
				.filter(({ directory }) => isInside(from, directory))
				.sort((a, b) => b.directory.length - a.directory.length)[0];
			const isUsed = own?.crates?.has(first) === true;
			const other = isUsed ? crates.find(({ name }) => name.replaceAll("-", "_") === first) : undefined;
			const named = first === "crate" ? own : other;
			base = named && join(named.directory, "src");
		}
		if (base === undefined) return undefined;
		for (let length = rest.length; length > 0; length--) {
			const found = this.#at(join(base, ...rest.slice(0, length)), "mod");
			if (found !== undefined) return found;
		}
		return this.#at(base, "mod") ?? this.#at(base, "lib") ?? this.#at(base, "main");
	}

	#droppingLast(words: readonly string[], from: string): string | undefined {
		for (let length = words.length; length > 1; length--) {
			const name = words.slice(0, length).join("/");
			const found = this.#suffix(name, from, 2);
			if (found !== undefined) return found;
			const folder = length > 2 && [...this.#folders].find((each) => each.endsWith(`/${name}`));
			if (folder) return folder;
		}
		return undefined;
	}

	#droppingFirst(words: readonly string[], from: string): string | undefined {
		for (let start = 0; words.length - start > 1; start++) {
			const found = this.#suffix(words.slice(start).join("/"), from, 2);
			if (found !== undefined) return found;
		}
		return undefined;
	}

	#dartPackage(name: string): string | undefined {
		const [, rest] = /^package:[^/]+\/(.+)$/.exec(name) ?? [];
		return rest === undefined ? undefined : this.#suffix(stemOf(join("lib", rest)), "", 2);
	}

	/** The nearest file whose path ends so; `least` is the number of words. */
	#suffix(name: string, from: string, least: number): string | undefined {
		if (name.split("/").length < least) return undefined;
		const [nearest] = this.#candidates(name, "").sort(
			(a, b) => common(b, from) - common(a, from) || a.length - b.length,
		);
		return nearest === undefined ? undefined : this.#stems.get(nearest);
	}

	#candidates(name: string, index: string): string[] {
		const ends = (stem: string) => stem.endsWith(`/${name}`);
		const direct = (this.#byWord.get(basename(name)) ?? []).filter(ends);
		if (index === "") return direct;
		const packages = (this.#byWord.get(index) ?? []).map((stem) => dirname(stem)).filter(ends);
		return [...direct, ...packages];
	}
}

function stemOf(path: string): string {
	if (familyOf(path) === "c") return path;
	const extension = extname(path);
	if (isScript(path) || extension === ".pyi") return withoutExtension(path);
	return familyOf(path) === undefined ? path : path.slice(0, -extension.length);
}

function common(one: string, other: string): number {
	let at = 0;
	while (at < one.length && one[at] === other[at]) at++;
	return at;
}
