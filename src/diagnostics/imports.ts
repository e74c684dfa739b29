import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../util/paths.ts";
import { type Directories, directoriesUp } from "../workspace/directories.ts";

/**
 * What a file imports, as keys by which a file may be meant: `/abs/stem` where the text says where it lies, else the last
 * word of the module's name. A key may mean several files: who is asked once too often costs milliseconds, and nothing
 * has to be resolved the way each compiler does it (paths, workspaces, `exports`, namespace packages).
 */
export interface Imports {
	readonly keys: ReadonlySet<string>;
	/** Those whose names the file gives to its own importers. */
	readonly passedOn: ReadonlySet<string>;
}

interface Syntax {
	/** Whole names that stand for their directory. */
	readonly index: RegExp;
	read(text: string, path: string, keys: Set<string>, passedOn: Set<string>): void;
}

const script = /\.(?:d\.)?[mc]?[jt]sx?$|\.(?:vue|svelte|astro)$/;

const javascript: Syntax = {
	index: /^(index|main|mod)$/,
	read(text, path, keys, passedOn) {
		for (const [, , specifier = ""] of text.matchAll(
			/\b(?:(?:from|import|require)\s*\(?|path\s*=)\s*(["'])([^"'\n]+)\1/g,
		))
			keys.add(scriptKey(specifier, path));
		const again = /\bexport\s+(?:type\s+)?(?:\*(?:\s*as\s+\w+)?|\{[^}]*\})\s*from\s*(["'])([^"'\n]+)\1/g;
		for (const [, , specifier = ""] of text.matchAll(again)) passedOn.add(scriptKey(specifier, path));
	},
};

const python: Syntax = {
	index: /^__init__$/,
	read(text, path, keys, passedOn) {
		const add = (module: string, name?: string) => {
			const dots = /^\.*/.exec(module)?.[0].length ?? 0;
			const rest = module.slice(dots).split(".").filter(Boolean);
			if (dots > 0) {
				const base = resolve(dirname(path), ...Array.from({ length: dots - 1 }, () => ".."), ...rest);
				keys.add(name === undefined ? base : join(base, name));
			} else {
				const last = name ?? rest.at(-1);
				if (last !== undefined) keys.add(last);
			}
		};
		for (const [, module = "", names = ""] of text.matchAll(/^[ \t]*from\s+([.\w]+)\s+import\s+(\([^)]*\)|[^\n]*)/gm)) {
			add(module);
			for (const [name] of names.replaceAll(/#.*$/gm, "").matchAll(/\w+(?=\s*(?:,|\)|$|as\b))/gm)) add(module, name);
			if (names.includes("*")) {
				const before = new Set(keys);
				keys.clear();
				add(module);
				for (const key of keys) passedOn.add(key);
				for (const key of before) keys.add(key);
			}
		}
		for (const [, names = ""] of text.matchAll(/^[ \t]*import\s+([^\n(]+)/gm))
			for (const [module] of names.matchAll(/[\w.]+/g)) add(module);
	},
};

const c: Syntax = {
	index: /^$/,
	read(text, path, keys, passedOn) {
		for (const [, specifier = ""] of text.matchAll(/^\s*#\s*(?:include|import)\s*["<]([^">\n]+)[">]/gm)) {
			// A header is text of whoever includes it, and of whoever includes that.
			for (const key of [resolve(dirname(path), withoutExtension(specifier)), tailOf(specifier)]) {
				keys.add(key);
				passedOn.add(key);
			}
		}
	},
};

const go: Syntax = {
	index: /./,
	read(text, path, keys) {
		// The files of a package see each other without a word.
		keys.add(dirname(path));
		const block = /^import\s*(?:\(([\s\S]*?)^\)|[\w.]*\s*("[^"\n]+"))/gm;
		for (const [, many = "", one = ""] of text.matchAll(block))
			for (const [, specifier = ""] of `${many}${one}`.matchAll(/"([^"\n]+)"/g)) keys.add(tailOf(specifier));
	},
};

function syntaxOf(path: string): Syntax | undefined {
	if (script.test(path)) return javascript;
	if (/\.pyi?$/.test(path)) return python;
	if (/\.(c|h|cc|cpp|cxx|hh|hpp|hxx|inl|m|mm)$/.test(path)) return c;
	return path.endsWith(".go") ? go : undefined;
}

/** True for a file of JavaScript or TypeScript, or with some in it. */
export function isScript(path: string): boolean {
	return script.test(path);
}

/** True if none but its importers see what a script declares, whichever of some texts it has; undefined is no text. */
export function isSeenByImporters(path: string, texts: readonly (string | undefined)[]): boolean {
	const isModule = (text: string) =>
		/^\s*(?:import|export)\b/m.test(text) &&
		!/^\s*(?:declare\s+(?:global|module)|export\s+as\s+namespace)\b/m.test(text);
	return isScript(path) && texts.every((text) => text === undefined || isModule(text));
}

/** True for a file whose imports can be read. */
export function hasImports(path: string): boolean {
	return syntaxOf(path) !== undefined;
}

export function importsOf(text: string, path: string): Imports {
	const keys = new Set<string>();
	const passedOn = new Set<string>();
	syntaxOf(path)?.read(text, path, keys, passedOn);
	return { keys, passedOn };
}

/** The keys by which a file below `root` may be imported. */
export async function keysOf(path: string, root: string, directories: Directories): Promise<string[]> {
	const stem = withoutExtension(path);
	const name = basename(stem);
	const isIndex = syntaxOf(path)?.index.test(name) === true;
	const places = isIndex ? [dirname(path), basename(dirname(path))] : [];
	return [stem, name, ...places, ...(await packageNames(path, root, isIndex, directories))];
}

/** The last word of the name of the package that a file belongs to, if it may be what the package's name leads to. */
async function packageNames(path: string, root: string, isIndex: boolean, directories: Directories): Promise<string[]> {
	if (!script.test(path) || !isInside(path, root)) return [];
	for (const directory of directoriesUp(dirname(path), root)) {
		const manifest = await directories.text(directory, "package.json");
		if (manifest === undefined) continue;
		const name = /"name"\s*:\s*"([^"]+)"/.exec(manifest)?.[1];
		const isMeant = isIndex || manifest.includes(basename(withoutExtension(path)));
		return name !== undefined && isMeant ? [tailOf(name)] : [];
	}
	return [];
}

function scriptKey(specifier: string, path: string): string {
	const plain = specifier.replace(/[?#].*$/, "") || specifier;
	if (/^\.{1,2}(\/|$)/.test(plain)) {
		const stem = withoutExtension(resolve(dirname(path), plain));
		return stem.endsWith("/index") ? dirname(stem) : stem;
	}
	return tailOf(plain);
}

/** `@app/shop/cart.js` is `cart`, `#config` is `config`. */
function tailOf(specifier: string): string {
	const words = withoutExtension(specifier).split("/");
	const last = words.at(-1) === "index" && words.length > 1 ? words.at(-2) : words.at(-1);
	return (last ?? "").replace(/^[@~#$]+/, "");
}

function withoutExtension(path: string): string {
	return path.replace(script, "").replace(/\.(pyi?|json|css|go|c|h|cc|cpp|cxx|hh|hpp|hxx|inl|m|mm)$/, "");
}
