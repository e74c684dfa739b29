import { dirname } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { LspError } from "../contract/errors.ts";
import { isInstalled, isReady } from "../launch/launch-command.ts";
import type { Directories } from "../project/directories.ts";
import { holds, type Level, placesUpward } from "../project/markers.ts";
import { levelsAbove, rootOf } from "../project/root.ts";
import { typescriptMajor } from "../project/typescript-version.ts";

/** The file that servers are chosen for, and who asks. */
export interface Question {
	readonly path: string;
	readonly display: string;
	readonly workspace: string;
	readonly trusted: boolean;
	readonly directories: Directories;
	/** True to be told also of second opinions that are not installed or may not run. */
	readonly wished?: boolean;
}

/** A server that answers for a file. */
export interface Choice {
	/** As it is started for this caller; for one without trust what `restricted` says is in it. */
	readonly config: ServerConfig;
	/** Undefined if the file belongs to no project that the server could work on. */
	readonly root: string | undefined;
	/** False if it would run what the repository brings, and the caller does not trust that. */
	readonly mayRun: boolean;
}

/** Where a project says that it uses a tool, and how many directories above the file that is. */
interface Use {
	readonly directory: string;
	readonly distance: number;
}

interface Candidate {
	readonly config: ServerConfig;
	readonly use: Use | undefined;
	readonly mayRun: boolean;
}

/**
 * Of the servers for a file those that answer for it: of alternatives the one that the project uses, then the first that
 * is installed; linters and frameworks where the project uses them, if they are installed and may run. A server may run
 * if the caller trusts the workspace, or if it runs nothing of the repository's.
 */
export async function chooseServers(matching: readonly ServerConfig[], question: Question): Promise<Choice[]> {
	const { path, workspace, trusted, directories } = question;
	const above = await levelsAbove(path, workspace, directories);
	const candidates: Candidate[] = [];
	for (const config of matching) {
		const use = config.usedBy && (await useOf(config, above, directories));
		if (config.usedBy && !use && (config.exclusive || isOptional(config))) continue;
		const permitted = await permit(config, question);
		candidates.push({ config: permitted ?? config, use, mayRun: permitted !== undefined });
	}
	const exclusive = new Set(candidates.filter(({ config }) => config.exclusive).map(({ config }) => groupOf(config)));
	const apart = candidates.filter(({ config }) => config.exclusive || !exclusive.has(groupOf(config)));
	const chosen = await firstInstalled(await chooseTypescript(apart, question), question);
	const choices: Choice[] = [];
	for (const { config, use, mayRun } of chosen) {
		const root = (await rootOf(path, workspace, config, directories)) ?? use?.directory;
		// A second opinion: one that may not run, or is not there, takes nothing from the first.
		if (isOptional(config) && !question.wished) {
			// Of one that may not run it is told, if trust is all that it lacks.
			if (!root) continue;
			directories.looked.beyond();
			const isUnknown = config.fromRepository && !mayRun;
			if (!isUnknown && !(await isReady(config, workspace, process.env, { root, trusted: trusted || !mayRun })))
				continue;
		}
		choices.push({ config, root, mayRun });
	}
	// What only one of them can be asked, the language's own server is asked.
	return [
		...choices.filter(({ config }) => !isOptional(config)),
		...choices.filter(({ config }) => isOptional(config)),
	];
}

/** True for a server that is asked beside the language's own. */
export function isOptional({ role = "language" }: ServerConfig): boolean {
	return role !== "language";
}

/** Whether the project of a file uses a server's tool: the nearest directory, up to the workspace, that says so. */
async function useOf(
	{ usedBy, notUsedBy }: ServerConfig,
	above: readonly Level[],
	directories: Directories,
): Promise<Use | undefined> {
	if (!usedBy) return undefined;
	for (const [distance, level] of above.entries()) {
		const [not, used] = [notUsedBy ? holds(level, notUsedBy, directories) : false, holds(level, usedBy, directories)];
		// Waiting for what is there already would cost more than finding it.
		if (not === true || (not !== false && (await not))) return undefined;
		if (used === true || (used !== false && (await used))) return { directory: level.directory, distance };
	}
	return undefined;
}

/** A server as this caller may start it, or undefined if he may not. */
async function permit(
	config: ServerConfig,
	{ path, trusted, directories }: Question,
): Promise<ServerConfig | undefined> {
	const { restricted } = config;
	if (trusted) return config;
	if (!restricted) return config.runsRepositoryCode ? undefined : config;
	const { unless = [], args, environment, initializationOptions, settings, initialized, partial } = restricted;
	for (const place of placesUpward(dirname(path), unless)) if (await directories.stats(place)) return undefined;
	const over = { args, initializationOptions, settings, initialized, partial };
	return {
		...config,
		...(Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined)) as Partial<ServerConfig>),
		...(unless.length > 0 ? { oneRoot: true } : {}),
		...(environment ? { environment: { ...config.environment, ...environment } } : {}),
	};
}

function groupOf({ alternative, id }: ServerConfig): string {
	return alternative ?? id;
}

/**
 * Keeps of the servers that stand for each other one: the one that the caller names, the nearest to what the project says;
 * the first if none is installed.
 */
async function firstInstalled(candidates: readonly Candidate[], question: Question): Promise<Candidate[]> {
	const groups = new Map<string, Candidate[]>();
	for (const candidate of candidates) {
		const group = groupOf(candidate.config);
		groups.set(group, [...(groups.get(group) ?? []), candidate]);
	}
	const far = Number.POSITIVE_INFINITY;
	const distance = ({ config, use }: Candidate) => (config.namedBy === "caller" ? -1 : (use?.distance ?? far));
	const kept: Candidate[] = [];
	for (const group of groups.values()) {
		const ordered = group.length > 1 ? group.toSorted((a, b) => compare(distance(a), distance(b))) : group;
		const found = ordered.length > 1 ? await firstThatRuns(ordered, question) : undefined;
		const first = found ?? ordered[0];
		if (first) kept.push(first);
	}
	return kept;
}

/** Infinity minus itself is no number. */
function compare(a: number, b: number): number {
	return a === b ? 0 : a - b;
}

async function firstThatRuns(
	candidates: readonly Candidate[],
	{ path, workspace, trusted, directories }: Question,
): Promise<Candidate | undefined> {
	directories.looked.beyond();
	let installed: Candidate | undefined;
	for (const candidate of candidates) {
		if (!(await isInstalled(candidate.config, workspace, process.env, { root: dirname(path), trusted }))) continue;
		if (candidate.mayRun) return candidate;
		installed ??= candidate;
	}
	return installed;
}

/** Keeps of the TypeScript servers those whose compiler is the project's own. */
async function chooseTypescript(
	candidates: readonly Candidate[],
	{ path, display, workspace, directories }: Question,
): Promise<readonly Candidate[]> {
	if (!candidates.some(({ config }) => config.typescript)) return candidates;
	const named = await typescriptMajor(path, workspace, directories);
	// Who names none means the newest.
	const major = named ?? Number.POSITIVE_INFINITY;
	const chosen = candidates.filter(
		({ config: { typescript } }) =>
			!typescript || (major >= typescript.from && major <= (typescript.to ?? Number.POSITIVE_INFINITY)),
	);
	if (chosen.some(({ config }) => config.typescript)) return chosen;
	if (named === undefined)
		throw new LspError(
			"LSP_SERVER_UNAVAILABLE",
			`The project of ${display} names no TypeScript, and there is no server for the newest one.`,
			{ language: "typescript", suggestion: "Enable the server `typescript`, or declare the version in package.json." },
		);
	throw new LspError(
		"LSP_SERVER_UNAVAILABLE",
		`${display} belongs to a TypeScript ${major} project, and there is no server for TypeScript ${major}.`,
		{
			language: "typescript",
			suggestion: "TypeScript 7 would judge it by other defaults. Upgrade the project, or configure a server for it.",
		},
	);
}
