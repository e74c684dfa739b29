import { basename, join, relative } from "node:path";
import { withoutExtension } from "../impact/index/imports.ts";
import type { Package } from "./packages.ts";

export interface EntryPoint {
	readonly file: string;
	readonly what: string;
}

const starting: Readonly<Record<string, RegExp>> = {
	go: /^func main\(\)/m,
	py: /^if __name__ == ["']__main__["']/m,
	rs: /^(?:pub )?(?:async )?fn main\(\)/m,
	java: /\bpublic static void main\(/,
	kt: /^(?:suspend )?fun main\(/m,
	cs: /\bstatic (?:async )?(?:void|int|Task(?:<int>)?) Main\(/,
	c: /^(?:int|void)\s+main\s*\(/m,
	cc: /^(?:int|auto)\s+main\s*\(/m,
	cpp: /^(?:int|auto)\s+main\s*\(/m,
	swift: /^@main\b/m,
	dart: /^(?:void |Future<void> )?main\(/m,
	zig: /^pub fn main\(/m,
};

/** True if a process of the project, not its build or an example, starts in the file. */
export function startsProcess(path: string, text: string): boolean {
	if (/\/build\.rs$|\/examples?\//.test(path)) return false;
	if (/\/(?:__main__|manage)\.py$|\/src\/bin\/[^/]+\.rs$/.test(path)) return true;
	return starting[path.slice(path.lastIndexOf(".") + 1)]?.test(text) ?? false;
}

/** What manifests name, then where processes start. */
export function entryPoints(root: string, { packages, files, starts }: EntrySources): EntryPoint[] {
	const found = new Map<string, EntryPoint>();
	for (const { directory, entries, kind } of packages)
		for (const { what, path } of entries) {
			const source = sourceOf(join(directory, path), directory, files);
			if (source === undefined && kind !== "npm") continue;
			const file = relative(root, source ?? join(directory, path));
			const known = found.get(file);
			if (!known) found.set(file, { file, what });
		}
	for (const path of starts) {
		const file = relative(root, path);
		if (!found.has(file)) found.set(file, { file, what: "main" });
	}
	return [...found.values()];
}

interface EntrySources {
	readonly packages: readonly Package[];
	readonly files: readonly string[];
	readonly starts: readonly string[];
}

function sourceOf(path: string, directory: string, files: readonly string[]): string | undefined {
	if (files.includes(path)) return path;
	const name = withoutExtension(basename(path));
	const below = relative(directory, withoutExtension(path)).split("/").slice(1).join("/");
	const named = files.filter((file) => file.startsWith(`${directory}/`) && withoutExtension(basename(file)) === name);
	const places = new Set(
		[below, `src/${below}`, name, `src/${name}`, `lib/${name}`].map((each) => join(directory, each)),
	);
	const exact = named.find((file) => places.has(withoutExtension(file)));
	return exact ?? (named.length === 1 ? named[0] : undefined);
}
