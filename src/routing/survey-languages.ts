import { dirname, relative, sep } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { languageOf, matchesName } from "../project/file-match.ts";
import { LruMap } from "../util/lru-map.ts";
import { walk } from "../watch/walk.ts";

const maxFiles = 5000;
const maxDirectories = 5000;
const maxSamples = 4;
const keptMs = 60_000;

interface FoundLanguage {
	readonly id: string;
	files: number;
	/** From the first directories, whose projects may have different servers. */
	readonly samples: Map<string, string>;
}

export interface Survey {
	readonly languages: readonly FoundLanguage[];
	readonly files: number;
	readonly more: boolean;
}

export class Surveys {
	readonly #known = new WeakMap<readonly ServerConfig[], LruMap<{ readonly at: number; readonly survey: Survey }>>();

	async of(directory: string, servers: readonly ServerConfig[], signal: AbortSignal): Promise<Survey> {
		const surveys = this.#known.get(servers) ?? new LruMap(20);
		this.#known.set(servers, surveys);
		const known = surveys.get(directory);
		if (known && performance.now() - known.at < keptMs) return known.survey;
		const survey = await surveyLanguages(directory, servers, signal);
		if (survey.languages.length > 0) surveys.set(directory, { at: performance.now(), survey });
		return survey;
	}
}

export async function surveyLanguages(
	workspace: string,
	servers: readonly ServerConfig[],
	signal: AbortSignal,
): Promise<Survey> {
	const own = servers.filter(({ role = "language" }) => role === "language");
	const languages = new Map<string, FoundLanguage>();
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

function count(
	languages: Map<string, FoundLanguage>,
	path: string,
	workspace: string,
	servers: readonly ServerConfig[],
): void {
	const config = servers.find((candidate) => matchesName(candidate, path));
	if (!config) return;
	const id = languageOf(config, path);
	const found = languages.get(id) ?? { id, files: 0, samples: new Map<string, string>() };
	languages.set(id, found);
	found.files++;
	const directory = dirname(relative(workspace, path)).split(sep).slice(0, 2).join(sep);
	if (found.samples.size < maxSamples && !found.samples.has(directory)) found.samples.set(directory, path);
}

function ranked(languages: ReadonlyMap<string, FoundLanguage>): FoundLanguage[] {
	return [...languages.values()].sort((a, b) => b.files - a.files || (a.id < b.id ? -1 : 1));
}
