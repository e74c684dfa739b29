import { dirname, relative, sep } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { languageOf, matchesName } from "../project/file-match.ts";
import { walk } from "../watch/walk.ts";

const maxFiles = 5000;
/** A directory that holds nothing but directories costs as much as a file. */
const maxDirectories = 5000;
/** So many files of each language are shown to the servers, each out of another part of the workspace. */
const maxSamples = 4;

/** The files of one language in a workspace. */
interface Found {
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
	const own = servers.filter(({ role = "language" }) => role === "language");
	const languages = new Map<string, Found>();
	let files = 0;
	for await (const { files: some, directories } of walk(workspace)) {
		signal.throwIfAborted();
		if (directories > maxDirectories) return { languages: ranked(languages), files, more: true };
		for (const path of some) {
			if (files === maxFiles) return { languages: ranked(languages), files, more: true };
			files++;
			count(languages, path, workspace, own);
		}
	}
	return { languages: ranked(languages), files, more: false };
}

function count(languages: Map<string, Found>, path: string, workspace: string, servers: readonly ServerConfig[]): void {
	const config = servers.find((candidate) => matchesName(candidate, path));
	if (!config) return;
	const id = languageOf(config, path);
	const found = languages.get(id) ?? { id, files: 0, samples: new Map<string, string>() };
	languages.set(id, found);
	found.files++;
	const place = dirname(relative(workspace, path)).split(sep).slice(0, 2).join(sep);
	if (found.samples.size < maxSamples && !found.samples.has(place)) found.samples.set(place, path);
}

function ranked(languages: ReadonlyMap<string, Found>): Found[] {
	return [...languages.values()].sort((a, b) => b.files - a.files || (a.id < b.id ? -1 : 1));
}
