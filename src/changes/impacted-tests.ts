import { dirname, relative, resolve } from "node:path";
import { asLspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import { isSource } from "../impact/index/sources.ts";
import { isForeign } from "../project/root.ts";
import { rustDocTests } from "../project/test-functions.ts";
import { isProse, isTestPath } from "../project/test-paths.ts";
import { workspaceOf } from "../project/workspace-of.ts";
import type { FileQuery } from "../query/file-query.ts";
import { askFirst } from "../query/run.ts";
import { displayPath } from "../routing/locate.ts";
import { statOf } from "../util/files.ts";
import { changeSet } from "./change-set.ts";
import type { ChangeScope } from "./git-changes.ts";
import { isForDirectory, type Reached, ReachingTests } from "./reaching-tests.ts";
import type { ChangedFile } from "./read-changes.ts";

export interface ImpactedTests {
	readonly changed: number;
	/** Undefined for all, because of `why`. */
	readonly tests: readonly ImpactedFile[] | undefined;
	readonly why?: string;
	/** The changed symbols that reach a test of a file, by absolute path; an empty `symbol` is the whole file. */
	causesOf(file: string, test: string | undefined): readonly Cause[];
}

interface Cause {
	/** Displayed path. */
	readonly file: string;
	readonly symbol: string;
}

interface ImpactedFile {
	/** Absolute; a directory if the file serves all tests in it. */
	readonly file: string;
	readonly isDirectory: boolean;
	readonly tests: readonly string[];
}

const fileMs = 120_000;

/** Rejects like `changeSet`. */
export async function impactedTests(call: OperationCall, scope: ChangeScope): Promise<ImpactedTests> {
	const { cwd } = await call.context();
	const workspace = await workspaceOf(cwd);
	const { files, skipped, before } = await changeSet(call, scope, [], { reach: true });
	const changed = files.length + skipped.length;
	const nameOf = (path: string) => relative(workspace, resolve(cwd, path));
	const isUnread = (path: string) => isForeign(resolve(cwd, path), workspace) || isProse(nameOf(path));
	const unread = [
		...skipped.map(({ path }) => path),
		...files.flatMap(({ path, unread: reason }) => (reason === undefined && isSource(path) ? [] : path)),
	].find((path) => !isUnread(path) && !(isSource(path) && isTestPath(nameOf(path))));
	const reached = new ReachingTests(async (name, path) => {
		const index = call.service.indexOf(workspace);
		await index.read({ watched: await call.service.watches.areCurrent(workspace) });
		return index.filesWith(new Set([name]), resolve(cwd, path)).map((file) => displayPath(file, cwd));
	});
	const causesOf = (file: string, test: string | undefined) =>
		reached.causesOf(displayPath(file, cwd), test).map(({ path, symbol }) => ({ file: path, symbol }));
	if (unread !== undefined)
		return { changed, tests: undefined, why: `${unread} differs, and nothing says which tests it is for`, causesOf };
	for (const file of files) {
		if (isUnread(file.path)) continue;
		if (isTestPath(nameOf(file.path))) {
			reached.load(file.path, file.state !== "removed");
		} else await follow(call, file, reached);
	}
	for (const [{ path, symbol }, { users }] of before) {
		const [first] = users;
		const next = reached.take(users, { path: displayPath(path, cwd), symbol, isTest: false });
		if (first && next.length > 0) await followIn(call, first.path, next, reached);
	}
	if (reached.isCut)
		return { changed, tests: undefined, why: "the change reaches too many symbols to follow", causesOf };
	const found = await testsOf(call, reached, workspace, cwd);
	if (found.tests === undefined) return { changed, causesOf, ...found };
	// Examples in comments are no symbols.
	const documented = files.flatMap(({ path }) =>
		path.endsWith(".rs") && !isUnread(path) && !isTestPath(nameOf(path))
			? { file: resolve(cwd, path), isDirectory: false, tests: [rustDocTests] }
			: [],
	);
	return { changed, tests: [...documented, ...found.tests], causesOf };
}

async function follow(call: OperationCall, file: ChangedFile, reached: ReachingTests): Promise<void> {
	const { path, symbols, isOutside } = file;
	const gone = symbols.some(({ change }) => change === "removed" || change === "moved");
	if (isOutside || gone || file.state !== "changed") reached.loaded.add(path);
	const there = symbols.filter(({ change }) => change !== "removed");
	if (there.length > 0)
		await followIn(
			call,
			path,
			there.map(({ symbol }) => ({ path, symbol, isTest: false })),
			reached,
		);
}

async function followIn(
	call: OperationCall,
	path: string,
	symbols: readonly Reached[],
	reached: ReachingTests,
): Promise<void> {
	const { located } = await call.service.locate(path, call.params);
	try {
		const answer = async (asked: FileQuery) => {
			await reached.follow(asked, symbols);
			return {};
		};
		await askFirst(await call.context(), { located, answer, options: { whole: true, ms: fileMs } });
	} catch (thrown) {
		call.signal.throwIfAborted();
		if (asLspError(thrown).code === "LSP_CANCELLED") throw thrown;
		reached.loaded.add(path);
	}
}

async function testsOf(
	call: OperationCall,
	reached: ReachingTests,
	workspace: string,
	cwd: string,
): Promise<Pick<ImpactedTests, "tests" | "why">> {
	const { cases, whole, loaded } = reached;
	const all = new Set([...whole].map((path) => resolve(cwd, path)));
	const index = call.service.indexOf(workspace);
	const watched = await call.service.watches.areCurrent(workspace);
	const tests = loaded.size === 0 ? new Set<string>() : await index.tests({ watched });
	for (const path of loaded) {
		// Unit tests stand in the sources.
		if (path.endsWith(".rs") && !whole.has(path)) return { tests: undefined, why: `what loads ${path} is not known` };
		const file = resolve(cwd, path);
		for (const other of await index.dependents(file, { all: true, watched })) {
			if (!tests.has(other)) continue;
			all.add(other);
			reached.loads(displayPath(other, cwd), { path, symbol: "", isTest: false });
		}
	}
	const found: ImpactedFile[] = [];
	for (const file of all) {
		if (!(await statOf(file))) continue;
		const isDirectory = isForDirectory(file);
		found.push({ file: isDirectory ? dirname(file) : file, isDirectory, tests: [] });
	}
	for (const [path, names] of cases) {
		const file = resolve(cwd, path);
		if (!all.has(file)) found.push({ file, isDirectory: false, tests: [...names] });
	}
	return { tests: found };
}
