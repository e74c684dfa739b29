import type { Dirent } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { entriesOf, listed } from "../watch/folder.ts";
import { Ignores, isForeignName } from "../watch/ignores.ts";
import { languageOf, matchesName } from "../workspace/match.ts";

const mostFiles = 5000;
/** A directory that holds nothing but directories costs as much as a file. */
const mostDirectories = 5000;
const sliceMs = 8;
/** So many files of each language are shown to the servers, each out of another part of the workspace. */
const mostSamples = 4;

/** The files of one language in a workspace. */
export interface Found {
	readonly id: string;
	files: number;
	/** One file for each of the first few places in the workspace: their projects may have different servers. */
	readonly samples: Map<string, string>;
}

/** What a walk through a workspace found. */
export interface Survey {
	/** By number of files, the most first. */
	readonly languages: readonly Found[];
	readonly files: number;
	/** True if the walk ended before the workspace did. */
	readonly more: boolean;
}

/**
 * Counts the files of a workspace by language, near ones first, in slices, so that a large tree holds nobody up. What git
 * ignores and what is installed is left out; a file that no server knows by its name is counted and not named.
 */
export async function surveyLanguages(
	workspace: string,
	servers: readonly ServerConfig[],
	signal: AbortSignal,
): Promise<Survey> {
	const ignores = new Ignores(workspace);
	const own = servers.filter(({ role = "language" }) => role === "language");
	const languages = new Map<string, Found>();
	let files = 0;
	let since = performance.now();
	const directories = [workspace];
	for (let index = 0; index < directories.length; index++) {
		const directory = directories[index] as string;
		const entries = entriesIn(directory);
		if (directory !== workspace && entries.some(({ name }) => name === ".gitignore")) ignores.load(directory);
		for (const entry of entries) {
			const path = join(directory, entry.name);
			if (entry.isDirectory()) {
				if (directories.length < mostDirectories && !isForeignName(entry.name) && !ignores.ignores(path))
					directories.push(path);
			} else if (entry.isFile()) {
				if (files === mostFiles) return { languages: ranked(languages), files, more: true };
				files++;
				count(languages, path, workspace, own);
			}
			if (performance.now() - since < sliceMs) continue;
			await new Promise((resolve) => setImmediate(resolve));
			signal.throwIfAborted();
			since = performance.now();
		}
	}
	return { languages: ranked(languages), files, more: directories.length >= mostDirectories };
}

function entriesIn(directory: string): Dirent[] {
	return listed(entriesOf(directory)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function count(languages: Map<string, Found>, path: string, workspace: string, servers: readonly ServerConfig[]): void {
	const config = servers.find((candidate) => matchesName(candidate, path));
	if (!config) return;
	const id = languageOf(config, path);
	const found = languages.get(id) ?? { id, files: 0, samples: new Map<string, string>() };
	languages.set(id, found);
	found.files++;
	const place = dirname(relative(workspace, path)).split(sep).slice(0, 2).join(sep);
	if (found.samples.size < mostSamples && !found.samples.has(place)) found.samples.set(place, path);
}

function ranked(languages: ReadonlyMap<string, Found>): Found[] {
	return [...languages.values()].sort((a, b) => b.files - a.files || (a.id < b.id ? -1 : 1));
}
