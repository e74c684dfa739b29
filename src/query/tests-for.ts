import { basename, dirname, extname, relative, sep } from "node:path";
import type { Service } from "../daemon/service.ts";
import { isTestPath, subjectOf } from "../project/test-paths.ts";
import { displayPath, type WorkspaceFile } from "../routing/locate.ts";
import { anySource, readText } from "../util/read-file.ts";

export interface FoundTest {
	readonly path: string;
	readonly reason: string;
}

/** They mean their directory. */
const generalNames = /^(?:index|main|mod|lib|__init__)$/;
const ownTests: Readonly<Record<string, RegExp>> = {
	".rs": /^[ \t]*#\[(?:cfg\(test\)|test\b|tokio::test)/m,
	".zig": /^[ \t]*test\s*(?:"|\{)/m,
	".d": /^[ \t]*unittest\s*\{/m,
};

export async function testsFor(
	service: Service,
	place: WorkspaceFile,
	cwd: string,
	signal: AbortSignal,
): Promise<FoundTest[]> {
	const { path, workspace } = place;
	const index = service.indexOf(workspace);
	const watched = await service.watches.areCurrent(workspace);
	const tests = await index.tests({ watched });
	// `tests` has just compared the index with the disk.
	const [text, importers] = await Promise.all([readText(path, anySource), index.dependents(path, { watched: true })]);
	signal.throwIfAborted();
	const reasons = new Map<string, string[]>();
	const add = (file: string, reason: string) => reasons.set(file, [...(reasons.get(file) ?? []), reason]);
	if (isTestPath(relative(workspace, path))) add(path, "a test itself");
	else if (ownTests[extname(path)]?.test(text ?? "")) add(path, "holds tests of its own");
	const near = (files: readonly string[]) => files.toSorted((a, b) => commonDepth(b, path) - commonDepth(a, path));
	for (const file of near(namedAfter(path, workspace, tests))) add(file, "named after it");
	for (const file of near(importers)) {
		if (file === path || !tests.has(file)) continue;
		const isPackage = path.endsWith(".go") && dirname(file) === dirname(path);
		add(file, isPackage ? "of its package" : "imports it");
	}
	if (reasons.size === 0)
		for (const file of await index.dependents(path, { all: true, watched: true }))
			if (file !== path && tests.has(file)) add(file, "depends on it through other files");
	const surest = [...reasons].sort(([a, one], [b, other]) => {
		return Number(b === path) - Number(a === path) || other.length - one.length;
	});
	return surest.map(([file, why]) => ({ path: displayPath(file, cwd), reason: why.join(", ") }));
}

function commonDepth(one: string, other: string): number {
	const [a, b] = [dirname(one).split(sep), dirname(other).split(sep)];
	const first = a.findIndex((part, index) => part !== b[index]);
	return first < 0 ? a.length : first;
}

function namedAfter(path: string, workspace: string, tests: ReadonlySet<string>): string[] {
	const stem = subjectOf(path);
	const subject = generalNames.test(stem) ? basename(dirname(path)).toLowerCase() : stem;
	const found = [...tests].filter(
		(file) => file !== path && subjectOf(file) === subject && familyOf(file) === familyOf(path),
	);
	const near = found.filter((file) => isNear(file, path, workspace));
	return near.length > 0 ? near : found;
}

function isNear(test: string, path: string, workspace: string): boolean {
	const own = dirname(path);
	const isInTests = /^(?:tests?|__tests__|specs?)$/i.test(basename(dirname(test))) && dirname(dirname(test)) === own;
	if (dirname(test) === own || isInTests) return true;
	const parts = relative(workspace, dirname(test)).split(sep);
	return relative(workspace, own) !== "" && parts.includes(basename(own));
}

const families = [
	/\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/,
	/\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx)$/,
	/\.(?:java|kt|kts|groovy|scala)$/,
];

function familyOf(path: string): string {
	const family = families.findIndex((pattern) => pattern.test(path));
	return family < 0 ? extname(path) : `${family}`;
}
