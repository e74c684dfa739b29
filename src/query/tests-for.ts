import { basename, dirname, extname, relative, sep } from "node:path";
import type { Service } from "../daemon/service.ts";
import { isTestPath, subjectOf } from "../project/test-paths.ts";
import { displayPath, type FilePlace } from "../routing/locate.ts";
import { anySource, readText } from "../util/read-file.ts";

/** A test of a file, and what says so. */
export interface FoundTest {
	readonly path: string;
	readonly reason: string;
}

/** Files that are called after what they do in their directory, not after what they hold. */
const general = /^(?:index|main|mod|lib|__init__)$/;
/** What a file says that holds its own tests. */
const ownTests: Readonly<Record<string, RegExp>> = {
	".rs": /^\s*#\[(?:cfg\(test\)|test\b|tokio::test)/m,
	".zig": /^\s*test\s*(?:"|\{)/m,
	".d": /^\s*unittest\s*\{/m,
};

const named = "named after it";
const imports = "imports it";

/**
 * The tests of a file: those that it holds, those that are named after it, those that import it (and those of its
 * package in Go); where there are none, those that depend on it through other files. Sorted by how sure that is.
 */
export async function testsFor(
	service: Service,
	place: FilePlace,
	cwd: string,
	signal: AbortSignal,
): Promise<FoundTest[]> {
	const { path, workspace } = place;
	const index = service.indexOf(workspace);
	const watched = await service.watches.areCurrent(workspace);
	const tests = await index.tests({ watched });
	// What has just been read is not looked at once more.
	const [text, importers] = await Promise.all([readText(path, anySource), index.dependents(path, { watched: true })]);
	signal.throwIfAborted();
	const reasons = new Map<string, string[]>();
	const add = (file: string, reason: string) => reasons.set(file, [...(reasons.get(file) ?? []), reason]);
	if (isTestPath(relative(workspace, path))) add(path, "a test itself");
	else if (ownTests[extname(path)]?.test(text ?? "")) add(path, "holds tests of its own");
	const near = (files: readonly string[]) => files.toSorted((a, b) => shared(b, path) - shared(a, path));
	for (const file of near(namedAfter(path, workspace, tests))) add(file, named);
	for (const file of near(importers)) {
		if (file === path || !tests.has(file)) continue;
		const isPackage = path.endsWith(".go") && dirname(file) === dirname(path);
		add(file, isPackage ? "of its package" : imports);
	}
	// The nearest first: those that depend on it through the fewest files.
	if (reasons.size === 0)
		for (const file of await index.dependents(path, { all: true, watched: true }))
			if (file !== path && tests.has(file)) add(file, "depends on it through other files");
	// The sort keeps their order: the file's own, those named after it, those that import it.
	const surest = [...reasons].sort(([a, one], [b, other]) => {
		return Number(b === path) - Number(a === path) || other.length - one.length;
	});
	return surest.map(([file, why]) => ({ path: displayPath(file, cwd), reason: why.join(", ") }));
}

/** How many directories two files have in common. */
function shared(one: string, other: string): number {
	const [a, b] = [dirname(one).split(sep), dirname(other).split(sep)];
	const first = a.findIndex((part, index) => part !== b[index]);
	return first < 0 ? a.length : first;
}

/** The tests that are called like a file, only those near it if there are any. */
function namedAfter(path: string, workspace: string, tests: ReadonlySet<string>): string[] {
	const stem = subjectOf(path);
	const subject = general.test(stem) ? basename(dirname(path)).toLowerCase() : stem;
	const found = [...tests].filter(
		(file) => file !== path && subjectOf(file) === subject && familyOf(file) === familyOf(path),
	);
	const near = found.filter((file) => isNear(file, path, workspace));
	return near.length > 0 ? near : found;
}

/** True for a test beside a file, in a directory of tests beside it, or at the same place in a tree of tests. */
function isNear(test: string, path: string, workspace: string): boolean {
	const own = dirname(path);
	const isBeside = /^(?:tests?|__tests__|specs?)$/i.test(basename(dirname(test))) && dirname(dirname(test)) === own;
	if (dirname(test) === own || isBeside) return true;
	const parts = relative(workspace, dirname(test)).split(sep);
	return relative(workspace, own) !== "" && parts.includes(basename(own));
}

const families = [
	/\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/,
	/\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx)$/,
	/\.(?:java|kt|kts|groovy|scala)$/,
];

/** Files of one language, and of those that are used together, have the same. */
function familyOf(path: string): string {
	const family = families.findIndex((pattern) => pattern.test(path));
	return family < 0 ? extname(path) : `${family}`;
}
