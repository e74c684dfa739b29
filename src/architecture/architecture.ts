import { join, relative } from "node:path";
import { LspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import { isSource } from "../impact/index/sources.ts";
import type { ArchitectureReport } from "../operations/architecture.ts";
import { Directories } from "../project/directories.ts";
import { isTestPath } from "../project/test-paths.ts";
import { displayPath, inWorkspace } from "../routing/locate.ts";
import { statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { readText } from "../util/read-file.ts";
import { TimeSlices } from "../util/time-slices.ts";
import { exclusion } from "../watch/ignores.ts";
import { walk } from "../watch/walk.ts";
import { chooseFolders } from "./choose-folders.ts";
import { entryPoints, startsProcess } from "./entry-points.ts";
import { type Edge, foldersOf } from "./folder-parts.ts";
import { hotSpots } from "./hot-spots.ts";
import { ImportResolver } from "./import-resolver.ts";
import { type Package, packagesIn } from "./packages.ts";
import { importsIn, languageName } from "./read-imports.ts";

export interface ArchitectureOrder {
	/** As the caller names it; default: the workspace. */
	readonly path: string | undefined;
	readonly maxFolders: number;
}

const maxFiles = 20_000;
const maxSpots = 12;
const unreadShare = 20;
const source = { maxBytes: 2 * 1024 * 1024, within: "anywhere" } as const;

/** Rejects with LSP_FILE_NOT_FOUND, LSP_INVALID_INPUT for a file, and like `inWorkspace`. */
export async function architectureOf(call: OperationCall, order: ArchitectureOrder): Promise<ArchitectureReport> {
	const settings = await call.settings();
	const { directory: cwd, workspace, exclude } = settings;
	const root = order.path === undefined ? workspace : await inWorkspace(order.path, settings);
	const show = (path: string) => (path === cwd ? "." : displayPath(path, cwd));
	const shown = show(root);
	const info = await statOf(root);
	if (!info) throw new LspError("LSP_FILE_NOT_FOUND", `${shown} does not exist.`, { file_path: root });
	if (!info.isDirectory()) throw new LspError("LSP_INVALID_INPUT", `${shown} is not a directory.`);
	const { files: all, isCut } = await filesBelow(workspace, exclude, call.signal);
	const isTest = (path: string) => isTestPath(relative(workspace, path));
	const sources = all.filter((path) => isSource(path));
	const code = sources.filter((path) => !isTest(path));
	const within = code.filter((path) => isInside(path, root));
	const directories = new Directories();
	const packages = await packagesIn(workspace, all);
	const resolver = new ImportResolver(workspace, code, packages, directories);
	const { edges, starts, unread } = await readEdges(within, resolver, call.signal);
	const chosen = chooseFolders(
		within.map((path) => relative(root, path)),
		order.maxFolders,
	);
	const folders = foldersOf(chosen, edges, { root, cwd });
	const inside = packages.filter(({ directory }) => isInside(directory, root));
	const index = call.service.indexOf(workspace);
	await index.read({ watched: await call.service.watches.areCurrent(workspace) });
	const hot = await hotSpots(call, mostImported(within, edges), index);
	return {
		path: shown,
		files: within.length,
		tests: sources.filter((path) => isTest(path) && isInside(path, root)).length,
		languages: counted(within),
		packages: packageParts(inside, within, edges, show),
		...folders,
		entryPoints: entryPoints(root, { packages: inside, files: within, starts }).map(({ file, what }) => ({
			file: show(join(root, file)),
			what,
		})),
		hotSpots: hot.symbols.slice(0, maxSpots),
		unread: [
			...(isCut ? [{ path: show(workspace), reason: `only the first ${all.length} files were looked at` }] : []),
			...unread,
			...hot.unasked.map(({ path, reason }) => ({ path: show(path), reason })),
		],
	};
}

async function filesBelow(root: string, exclude: readonly string[], signal: AbortSignal) {
	const isExcluded = exclusion(root, exclude);
	const found: string[] = [];
	for await (const { files } of walk(root, { withoutIgnored: true })) {
		signal.throwIfAborted();
		for (const path of files) if (!isExcluded(path)) found.push(path);
		if (found.length > maxFiles) return { files: found, isCut: true };
	}
	return { files: found, isCut: false };
}

async function readEdges(files: readonly string[], resolver: ImportResolver, signal: AbortSignal) {
	const slices = new TimeSlices();
	const edges: Edge[] = [];
	const starts: string[] = [];
	const unread: string[] = [];
	for (const from of files) {
		signal.throwIfAborted();
		if (slices.isOver) await slices.next();
		const text = await readText(from, source);
		if (text === undefined) continue;
		if (startsProcess(from, text)) starts.push(from);
		const imports = importsIn(from, text);
		if (!imports) unread.push(languageName(from));
		const targets = new Map<string, boolean>();
		for (const { name, isLoaded } of imports ?? []) {
			const to = await resolver.targetOf(name, from);
			if (to !== undefined && to !== from) targets.set(to, (targets.get(to) ?? false) || isLoaded);
		}
		for (const [to, isLoaded] of targets) edges.push({ from, to, isLoaded });
	}
	const many = [...countsOf(unread)].filter(([, count]) => count * unreadShare >= files.length);
	const reason = "the imports of this language are not read";
	return { edges, starts, unread: many.map(([name]) => ({ path: `*.${name}`, reason })) };
}

function countsOf<Item>(items: readonly Item[]): Map<Item, number> {
	const counts = new Map<Item, number>();
	for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
	return counts;
}

function counted(files: readonly string[]): ArchitectureReport["languages"] {
	return [...countsOf(files.map(languageName))]
		.map(([name, number]) => ({ name, files: number }))
		.sort((a, b) => b.files - a.files);
}

function packageParts(
	packages: readonly Package[],
	files: readonly string[],
	edges: readonly Edge[],
	show: (path: string) => string,
): ArchitectureReport["packages"][number][] {
	const inner = [...packages].sort((a, b) => b.directory.length - a.directory.length);
	const known = new Map<string, Package | undefined>();
	const packageOf = (path: string) => {
		if (!known.has(path))
			known.set(
				path,
				inner.find(({ directory }) => isInside(path, directory)),
			);
		return known.get(path);
	};
	const counts = countsOf(files.map(packageOf));
	const uses = new Map<Package, Set<string>>();
	for (const { from, to } of edges) {
		const [own, other] = [packageOf(from), packageOf(to)];
		if (own && other && own !== other) uses.set(own, (uses.get(own) ?? new Set()).add(other.name));
	}
	return packages.map((each) => ({
		name: each.name,
		path: show(each.directory),
		kind: each.kind,
		files: counts.get(each) ?? 0,
		uses: [...(uses.get(each) ?? [])].sort(),
	}));
}

function mostImported(files: readonly string[], edges: readonly Edge[]): string[] {
	const counts = countsOf(edges.map(({ to }) => to));
	const countOf = (file: string) => counts.get(file) ?? counts.get(file.slice(0, file.lastIndexOf("/"))) ?? 0;
	const ranked = [...files].sort((a, b) => countOf(b) - countOf(a));
	return edges.length === 0 ? ranked : ranked.filter((file) => countOf(file) > 0);
}
