import { basename } from "node:path";
import type { OperationCall } from "../daemon/operation-context.ts";
import { anySource, readText } from "../util/read-file.ts";
import { type Consumer, isConsumers } from "./find-uses.ts";
import type { LibrarySymbol } from "./library-symbol.ts";

export interface Candidate {
	readonly path: string;
	/** In UTF-16 units, where a name stands that may be the library's. */
	readonly offsets: readonly number[];
}

/**
 * Files of the consumer in the library's language that have one of the names as a word, or import a default export of
 * the library; those that name the package first.
 */
export async function filesNaming(
	{ service }: OperationCall,
	library: LibrarySymbol,
	{ root, workspace }: Consumer,
): Promise<Candidate[]> {
	const index = service.indexOf(workspace);
	await index.read({ watched: await service.watches.areCurrent(workspace) });
	const { path } = library.declared[0];
	const modules = modulesOf(library);
	const wanted = new Set([...library.names, ...(library.isDefault ? modules : [])]);
	const holders = index.filesWith(wanted, path).filter((file) => isConsumers(file, root, library));
	const [importing, others]: [Candidate[], Candidate[]] = [[], []];
	for (const file of holders) {
		const text = (await readText(file, anySource)) ?? "";
		const offsets = [...offsetsOf(library.names, text), ...(library.isDefault ? defaultImports(text, modules) : [])];
		if (offsets.length === 0) continue;
		const names = text.split(/[^\p{L}\p{N}_$]+/u);
		const isImporting = modules.some((module) => names.includes(module));
		(isImporting ? importing : others).push({ path: file, offsets: [...new Set(offsets)] });
	}
	return [...importing, ...others];
}

/** The last words of what imports may name: the package, and the file. */
function modulesOf({ package: own, declared: [{ path }] }: LibrarySymbol): string[] {
	const word = /[\p{L}_$][\p{L}\p{N}_$]*(?=[^\p{L}\p{N}_$]*$)/u;
	return [own?.name ?? "", basename(path).replace(/\..*$/, "")].flatMap((name) => word.exec(name)?.[0] ?? []);
}

function offsetsOf(names: ReadonlySet<string>, text: string): number[] {
	if (names.size === 0) return [];
	const words = [...names].map((name) => name.replaceAll("$", "\\$")).join("|");
	const found = text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_$])(?:${words})(?![\\p{L}\\p{N}_$])`, "gu"));
	return [...found].map(({ index }) => index);
}

/** An import gives a default export a name of its own: `import welcome from "greeter"`, `import { default as welcome }`. */
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
