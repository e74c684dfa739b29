import { dirname } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { LspError } from "../contract/errors.ts";
import { isInstalled, isReady } from "../launch/launch-command.ts";
import type { Directories } from "../project/directories.ts";
import { containsEvidence, type Level, pathsUpward } from "../project/markers.ts";
import { levelsAbove, rootOf } from "../project/root.ts";
import { typescriptMajor } from "../project/typescript-version.ts";
import type { WorkspaceFile } from "./locate.ts";

export interface Selection extends WorkspaceFile {
	readonly trusted: boolean;
	readonly searchPath?: string | undefined;
	readonly directories: Directories;
	readonly disabled?: readonly ServerConfig[];
	/** With linters that are missing or may not run. */
	readonly includeUnready?: boolean;
}

export interface SelectedServer {
	/** With `restricted` applied without trust. */
	readonly config: ServerConfig;
	readonly root: string | undefined;
	/** False if it would run the repository's code without trust. */
	readonly mayRun: boolean;
}

interface ToolUse {
	readonly directory: string;
	readonly distance: number;
}

interface Candidate {
	readonly config: ServerConfig;
	readonly use: ToolUse | undefined;
	readonly mayRun: boolean;
}

/**
 * First the language's (`serversFor`): among alternatives the one that the project uses, else the first installed; then
 * linters and frameworks' servers that the project uses, if installed and allowed.
 */
export async function selectServers(
	matching: readonly ServerConfig[],
	selection: Selection,
): Promise<SelectedServer[]> {
	const { path, workspace, trusted, searchPath, directories } = selection;
	const above = await levelsAbove(path, workspace, directories);
	const candidates: Candidate[] = [];
	for (const config of matching) {
		const use = await toolUse(config, above, directories);
		if (config.usedBy && !use && (config.exclusive || isOptional(config))) continue;
		const permitted = await permittedConfig(config, selection);
		candidates.push({ config: permitted ?? config, use, mayRun: permitted !== undefined });
	}
	const exclusive = new Set(candidates.filter(({ config }) => config.exclusive).map(({ config }) => groupOf(config)));
	const apart = candidates.filter(({ config }) => config.exclusive || !exclusive.has(groupOf(config)));
	const chosen = await chooseAlternatives(await chooseTypescript(apart, selection), selection);
	const selected: SelectedServer[] = [];
	for (const { config, use, mayRun } of chosen) {
		const root = (await rootOf(path, workspace, config, directories)) ?? use?.directory;
		if (isOptional(config) && !selection.includeUnready) {
			if (!root) continue;
			const isUnknown = config.fromRepository && !mayRun;
			const project = { root, workspace, trusted: trusted || !mayRun, searchPath };
			if (!isUnknown && !(await directories.asked(() => isReady(config, project)))) continue;
		}
		selected.push({ config, root, mayRun });
	}
	return [
		...selected.filter(({ config }) => !isOptional(config)),
		...selected.filter(({ config }) => isOptional(config)),
	];
}

export function isOptional({ role = "language" }: ServerConfig): boolean {
	return role !== "language";
}

async function toolUse(
	{ usedBy, notUsedBy }: ServerConfig,
	above: readonly Level[],
	directories: Directories,
): Promise<ToolUse | undefined> {
	if (!usedBy) return undefined;
	for (const [distance, level] of above.entries()) {
		if (notUsedBy && (await containsEvidence(level, notUsedBy, directories))) return undefined;
		if (await containsEvidence(level, usedBy, directories)) return { directory: level.directory, distance };
	}
	return undefined;
}

async function permittedConfig(
	config: ServerConfig,
	{ path, trusted, directories }: Selection,
): Promise<ServerConfig | undefined> {
	const { restricted } = config;
	if (trusted) return config;
	if (!restricted) return config.runsRepositoryCode ? undefined : config;
	const { unless = [], args, environment, initializationOptions, settings, initialized, partial } = restricted;
	for (const forbidden of pathsUpward(dirname(path), unless)) if (await directories.stats(forbidden)) return undefined;
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

/** The first installed of each group, by the caller's configuration, extensions, the nearest use, the list. */
async function chooseAlternatives(candidates: readonly Candidate[], selection: Selection): Promise<Candidate[]> {
	const groups = new Map<string, Candidate[]>();
	for (const candidate of candidates) {
		const group = groupOf(candidate.config);
		groups.set(group, [...(groups.get(group) ?? []), candidate]);
	}
	const far = Number.MAX_SAFE_INTEGER;
	const ahead: Readonly<Record<string, number>> = { caller: -2, extension: -1 };
	const distance = ({ config, use }: Candidate) => ahead[config.namedBy ?? ""] ?? use?.distance ?? far;
	const chosen: Candidate[] = [];
	for (const group of groups.values()) {
		const ordered = group.toSorted((a, b) => distance(a) - distance(b));
		const found = ordered.length > 1 ? await firstThatRuns(ordered, selection) : undefined;
		const first = found ?? ordered[0];
		if (first) chosen.push(first);
	}
	return chosen;
}

async function firstThatRuns(
	candidates: readonly Candidate[],
	{ path, workspace, trusted, searchPath, directories }: Selection,
): Promise<Candidate | undefined> {
	const project = { root: dirname(path), workspace, trusted, searchPath };
	let installed: Candidate | undefined;
	for (const candidate of candidates) {
		if (!(await directories.asked(() => isInstalled(candidate.config, project)))) continue;
		if (candidate.mayRun) return candidate;
		installed ??= candidate;
	}
	return installed;
}

export function disabledError(path: string, servers: readonly ServerConfig[]): LspError {
	const verb = servers.length > 1 ? "are" : "is";
	return new LspError("LSP_SERVER_DISABLED", `${servers.map(({ id }) => id).join(", ")} ${verb} disabled.`, {
		file_path: path,
	});
}

/** A project without a version means the newest. */
async function chooseTypescript(
	candidates: readonly Candidate[],
	{ path, display, workspace, directories, disabled = [] }: Selection,
): Promise<readonly Candidate[]> {
	if (!candidates.some(({ config }) => config.typescript)) return candidates;
	const named = await typescriptMajor(path, workspace, directories);
	const major = named ?? Number.POSITIVE_INFINITY;
	const serves = ({ typescript }: ServerConfig) =>
		typescript && major >= typescript.from && major <= (typescript.to ?? Number.POSITIVE_INFINITY);
	const chosen = candidates.filter(({ config }) => !config.typescript || serves(config));
	if (chosen.some(({ config }) => config.typescript)) return chosen;
	const off = disabled.filter(serves);
	if (off.length > 0) throw disabledError(path, off);
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
