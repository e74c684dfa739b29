import { dirname, join, resolve } from "node:path";
import { toPath } from "../../util/positions.ts";
import { familyOf } from "./sources.ts";

/** Bit: all names reach the importer. */
export const star = 1;
export const passesOn = 2;
/** Bit: new names may collide with the importer's. */
export const merges = 4;

/**
 * Bits by key: `/abs/stem` for a relative import, else `a/b/c`, in scripts its last word. Too many files for a key cost
 * milliseconds.
 */
export type Imports = ReadonlyMap<string, number>;

const [maxNameLength, maxWords] = [1000, 50];

type Add = (key: string, bits?: number) => void;
type Read = (text: string, path: string, add: Add) => void;

const script = /\.(?:d\.)?[mc]?[jt]sx?$|\.(?:vue|svelte|astro)$/;

const readScript: Read = (full, path, add) => {
	const text = withoutCommentLines(full, path);
	const wholes: (readonly [name: string, specifier: string])[] = [];
	const link = (specifier: string, bits = 0) => add(scriptKey(specifier, path), bits);
	for (const { specifier } of scriptSpecifiers(text)) link(specifier);
	for (const [, what = "", specifier = ""] of text.matchAll(
		/\bexport\s*(?:type\s*)?(\*(?:\s*as\s+(?:[\w$]+|"[^"\n]*"))?|\{[^{}]*\})\s*from\s*["']([^"'\n]+)["']/g,
	))
		link(specifier, what === "*" ? star | passesOn | merges : what.startsWith("*") ? star | passesOn : passesOn);
	for (const [, , specifier = ""] of text.matchAll(
		/(?:\bexports(?:\.[\w$]+)?\s*=\s*|\.\.\.\s*|__exportStar\(\s*)require\(\s*(["'`])([^"'`\n]+)\1/g,
	))
		link(specifier, star | passesOn);
	for (const [, name = "", specifier = ""] of text.matchAll(/\*\s*as\s+([\w$]+)\s+from\s*["']([^"'\n]+)["']/g))
		wholes.push([name, specifier]);
	const passed = passedWhole(new Set(wholes.map(([name]) => name)), text);
	for (const [name, specifier] of wholes) if (passed.has(name)) link(specifier, star | passesOn);
};

const namingStatements = [
	/\b(?:from|import|require|module)\b\s*(?:\(\s*)?(?:\/\*[^*\n]*\*\/\s*)*(["'`])([^"'`\n]+)\1/g,
	/\/{3}\s*<reference\s+(?:path|types)\s*=\s*(["'])([^"'\n]+)\1/g,
];

export function scriptSpecifiers(text: string): { readonly specifier: string; readonly start: number }[] {
	return namingStatements.flatMap((statement) =>
		[...text.matchAll(statement)].map(({ 0: whole, 2: specifier = "", index }) => ({
			specifier,
			start: index + whole.length - specifier.length - 1,
		})),
	);
}

function passedWhole(names: ReadonlySet<string>, text: string): Set<string> {
	const found = new Set<string>();
	if (names.size === 0) return found;
	for (const { 0: word, index } of text.matchAll(/[\w$]+/g)) {
		if (!names.has(word) || found.has(word)) continue;
		const end = index + word.length;
		if (!/^[ \t]*(?:[\r\n,};]|as\b|$)/.test(text.slice(end, end + 40))) continue;
		if (/(?:[{,=:]|\.{3}|\bdefault|\btypeof)\s*$/.test(text.slice(Math.max(0, index - 40), index))) found.add(word);
	}
	return found;
}

/** Commented imports are examples, except types in JavaScript. `* from` may continue an export. */
export function withoutCommentLines(text: string, path: string): string {
	const holdsTypes = /\.[mc]?jsx?$/.test(path) ? /@import\b|\bimport\(/ : undefined;
	return text.replace(/^[ \t]*(?:\*(?!\s*(?:as|from)\b)|\/\/(?!\/)).*$/gm, (line) =>
		holdsTypes?.test(line) ? line : "",
	);
}

const readPython: Read = (text, path, add) => {
	const moduleKey = (module: string, name?: string): string => {
		const dots = /^\.*/.exec(module)?.[0].length ?? 0;
		const words = module.slice(dots).split(".").filter(Boolean);
		if (name !== undefined) words.push(name);
		if (dots === 0) return words.join("/");
		return resolve(dirname(path), ...Array.from({ length: dots - 1 }, () => ".."), ...words);
	};
	const from =
		/(?:^|[;:])[ \t]*from(?:[ \t]+|(?=\.))([.\p{L}\p{N}_]+)[ \t]*\bimport\b[ \t]*(\([^)]*\)?|[^\n\\]*(?:\\\r?\n[^\n\\]*)*)/gmu;
	for (const [, module = "", names = ""] of text.matchAll(from)) {
		if (module.length > maxNameLength) continue;
		const plain = names.replace(/#.*$/gm, "").replace(/\\\r?\n/g, " ");
		add(moduleKey(module), plain.includes("*") ? star | passesOn | merges : 0);
		for (const part of plain.replace(/;.*/s, "").split(",")) {
			const name = /^[\s(]*([\p{L}\p{N}_]+)/u.exec(part)?.[1];
			if (name !== undefined) add(moduleKey(module, name));
		}
	}
	for (const [, names = ""] of text.matchAll(/(?:^|[;:])[ \t]*import[ \t]+([^\n(;#]+)/gm))
		for (const part of names.split(",")) {
			const words = /^\s*([\p{L}\p{N}_.]+)/u.exec(part)?.[1]?.split(".").filter(Boolean) ?? [];
			for (let length = Math.min(words.length, maxWords); length > 0; length--) add(words.slice(0, length).join("/"));
		}
	for (const [, module = ""] of text.matchAll(/\bimport_module\(\s*["']([\p{L}\p{N}_.]+)["']/gu))
		add(moduleKey(module));
};

const readC: Read = (text, path, add) => {
	const bits = star | passesOn | merges;
	for (const [, specifier = ""] of text.matchAll(
		/^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*["<]([^">\n]+)[">]/gm,
	)) {
		add(resolve(dirname(path), specifier), bits);
		add(join("/", specifier).slice(1), bits);
	}
};

const readGo: Read = (text, path, add) => {
	add(dirname(path), star | merges);
	const statement = /^import\b[ \t]*(?:\(|(?:[\w.]+[ \t]*)?["`][^"`\n]+["`])/gm;
	for (let found = statement.exec(text); found; found = statement.exec(text)) {
		if (found[0].endsWith("(")) statement.lastIndex = endOfList(text, statement.lastIndex);
		const list = text.slice(found.index, statement.lastIndex);
		for (const { 1: specifier = "", index } of list.matchAll(/["`]([^"`\n]+)["`]/g)) {
			const isDot = /[\s(]\.[ \t]*$/.test(list.slice(Math.max(0, index - 20), index));
			add(specifier, isDot ? star | merges : 0);
		}
	}
};

function endOfList(text: string, from: number): number {
	const lineEnd = text.indexOf("\n", from);
	const first = text.slice(from, lineEnd < 0 ? text.length : lineEnd).indexOf(")");
	if (first >= 0) return from + first;
	const close = /^[ \t]*\)/gm;
	close.lastIndex = from;
	return close.exec(text)?.index ?? text.length;
}

/** `$schema` as a key or in YAML's comment judges the file, `#:schema` a TOML file; `$ref` names a part of a schema. */
const readData: Read = (text, path, add) => {
	const link = (name: string, bits = 0) => {
		if (name === "" || name.length > maxNameLength || /^(?!file:)[a-z][a-z\d+.-]+:/i.test(name)) return;
		add((name.startsWith("file:") ? toPath(name) : resolve(dirname(path), name)) ?? "", bits);
	};
	if (path.endsWith(".toml"))
		for (const [, name = ""] of text.matchAll(/^[ \t]*#:schema[ \t]+(\S+)/gm)) link(name.replace(/#.*$/, ""));
	if (!/\$(?:schema|ref)/.test(text)) return;
	const named = /\$(schema|ref)(?:=|["']?[ \t]*:[ \t]*)(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'{}[\],]+))/g;
	for (const [, word, double, single, plain] of text.matchAll(named)) {
		const name = (double ?? single ?? plain ?? "").replace(/#.*$/, "");
		link(name, word === "ref" ? star | passesOn : 0);
	}
};

const readers: Readonly<Record<string, Read>> = {
	script: readScript,
	python: readPython,
	c: readC,
	go: readGo,
	data: readData,
};

export function isScript(path: string): boolean {
	return script.test(path);
}

export function isSeenByImporters(path: string, texts: readonly (string | undefined)[]): boolean {
	const isModule = (text: string) =>
		(/\.(?:[mc][jt]s|vue|svelte|astro)$/.test(path) ||
			/^[ \t]*(?:import|export)\b/m.test(text) ||
			(/\.jsx?$/.test(path) && /\brequire\s*\(|\bmodule\.exports\b|\bexports\.[\w$]/.test(text))) &&
		!/^[ \t]*(?:declare\s+(?:global|module)|export\s+as\s+namespace)\b/m.test(text);
	return isScript(path) && texts.every((text) => text === undefined || isModule(text));
}

/** A script's lists of exports, or what a Python module imports from others. */
export function passingLists(text: string, path: string): string {
	// A comment may hold brackets.
	const lists = isScript(path)
		? /\bexport\s*(?:type\s*)?\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g
		: /^[ \t]*from\b[^\n]*\bimport\s*(?:\([^()]*\)|.*)/gm;
	const shown = isScript(path) ? text : text.replace(/#.*/g, "");
	return (shown.match(lists) ?? []).join("\n");
}

export function hasImports(path: string): boolean {
	return readers[familyOf(path) ?? ""] !== undefined;
}

export function importsOf(text: string, path: string): Imports {
	const imports = new Map<string, number>();
	readers[familyOf(path) ?? ""]?.(text, path, (key, bits = 0) => {
		if (key !== "") imports.set(key, (imports.get(key) ?? 0) | bits);
	});
	return imports;
}

function scriptKey(specifier: string, path: string): string {
	if (specifier.length > maxNameLength) return "";
	const plain = specifier.replace(/[?#].*$/, "") || specifier;
	if (/^\.{1,2}(\/|$)/.test(plain)) {
		const stem = withoutExtension(resolve(dirname(path), plain));
		return stem.endsWith("/index") ? dirname(stem) : stem;
	}
	return tailOf(plain);
}

export function tailOf(specifier: string): string {
	const words = withoutExtension(specifier).split("/");
	const last = words.at(-1) === "index" && words.length > 1 ? words.at(-2) : words.at(-1);
	return (last ?? "").replace(/^[@~#$]+/, "");
}

export function withoutExtension(path: string): string {
	return path.replace(script, "").replace(/\.(?:pyi?|pyx|pxd|json|css|go|c|h|cc|cpp|cxx|hh|hpp|hxx|inl|m|mm)$/, "");
}
