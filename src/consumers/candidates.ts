import { basename, dirname, relative, sep } from "node:path";
import type { OperationCall } from "../daemon/operation-context.ts";
import { familyOf } from "../impact/index/sources.ts";
import { anySource, readText } from "../util/read-file.ts";
import { type Candidate, type Consumer, isConsumers } from "./find-uses.ts";
import type { LibrarySymbol } from "./library-symbol.ts";

/** In the library's language, with one of its names or default imports; files that name the package come first. */
export async function filesNaming(
	{ service }: OperationCall,
	library: LibrarySymbol,
	{ root, workspace }: Consumer,
): Promise<Candidate[]> {
	const index = service.indexOf(workspace);
	await index.read({ watched: await service.watches.areCurrent(workspace) });
	const { path } = library.declared[0];
	const packages = packageNames(library);
	const modules = [...packages, basename(path).replace(/\..*$/, "")].flatMap(lastWord);
	const wanted = new Set([...library.names, ...(library.isDefault ? modules : [])]);
	const holders = index.filesWith(wanted, path).filter((file) => isConsumers(file, root, library));
	const [importing, others]: [Candidate[], Candidate[]] = [[], []];
	for (const file of holders) {
		const text = (await readText(file, anySource)) ?? "";
		const offsets = [...offsetsOf(library.names, text), ...(library.isDefault ? defaultImports(text, modules) : [])];
		if (offsets.length === 0) continue;
		const mayImport = packages.length === 0 || namesPackage(text, packages);
		(mayImport ? importing : others).push({ path: file, offsets: [...new Set(offsets)], mayImport });
	}
	return [...importing, ...others];
}

function packageNames({ package: own, declared: [{ path }] }: LibrarySymbol): string[] {
	if (!own) return [];
	const folders = familyOf(path) === "python" ? dirname(relative(own.directory, path)).split(sep) : [];
	return [own.name, ...folders].filter((name) => /\w/.test(name));
}

/** The crate `my-lib` is `my_lib` in its users. */
function namesPackage(text: string, names: readonly string[]): boolean {
	const parts = names.map((name) => name.replace(/[^\w-]/g, "\\$&").replace(/[-_]/g, "[-_]"));
	return new RegExp(`(?<![\\w$.-])(?:${parts.join("|")})(?![\\w$-])`).test(text);
}

function lastWord(name: string): string[] {
	return /[\p{L}_$][\p{L}\p{N}_$]*(?=[^\p{L}\p{N}_$]*$)/u.exec(name)?.slice(0, 1) ?? [];
}

function offsetsOf(names: ReadonlySet<string>, text: string): number[] {
	if (names.size === 0) return [];
	const words = [...names].map((name) => name.replaceAll("$", "\\$")).join("|");
	const found = text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_$])(?:${words})(?![\\p{L}\\p{N}_$])`, "gu"));
	return [...found].map(({ index }) => index);
}

/** `import welcome from "greeter"`, `import { default as welcome }`. */
function defaultImports(text: string, modules: readonly string[]): number[] {
	const statements = text.matchAll(
		/\bimport\s+(?:type\s+)?(?:([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:,[^;"']{0,2000})?|\{[^;"'}]{0,2000}\})\s*from\s*["']([^"'\n]+)["']/dgu,
	);
	return [...statements].flatMap(({ 0: statement, 1: local, 2: from = "", index, indices }) => {
		if (!modules.some((module) => from.includes(module))) return [];
		if (local !== undefined) return indices?.[1]?.[0] ?? [];
		const named = /\bdefault\s+as\s/.exec(statement);
		return named ? [index + named.index] : [];
	});
}
