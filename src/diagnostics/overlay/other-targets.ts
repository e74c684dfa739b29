import { delimiter, dirname, join } from "node:path";
import { withoutExtension } from "../../impact/index/imports.ts";
import { familyOf } from "../../impact/index/sources.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { Directories } from "../../project/directories.ts";
import { nodePackages } from "../../project/manifests/node-packages.ts";
import { packagesOf, pythonEnvironment } from "../../project/python-environment.ts";
import { namesIn, realPathOf, statOf } from "../../util/files.ts";
import { isObject } from "../../util/objects.ts";
import { namesOwnPaths } from "../environment/missing-modules.ts";
import { compilerOptionsOf, nearestTypescriptConfig } from "../sources/typescript-config.ts";

export class OtherTargets {
	readonly #server: LanguageServer;
	readonly #gone: ReadonlySet<string>;
	readonly #directories = new Directories();
	readonly #options = new Map<string, Promise<Readonly<Record<string, unknown>>>>();
	#pythonPlaces: Promise<PythonPlaces | undefined> | undefined;

	constructor(server: LanguageServer, gone: ReadonlySet<string>) {
		this.#server = server;
		this.#gone = gone;
	}

	async isNextTo(path: string): Promise<boolean> {
		const stem = withoutExtension(path);
		const isIndex = /\/(?:index|__init__)$/.test(stem);
		const places = [stem, ...(isIndex ? [dirname(stem)] : [])];
		for (const place of places)
			for (const name of await this.#directories.names(dirname(place))) {
				const other = join(dirname(place), name);
				if (other !== path && other !== dirname(path) && !this.#gone.has(other) && withoutExtension(other) === place)
					return true;
			}
		if (familyOf(path) === "python") return isIndex;
		return (await this.#compilerOptions(path)).rootDirs !== undefined;
	}

	/** `name` does not begin at the importer. */
	isNamed(name: string, importer: string): Promise<boolean> {
		return familyOf(importer) === "python" ? this.#isModule(name, importer) : this.#isAlias(name, importer);
	}

	/** As TypeScript: the targets of a pattern in turn, then packages. */
	async #isAlias(specifier: string, importer: string): Promise<boolean> {
		const { paths, baseUrl } = await this.#compilerOptions(importer);
		const patterns = Object.entries(isObject(paths) ? paths : {});
		const matching = patterns.filter(([pattern]) => {
			const [start = "", end] = pattern.split("*");
			return end === undefined ? specifier === pattern : specifier.startsWith(start) && specifier.endsWith(end);
		});
		if (matching.length === 0 && baseUrl === undefined) return false;
		if (matching.some(([, targets]) => Array.isArray(targets) && targets.length > 1)) return true;
		const [scope = "", name = ""] = specifier.split("/");
		const { isInstalled } = await nodePackages(dirname(importer), this.#server.root);
		return isInstalled(scope.startsWith("@") ? join(scope, name) : scope);
	}

	async #compilerOptions(path: string): Promise<Readonly<Record<string, unknown>>> {
		const config = await nearestTypescriptConfig(path, this.#server.root, this.#directories);
		if (!config) return {};
		const options = this.#options.get(config.path) ?? compilerOptionsOf(config);
		this.#options.set(config.path, options);
		return options;
	}

	async #isModule(name: string, importer: string): Promise<boolean> {
		this.#pythonPlaces ??= this.#findPythonPlaces();
		const places = await this.#pythonPlaces;
		const words = name.split(".");
		const [top = name] = words;
		if (!places || places.bundled.has(top)) return true;
		for (const directory of [...places.directories, dirname(importer)]) {
			const at = join(directory, ...words);
			for (const path of [at, `${at}.py`, `${at}.pyi`, join(directory, `${top}-stubs`)])
				if (!this.#gone.has(path) && (await statOf(path))) return true;
		}
		return false;
	}

	/** As pyright resolves imports; undefined if unknown. */
	async #findPythonPlaces(): Promise<PythonPlaces | undefined> {
		const { root, launch } = this.#server;
		const bundled = await bundledModules([launch.file, ...launch.args]);
		if (!bundled || (await namesOwnPaths(root, root))) return undefined;
		const environment = await pythonEnvironment(root, root, launch.env);
		const packages = environment?.packages ?? (await packagesOnPath(launch.env.PATH ?? ""));
		return { bundled, directories: [root, join(root, "src"), join(root, "typings"), ...packages] };
	}
}

interface PythonPlaces {
	readonly bundled: ReadonlySet<string>;
	readonly directories: readonly string[];
}

async function bundledModules(words: readonly string[]): Promise<ReadonlySet<string> | undefined> {
	for (const word of words) {
		const typeshed = join(dirname((await realPathOf(word)) ?? word), "dist/typeshed-fallback");
		const standard = await namesIn(join(typeshed, "stdlib"));
		if (!standard) continue;
		const stubs = (await namesIn(join(typeshed, "stubs"))) ?? [];
		const others = await Promise.all(stubs.map((name) => namesIn(join(typeshed, "stubs", name))));
		const names = [standard, ...others].flatMap((some) => some ?? []);
		return new Set(names.map((name) => name.replace(/\.pyi$/, "")));
	}
	return undefined;
}

/** Of interpreters found without an environment. Debian has its own directory. */
async function packagesOnPath(path: string): Promise<string[]> {
	const prefixes = path.split(delimiter).map((directory) => join(directory, ".."));
	const found = await Promise.all(prefixes.map((prefix) => packagesOf(prefix, ["site-packages", "dist-packages"])));
	return found.flat();
}
