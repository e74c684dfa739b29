import { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import type { Settings } from "../config/read-settings.ts";
import { trustSuggestion } from "../config/trust.ts";
import type { SandboxMode } from "../contract/doctor-report.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { Directories } from "../project/directories.ts";
import { interpreterOf, languageOf, matchesName } from "../project/file-match.ts";
import { type IrregularMarker, irregularMarker, isForeign, levelsAbove, workspaceOf } from "../project/root.ts";
import { statOf } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";
import { isInside } from "../util/paths.ts";
import { readHead, refusalWords } from "../util/read-file.ts";
import { StatCache } from "../util/stat-cache.ts";
import { type Doubt, doubtOf } from "./judge.ts";
import { chooseServers, isOptional } from "./select-servers.ts";

/** One server that answers for a file, and where it runs. */
export interface Route {
	readonly config: ServerConfig;
	readonly root: string;
	readonly languageId: string;
	/** Whether the caller trusts the workspace; trusted and untrusted callers share no server. */
	readonly trusted?: boolean;
	/** Whether that still holds; asked right before something is started. */
	readonly stillTrusted?: () => Promise<boolean>;
	/** Why its finding nothing is no proof. */
	readonly doubt?: Doubt;
	/** Whether the server is started in a sandbox; undefined for one of a tree that is trusted. */
	readonly sandbox?: SandboxMode;
	/** Who asks: when the same asker's route leads to another server, the one before has been replaced. */
	readonly asker?: string;
}

/** Where a file is. */
export interface FilePlace {
	/** Absolute, links followed: the name by which servers and caches know the file. */
	readonly path: string;
	/** As the caller reads it, relative to its working directory. */
	readonly display: string;
	readonly workspace: string;
}

/** A file that may be asked about. */
export interface Located extends FilePlace {
	readonly routes: readonly Route[];
	/** Servers of which the file would get more with trust: they do not run, or run as they come. */
	readonly withheld?: readonly string[];
	/** True for a file that is not there, where that was allowed. */
	readonly missing?: boolean;
}

export interface LocateOptions {
	readonly mayBeMissing?: boolean;
	/** What is known of directories already, where one question is about many files. */
	readonly directories?: Directories;
}

/**
 * Finds what a caller means by `file` and which servers answer for it. Rejects, in this order, with
 * LSP_OUTSIDE_WORKSPACE, LSP_FILE_NOT_FOUND (unless `mayBeMissing`), LSP_NOT_A_FILE, LSP_IGNORED_FILE,
 * LSP_UNSUPPORTED_FILE, LSP_SERVER_DISABLED, LSP_NO_PROJECT_ROOT, LSP_SERVER_UNAVAILABLE (a project of a TypeScript
 * that no server here judges rightly), LSP_FILE_TOO_LARGE, LSP_BINARY_FILE.
 */
export async function locate(
	file: string,
	cwd: string,
	settings: Settings,
	{ mayBeMissing = false, directories = new Directories() }: LocateOptions = {},
): Promise<Located> {
	const place = await whereIs(file, cwd, directories);
	const { path, display, workspace } = place;
	const routes = routesOf(path, display, workspace, settings, directories);
	// Side by side; what is wrong with the file itself is told first.
	routes.catch(() => {});
	const missing = !(await inspect(place, settings, mayBeMissing));
	return { ...place, ...(await routes), missing };
}

/** The same for a question that needs no server: without what is said of servers. */
export async function placeOf(file: string, cwd: string, settings: Settings): Promise<FilePlace> {
	const place = await whereIs(file, cwd, new Directories());
	await inspect(place, settings, false);
	return place;
}

async function whereIs(file: string, cwd: string, directories: Directories): Promise<FilePlace> {
	const base = (await directories.real(cwd)) ?? cwd;
	const { path, workspace } = await inWorkspace(file, base, directories);
	const display = displayPath(path, base);
	if (isForeign(path, workspace))
		throw new LspError("LSP_IGNORED_FILE", `${display} belongs to an installed package or to version control.`, {
			file_path: path,
		});
	return { path, display, workspace };
}

/** What a caller means by a path of its workspace, a directory too, links followed. Rejects with LSP_OUTSIDE_WORKSPACE. */
export async function inWorkspace(
	given: string,
	cwd: string,
	directories: Directories = new Directories(),
): Promise<{ readonly path: string; readonly workspace: string }> {
	const workspace = await workspaceOf(cwd, directories);
	const path = await realPathSoFar(resolve(cwd, await expand(given, cwd, directories)), directories);
	if (isInside(path, workspace)) return { path, workspace };
	throw new LspError("LSP_OUTSIDE_WORKSPACE", `${given} is outside the workspace ${workspace}.`, { file_path: path });
}

/** A path as a reader at `cwd` writes it: relative where it is below or near, absolute where that is shorter. */
export function displayPath(path: string, cwd: string): string {
	const shown = relative(cwd, path);
	return shown === "" || isAbsolute(shown) || (shown.startsWith("..") && shown.length > path.length) ? path : shown;
}

/** Models send `@src/a.ts` and `~/a.ts` for paths (docs/facts.md, 13); a file that is there by such a name is meant. */
async function expand(file: string, cwd: string, directories: Directories): Promise<string> {
	if (/^(?:@|~\/)/.test(file) && (await directories.real(resolve(cwd, file))) !== undefined) return file;
	const plain = file.startsWith("@") ? file.slice(1) : file;
	return plain.startsWith("~/") && process.env.HOME ? join(process.env.HOME, plain.slice(2)) : plain;
}

/** Follows links as far as the path exists, so that a new file below a linked directory is judged where it will be. */
async function realPathSoFar(path: string, directories: Directories): Promise<string> {
	const real = await directories.real(path);
	if (real !== undefined) return real;
	const parent = dirname(path);
	return parent === path ? path : join(await realPathSoFar(parent, directories), basename(path));
}

/** Rejects what cannot be asked about, as `locate`; false for a file that is not there, where that is allowed. */
export async function inspect(
	{ path, display }: FilePlace,
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
	if (texts.get(path, info)) return true;
	const head = await readHead(path, headBytes);
	if (typeof head === "string")
		throw new LspError("LSP_NOT_A_FILE", `${display} ${refusalWords[head]}.`, { file_path: path });
	if (head.includes(0)) throw new LspError("LSP_BINARY_FILE", `${display} is not a text file.`, { file_path: path });
	texts.set(path, info, true);
	return true;
}

/** The files that were seen to hold text. */
const texts = new StatCache<true>(2000);

/** A zero byte among the first bytes makes a file binary, as git has it. */
const headBytes = 8000;

async function routesOf(
	path: string,
	display: string,
	workspace: string,
	settings: Settings,
	directories: Directories,
): Promise<Pick<Located, "routes" | "withheld">> {
	const { matching, enabled, interpreter } = await serversFor(path, settings);
	if (interpreter !== undefined) directories.looked.beyond();
	if (matching.length === 0) throw unsupported(path, settings.servers);
	if (enabled.length === 0)
		throw new LspError("LSP_SERVER_DISABLED", `${matching.map(({ id }) => id).join(", ")} is disabled.`, {
			file_path: path,
		});
	const { trusted, stillTrusted, callerKey } = settings;
	const chosen = await chooseServers(enabled, { path, display, workspace, trusted, directories });
	if (chosen.length === 0) throw unsupported(path, settings.servers);
	const above = await levelsAbove(path, workspace, directories);
	const allowedTo = chosen.filter(({ root, mayRun }) => root !== undefined && mayRun);
	const asked = allowedTo.map(({ config }) => config);
	const doubt = await doubtOf({ matching, asked, workspace, root: dirname(path) }, settings);
	const routes: Route[] = [];
	const refused: ServerConfig[] = [];
	for (const { config, root, mayRun } of chosen) {
		if (!root) continue;
		if (!mayRun) {
			// A second opinion, and what only the repository's own configuration knows, takes nothing from the others.
			if (!isOptional(config) && !config.fromRepository) throw untrusted(config, display);
			refused.push(config);
			continue;
		}
		const irregular = await irregularMarker(config, above, directories);
		if (irregular !== undefined) {
			if (isOptional(config)) continue;
			throw wouldRead(config, irregular, workspace);
		}
		const allowed = { ...sandboxFor(settings), trusted, stillTrusted, asker: callerKey };
		const languageId = languageOf(config, path, interpreter);
		routes.push({ config, root, languageId, ...(doubt ? { doubt } : {}), ...allowed });
	}
	const [first] = refused;
	if (routes.length === 0 && first?.fromRepository) throw untrusted(first, display);
	if (routes.length === 0)
		throw new LspError("LSP_NO_PROJECT_ROOT", `No ${chosen[0]?.config.id} project found for ${display}.`, {
			file_path: path,
			...noRoot(chosen.map(({ config }) => config)),
		});
	const partly = routes.filter(({ config }) => settings.withheld.has(config.id)).map(({ config }) => config.id);
	return { routes, withheld: [...refused.map(({ id }) => id), ...partly] };
}

/** What a route says of the sandbox. */
export function sandboxFor({ trusted, sandbox }: Settings): Pick<Route, "sandbox"> {
	return trusted ? {} : { sandbox };
}

/** The servers for a file by its name, or by the interpreter that it names, and those of them that are not switched off. */
export async function serversFor(path: string, { servers, disabled, disabledLanguages }: Settings) {
	const named = namedFor(servers, path);
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

/** Of all languages that have a server of their own. */
function extensionsOf(servers: readonly ServerConfig[]): string[] {
	const languages = servers.filter(({ role = "language" }) => role === "language");
	return [...new Set(languages.flatMap(({ match }) => match.map((extension) => `.${extension}`)))].sort();
}

/** What marks a project of these servers, and what to do without it. */
function noRoot(servers: readonly ServerConfig[]) {
	const markers = [...new Set(servers.flatMap(({ rootMarkers }) => rootMarkers))];
	const plain = markers.filter((marker) => !marker.includes("*")).slice(0, 2);
	const suggestion = `Create a ${plain.join(" or ")} in the project directory.`;
	return { looked_for: markers, ...(plain.length > 0 ? { suggestion } : {}) };
}

function wouldRead(config: ServerConfig, { path, target }: IrregularMarker, workspace: string): LspError {
	const name = relative(workspace, path);
	return new LspError(
		"LSP_SERVER_UNAVAILABLE",
		`${config.id} would read ${name}, which leads to ${target} and is no regular file.`,
		{ ...aboutServer(config), file_path: path, suggestion: `Remove ${name}, or put a regular file in its place.` },
	);
}

function untrusted(config: ServerConfig, display: string): LspError {
	const { id } = config;
	return new LspError("LSP_SERVER_UNTRUSTED", `${id} runs what the repository brings, and ${display} is not trusted.`, {
		...aboutServer(config),
		suggestion: trustSuggestion,
	});
}

/** Which servers a name is for follows from the name alone: 125 servers' patterns cost as much as the rest of a look. */
function namedFor(servers: readonly ServerConfig[], path: string): readonly ServerConfig[] {
	const known = namedServers.get(servers) ?? new LruMap<readonly ServerConfig[]>(2000);
	namedServers.set(servers, known);
	const before = known.get(path);
	if (before) return before;
	const found = servers.filter((config) => matchesName(config, path));
	known.set(path, found);
	return found;
}

const namedServers = new WeakMap<readonly ServerConfig[], LruMap<readonly ServerConfig[]>>();
