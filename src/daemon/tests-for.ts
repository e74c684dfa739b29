import { basename, dirname, extname, relative, sep } from "node:path";
import { readText } from "../util/files.ts";
import { isTestPath, subjectOf } from "../util/test-paths.ts";
import { walk } from "../watch/walk.ts";
import { displayPath, type FilePlace } from "../workspace/locate.ts";
import type { Hub } from "./hub.ts";

/** A test of a file, and what says so. */
export interface FoundTest {
	readonly path: string;
	readonly reason: string;
}

/** A larger workspace is looked through so far. */
const mostFiles = 20_000;
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
export async function testsFor(hub: Hub, place: FilePlace, cwd: string, signal: AbortSignal): Promise<FoundTest[]> {
	const { path, workspace } = place;
	const graph = hub.graphOf(workspace);
	const isTest = (file: string) => file !== path && isTestPath(relative(workspace, file));
	const [text, convention, importers] = await Promise.all([
		readText(path),
		namedAfter(path, workspace, signal),
		graph.dependents(path),
	]);
	signal.throwIfAborted();
	const reasons = new Map<string, string[]>();
	const add = (file: string, reason: string) => reasons.set(file, [...(reasons.get(file) ?? []), reason]);
	if (isTestPath(relative(workspace, path))) add(path, "a test itself");
	else if (ownTests[extname(path)]?.test(text ?? "")) add(path, "holds tests of its own");
	for (const file of convention) add(file, named);
	for (const file of importers.filter(isTest)) {
		const isPackage = path.endsWith(".go") && dirname(file) === dirname(path);
		add(file, isPackage ? "of its package" : imports);
	}
	if (reasons.size === 0)
		// What has just been read is not looked at once more.
		for (const file of (await graph.dependents(path, { all: true, watched: true })).filter(isTest))
			add(file, "depends on it through other files");
	return [...reasons].map(([file, why]) => ({ path: displayPath(file, cwd), reason: why.join(", ") }));
}

/** The tests that are called like a file, only those near it if there are any. */
async function namedAfter(path: string, workspace: string, signal: AbortSignal): Promise<string[]> {
	const stem = subjectOf(path);
	const subject = general.test(stem) ? basename(dirname(path)).toLowerCase() : stem;
	const found: string[] = [];
	let seen = 0;
	for await (const { files } of walk(workspace)) {
		signal.throwIfAborted();
		seen += files.length;
		for (const file of files) {
			if (file === path || subjectOf(file) !== subject || familyOf(file) !== familyOf(path)) continue;
			if (isTestPath(relative(workspace, file))) found.push(file);
		}
		if (seen >= mostFiles) break;
	}
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
