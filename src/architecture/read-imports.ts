import { extname } from "node:path";
import { importsOf, isScript, scriptSpecifiers, withoutCommentLines } from "../impact/index/imports.ts";
import { familyOf } from "../impact/index/sources.ts";
import { rustPaths } from "./rust-paths.ts";

export interface Import {
	/** As written, or with `/` between words; absolute for a relative import of Python, C or Go. */
	readonly name: string;
	/** False for types, and for what is loaded later or perhaps never. */
	readonly isLoaded: boolean;
}

type Read = (path: string, text: string) => Import[];

function statements(pattern: RegExp, separator: RegExp | undefined = undefined): Read {
	return (_, text) =>
		[...text.matchAll(pattern)].map(([, name = ""]) => ({
			name: separator ? name.split(separator).filter(Boolean).join("/") : name,
			isLoaded: true,
		}));
}

const readers: Readonly<Record<string, Read>> = {
	python: (path, text) => {
		const loaded = importsOf(loadedPart(text), path);
		return [...importsOf(text, path).keys()].map((name) => ({ name, isLoaded: loaded.has(name) }));
	},
	c: (path, text) => [...importsOf(text, path).keys()].map((name) => ({ name, isLoaded: true })),
	go: (path, text) => [...importsOf(text, path).keys()].map((name) => ({ name, isLoaded: true })),
	rust: (_, text) => rustPaths(text).map((name) => ({ name, isLoaded: true })),
	jvm: statements(/^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)/gm, /\./),
	php: statements(/^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([\w\\]+)/gm, /\\/),
	ruby: statements(/^[ \t]*require(?:_relative)?[ \t(]+["']([\w./-]+)["']/gm),
	zig: statements(/@import\("([^"\n]+\.zig)"\)/g),
	dart: statements(/^[ \t]*(?:import|export)[ \t]+["']([^"'\n]+\.dart)["']/gm),
};

export function importsIn(path: string, text: string): Import[] | undefined {
	if (isScript(path)) return scriptImports(path, text);
	return readers[familyOf(path) ?? ""]?.(path, text);
}

export function languageName(path: string): string {
	return extname(path).slice(1).toLowerCase();
}

/** In characters, before the module's name. */
const maxStatement = 2000;
const maxImports = 2000;

function scriptImports(path: string, full: string): Import[] {
	const text = withoutCommentLines(full, path);
	return scriptSpecifiers(text)
		.slice(0, maxImports)
		.map(({ specifier, start }) => {
			const before = text.slice(Math.max(0, start - maxStatement), start);
			const from = Math.max(before.lastIndexOf("import"), before.lastIndexOf("export"));
			const statement = from < 0 ? "" : before.slice(from);
			const isTypes = /^(?:import|export)\s+type\b(?!\s*(?:,|from\b))/.test(statement) || hasTypesAlone(statement);
			return { name: specifier, isLoaded: !isTypes && !/^import\s*\(/.test(statement) };
		});
}

function hasTypesAlone(statement: string): boolean {
	const [, names] = /^(?:import|export)\s*\{([^{}]*)\}\s*from\s*["'`]$/.exec(statement) ?? [];
	const all = (names ?? "").split(",").filter((name) => name.trim() !== "");
	return all.length > 0 && all.every((name) => /^\s*type\s/.test(name));
}

function loadedPart(text: string): string {
	let isLater = false;
	return text
		.split("\n")
		.filter((line) => {
			if (/^[^\s#)\]}]/.test(line))
				isLater = /^(?:async[ \t]|def[ \t]|class[ \t]|@|if[ \t(]+(?:\w+\.)?TYPE_CHECKING\b)/.test(line);
			return !isLater;
		})
		.join("\n");
}
