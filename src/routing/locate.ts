import { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import type { Settings } from "../config/read-settings.ts";
import { trustSuggestion } from "../config/trust.ts";
import type { SandboxMode } from "../contract/doctor-report.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { Directories } from "../project/directories.ts";
import { interpreterOf, languageOf, nameTest } from "../project/file-match.ts";
import { type IrregularMarker, irregularMarker, isForeign, levelsAbove } from "../project/root.ts";
import { statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { toPath } from "../util/positions.ts";
import { readHead, refusalWords } from "../util/read-file.ts";
import { StatCache } from "../util/stat-cache.ts";
import { type Doubt, doubtOf } from "./judge.ts";
import { disabledError, isOptional, selectServers } from "./select-servers.ts";

export interface Route {
	readonly config: ServerConfig;
	readonly root: string;
	readonly languageId: string;
	readonly trusted?: boolean;
	readonly stillTrusted?: () => Promise<boolean>;
	readonly doubt?: Doubt;
	readonly sandbox?: SandboxMode;
	/** `EnvironmentSummary.key` of the caller. */
	readonly environment?: string | undefined;
	/** `Settings.callerKey`: another server for it replaces this one. */
	readonly callerKey?: string;
}

export interface WorkspaceFile {
	/** Absolute, links resolved. */
	readonly path: string;
	readonly display: string;
	readonly workspace: string;
}

export interface Located extends WorkspaceFile {
	readonly routes: readonly Route[];
	/** Servers that do not run without trust, or with their default configuration. */
	readonly withheld?: readonly string[];
	readonly missing?: boolean;
}

type FoundRoutes = Pick<Located, "routes" | "withheld">;

/** Finds again once something has changed that `directories` was asked about. */
export type Keep = <Value>(key: string, find: (directories: Directories) => Promise<Value>) => Promise<Value>;

export interface LocateOptions {
	readonly mayBeMissing?: boolean;
	readonly keep?: Keep;
}

interface MatchedFile extends WorkspaceFile {
	readonly servers: MatchingServers;
	/** Equal for files with equal routes. */
	readonly routesKey: string;
}

/**
 * Rejects with the first that applies of LSP_OUTSIDE_WORKSPACE, LSP_IGNORED_FILE, LSP_FILE_NOT_FOUND (unless
 * `mayBeMissing`), LSP_NOT_A_FILE, LSP_FILE_TOO_LARGE, LSP_BINARY_FILE, LSP_UNSUPPORTED_FILE, LSP_SERVER_DISABLED,
 * LSP_SERVER_UNTRUSTED, LSP_SERVER_UNAVAILABLE and LSP_NO_PROJECT_ROOT.
 */
export async function locate(
	file: string,
	settings: Settings,
	{ mayBeMissing = false, keep = (_, find) => find(new Directories()) }: LocateOptions = {},
): Promise<Located> {
	const matched = await keep(`file ${file}`, (directories) => matchedFile(file, settings, directories));
	const routes = keep(matched.routesKey, (directories) => findRoutes(matched, settings, directories));
	// The check's error comes first.
	routes.catch(() => {});
	const missing = !(await checkFile(matched, settings, mayBeMissing));
	const { path, display, workspace } = matched;
	return { path, display, workspace, ...(await routes), missing };
}

export async function resolveFile(file: string, settings: Settings): Promise<WorkspaceFile> {
	const found = await workspaceFile(file, settings, new Directories());
	await checkFile(found, settings, false);
	return found;
}

async function matchedFile(file: string, settings: Settings, directories: Directories): Promise<MatchedFile> {
	const found = await workspaceFile(file, settings, directories);
	const { path, workspace } = found;
	const servers = await serversFor(path, settings, directories);
	const languages = servers.matching.map((config) => [config.id, languageOf(config, path, servers.interpreter)]);
	return { ...found, servers, routesKey: JSON.stringify([dirname(path), workspace, languages]) };
}

async function workspaceFile(
	file: string,
	{ directory, workspace }: Settings,
	directories: Directories,
): Promise<WorkspaceFile> {
	const path = await inWorkspace(file, { directory, workspace }, directories);
	const display = displayPath(path, directory);
	if (isForeign(path, workspace))
		throw new LspError("LSP_IGNORED_FILE", `${display} belongs to an installed package or to version control.`, {
			file_path: path,
		});
	return { path, display, workspace };
}

/** Resolves links. Rejects with LSP_OUTSIDE_WORKSPACE. */
export async function inWorkspace(
	given: string,
	{ directory, workspace }: Pick<Settings, "directory" | "workspace">,
	directories: Directories = new Directories(),
): Promise<string> {
	const path = await realPath(resolve(directory, await expand(given, directory, directories)), directories);
	if (isInside(path, workspace)) return path;
	throw new LspError("LSP_OUTSIDE_WORKSPACE", `${given} is outside the workspace ${workspace}.`, { file_path: path });
}

/** Relative, or absolute if shorter. */
export function displayPath(path: string, cwd: string): string {
	const shown = relative(cwd, path);
	return shown === "" || isAbsolute(shown) || (shown.startsWith("..") && shown.length > path.length) ? path : shown;
}

/** `file:` URIs, `@src/a.ts` and `~/a.ts` (docs/facts.md, 13), unless a file has that very name. */
async function expand(file: string, cwd: string, directories: Directories): Promise<string> {
	if (/^file:\/\//i.test(file)) return toPath(file) ?? file;
	if (/^(?:@|~\/)/.test(file) && (await directories.real(resolve(cwd, file))) !== undefined) return file;
	const plain = file.startsWith("@") ? file.slice(1) : file;
	return plain.startsWith("~/") && process.env.HOME ? join(process.env.HOME, plain.slice(2)) : plain;
}

async function realPath(path: string, directories: Directories): Promise<string> {
	const real = await directories.real(path);
	if (real !== undefined) return real;
	const parent = dirname(path);
	return parent === path ? path : join(await realPath(parent, directories), basename(path));
}

/** False if missing. Rejects like `locate`. */
async function checkFile(
	{ path, display }: WorkspaceFile,
	{ maxFileBytes: maxBytes }: Settings,
	mayBeMissing: boolean,
): Promise<boolean> {
	const info = await statOf(path);
	if (!info && mayBeMissing) return false;
	if (!info) throw new LspError("LSP_FILE_NOT_FOUND", `${display} does not exist.`, { file_path: path });
	if (!info.isFile()) throw new LspError("LSP_NOT_A_FILE", `${display} is not a regular file.`, { file_path: path });
	if (info.size > BigInt(maxBytes))
		throw new LspError("LSP_FILE_TOO_LARGE", `${display} has ${info.size} bytes, more than ${maxBytes}.`, {
			file_path: path,
		});
	if (knownTexts.get(path, info)) return true;
	const head = await readHead(path, headBytes);
	if (typeof head === "string")
		throw new LspError("LSP_NOT_A_FILE", `${display} ${refusalWords[head]}.`, { file_path: path });
	if (head.includes(0)) throw new LspError("LSP_BINARY_FILE", `${display} is not a text file.`, { file_path: path });
	knownTexts.set(path, info, true);
	return true;
}

const knownTexts = new StatCache<true>(5000);

/** A zero within makes a file binary, as in git. */
const headBytes = 8000;

async function findRoutes(
	{ path, display, workspace, servers: { matching, enabled, interpreter } }: MatchedFile,
	settings: Settings,
	directories: Directories,
): Promise<FoundRoutes> {
	if (matching.length === 0) throw unsupported(path, settings.servers);
	if (enabled.length === 0) throw disabledError(path, matching);
	const { trusted, stillTrusted, callerKey } = settings;
	const searchPath = settings.environment?.path;
	const disabled = matching.filter((config) => !enabled.includes(config));
	const selection = { path, display, workspace, trusted, searchPath, directories, disabled };
	const selected = await selectServers(enabled, selection);
	if (selected.length === 0) throw unsupported(path, settings.servers);
	const above = await levelsAbove(path, workspace, directories);
	const allowed = selected.filter(({ root, mayRun }) => root !== undefined && mayRun);
	const asked = allowed.map(({ config }) => config);
	const doubt = await doubtOf({ matching, asked, workspace, root: dirname(path), directories }, settings);
	const routes: Route[] = [];
	const refused: ServerConfig[] = [];
	for (const { config, root, mayRun } of selected) {
		if (!root) continue;
		if (!mayRun) {
			if (!isOptional(config) && !config.fromRepository) throw untrusted(config);
			refused.push(config);
			continue;
		}
		const irregular = await irregularMarker(config, above, directories);
		if (irregular !== undefined) {
			if (isOptional(config)) continue;
			throw wouldRead(config, irregular, workspace);
		}
		routes.push({
			config,
			root,
			languageId: languageOf(config, path, interpreter),
			...(doubt ? { doubt } : {}),
			...startFields(settings),
			trusted,
			stillTrusted,
			callerKey,
		});
	}
	const [first] = refused;
	if (routes.length === 0 && first?.fromRepository) throw untrusted(first);
	if (routes.length === 0)
		throw missingRoot(
			selected.map(({ config }) => config),
			path,
			display,
		);
	const partly = routes.filter(({ config }) => settings.withheld.has(config.id)).map(({ config }) => config.id);
	return { routes, withheld: [...refused.map(({ id }) => id), ...partly] };
}

export function startFields({ trusted, sandbox, environment }: Settings): Pick<Route, "sandbox" | "environment"> {
	return { ...(trusted ? {} : { sandbox }), ...(environment ? { environment: environment.key } : {}) };
}

interface MatchingServers {
	readonly matching: readonly ServerConfig[];
	readonly enabled: readonly ServerConfig[];
	/** Undefined if the name is enough. */
	readonly interpreter: string | undefined;
}

export async function serversFor(
	path: string,
	{ servers, disabled, disabledLanguages }: Settings,
	directories: Directories,
): Promise<MatchingServers> {
	const named = servers.filter(nameTest(path));
	if (named.length === 0) await directories.stats(path);
	const interpreter = named.length === 0 ? await interpreterOf(path) : undefined;
	const matching = interpreter ? servers.filter(({ shebangs }) => shebangs?.includes(interpreter) === true) : named;
	const enabled = matching.filter(
		(config) =>
			!disabled.has(config.id) &&
			(disabledLanguages.length === 0 || !disabledLanguages.includes(languageOf(config, path, interpreter))),
	);
	return { matching, enabled, interpreter };
}

function unsupported(path: string, servers: readonly ServerConfig[]): LspError {
	const kind = extname(path) || basename(path);
	return new LspError("LSP_UNSUPPORTED_FILE", `No language server is configured for ${kind} files.`, {
		file_path: path,
		extension: extname(path),
		supported_extensions: extensionsOf(servers),
	});
}

function extensionsOf(servers: readonly ServerConfig[]): string[] {
	const languages = servers.filter(({ role = "language" }) => role === "language");
	return [...new Set(languages.flatMap(({ match }) => match.map((extension) => `.${extension}`)))].sort();
}

function missingRoot(servers: readonly ServerConfig[], path: string, display: string): LspError {
	const markers = [...new Set(servers.flatMap(({ rootMarkers }) => rootMarkers))];
	const names = markers.slice(0, 2).join(" or ");
	const plain = markers.filter((marker) => !marker.includes("*")).slice(0, 2);
	const suggestion = `Create a ${plain.join(" or ")} in the project directory.`;
	return new LspError(
		"LSP_NO_PROJECT_ROOT",
		`No ${servers[0]?.id} project found for ${display}: no ${names} is in its directory or above.`,
		{ file_path: path, looked_for: markers, ...(plain.length > 0 ? { suggestion } : {}) },
	);
}

function wouldRead(config: ServerConfig, { path, target }: IrregularMarker, workspace: string): LspError {
	const name = relative(workspace, path);
	return new LspError(
		"LSP_SERVER_UNAVAILABLE",
		`${config.id} would read ${name}, which leads to ${target} and is no regular file.`,
		{ ...aboutServer(config), file_path: path, suggestion: `Remove ${name}, or put a regular file in its place.` },
	);
}

function untrusted(config: ServerConfig): LspError {
	const { id } = config;
	return new LspError("LSP_SERVER_UNTRUSTED", `${id} runs what the repository brings, and that is not trusted.`, {
		...aboutServer(config),
		suggestion: trustSuggestion,
	});
}
