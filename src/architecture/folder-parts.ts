import { join, resolve } from "node:path";
import type { ArchitectureReport } from "../operations/architecture.ts";
import { displayPath } from "../routing/locate.ts";
import { isInside } from "../util/paths.ts";
import type { ChosenFolder } from "./choose-folders.ts";
import { componentsOf, type Graph, levelsOf, shortestCircle } from "./circles.ts";

export interface Edge {
	readonly from: string;
	readonly to: string;
	readonly isLoaded: boolean;
}

type FolderPart = ArchitectureReport["folders"][number];
type Dependency = FolderPart["uses"][number];
type Circle = ArchitectureReport["circles"][number];

export function foldersOf(
	chosen: readonly ChosenFolder[],
	edges: readonly Edge[],
	{ root, cwd }: { readonly root: string; readonly cwd: string },
): { readonly folders: readonly FolderPart[]; readonly circles: readonly Circle[] } {
	const labels = chosen.map(({ path, isOwn }) => {
		const folder = resolve(root, path);
		return folder === cwd ? "." : `${displayPath(folder, cwd)}${isOwn ? "/" : ""}`;
	});
	const folderOf = new Map<string, string>();
	for (const [index, { files }] of chosen.entries())
		for (const file of files) folderOf.set(join(root, file), labels[index] ?? "");
	const ofDirectory = (path: string) => [...folderOf].find(([file]) => isInside(file, path))?.[1];
	const targets = new Map<string, string | undefined>();
	const labelOf = (path: string) => {
		if (!targets.has(path)) targets.set(path, folderOf.get(path) ?? ofDirectory(path));
		return targets.get(path);
	};
	const counts = new Map(labels.map((label) => [label, new Map<string, number>()]));
	const loads = new Map(labels.map((label) => [label, new Set<string>()]));
	const examples = new Map<string, Edge>();
	for (const edge of edges) {
		const [from, to] = [folderOf.get(edge.from), labelOf(edge.to)];
		if (from === undefined || to === undefined || from === to) continue;
		const own = counts.get(from);
		own?.set(to, (own.get(to) ?? 0) + 1);
		if (!edge.isLoaded) continue;
		loads.get(from)?.add(to);
		if (!examples.has(`${from}\n${to}`)) examples.set(`${from}\n${to}`, edge);
	}
	const levels = levelsOf(loads);
	const folders = chosen.map(({ files }, index): FolderPart => {
		const path = labels[index] ?? "";
		const uses = [...(counts.get(path) ?? [])].map(([to, imports]): Dependency => {
			return { path: to, imports, ...(loads.get(path)?.has(to) ? {} : { isUnloaded: true }) };
		});
		uses.sort((a, b) => b.imports - a.imports);
		return { path, files: files.length, uses, level: levels.get(path) ?? 0 };
	});
	return { folders: folders.sort((a, b) => b.level - a.level), circles: circlesIn(loads, examples, cwd) };
}

function circlesIn(loads: Graph, examples: ReadonlyMap<string, Edge>, cwd: string): Circle[] {
	return componentsOf(loads).map((component) => {
		const folders = shortestCircle(component, loads);
		const imports = folders.flatMap((from, index) => {
			const edge = examples.get(`${from}\n${folders[(index + 1) % folders.length]}`);
			return edge ? [{ from: displayPath(edge.from, cwd), to: displayPath(edge.to, cwd) }] : [];
		});
		return { folders, imports, all: component.length };
	});
}
