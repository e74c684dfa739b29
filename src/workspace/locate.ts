import { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { LspError } from "../errors.ts";
import { readHead, realPathOf, statOf } from "../util/files.ts";
import type { Settings } from "./config.ts";
import { Directories } from "./directories.ts";
import { isInstalled } from "./programs.ts";
import { isForeign, isInside, rootOf, workspaceOf } from "./root.ts";
import { typescriptMajor } from "./typescript.ts";

/** One server that answers for a file, and where it runs. */
export interface Route {
	readonly config: ServerConfig;
	readonly root: string;
	readonly languageId: string;
	/** Whether the caller trusts the workspace; trusted and untrusted callers share no server. */
	readonly trusted?: boolean;
}

/** A file that may be asked about. */
export interface Located {
	/** Absolute, links followed: the name by which servers and caches know the file. */
	readonly path: string;
	/** As the caller reads it, relative to its working directory. */
	readonly display: string;
	readonly workspace: string;
	readonly routes: readonly Route[];
	/** True for a file that is not there, where that was allowed. */
	readonly missing?: boolean;
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
	{ mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): Promise<Located> {
	const base = (await realPathOf(cwd)) ?? cwd;
	const directories = new Directories();
	const workspace = await workspaceOf(base, directories);
	const path = await realPathSoFar(resolve(base, expand(file)));
	const display = displayPath(path, base);
	if (!isInside(path, workspace))
		throw new LspError("LSP_OUTSIDE_WORKSPACE", `${file} is outside the workspace ${workspace}.`, { file_path: path });
	if (isForeign(path, workspace))
		throw new LspError("LSP_IGNORED_FILE", `${display} belongs to an installed package or to version control.`, {
			file_path: path,
		});
	const routes = routesOf(path, display, workspace, settings, directories);
	// Side by side; what is wrong with the file itself is told first.
	routes.catch(() => {});
	const missing = !(await inspect(path, display, settings.maxFileBytes, mayBeMissing));
	return { path, display, workspace, routes: await routes, missing };
}

/** A path as a reader at `cwd` writes it: relative where it is below, absolute elsewhere. */
export function displayPath(path: string, cwd: string): string {
	const shown = relative(cwd, path);
	return shown === "" || isAbsolute(shown) ? path : shown;
}

/** Models send `@src/a.ts` and `~/a.ts` for paths (pi-host.md section 3). */
function expand(file: string): string {
	const plain = file.startsWith("@") ? file.slice(1) : file;
	return plain.startsWith("~/") && process.env.HOME ? join(process.env.HOME, plain.slice(2)) : plain;
}

/** Follows links as far as the path exists, so that a new file below a linked directory is judged where it will be. */
async function realPathSoFar(path: string): Promise<string> {
	const real = await realPathOf(path);
	if (real !== undefined) return real;
	const parent = dirname(path);
	return parent === path ? path : join(await realPathSoFar(parent), basename(path));
}

/** Rejects what cannot be asked about; false for a file that is not there, where that is allowed. */
async function inspect(path: string, display: string, maxBytes: number, mayBeMissing: boolean): Promise<boolean> {
	const info = await statOf(path);
	if (!info && mayBeMissing) return false;
	if (!info) throw new LspError("LSP_FILE_NOT_FOUND", `${display} does not exist.`, { file_path: path });
	// Before anything is opened: a FIFO would wait for its writer, a device has no end.
	if (!info.isFile()) throw new LspError("LSP_NOT_A_FILE", `${display} is not a regular file.`, { file_path: path });
	if (info.size > BigInt(maxBytes))
		throw new LspError("LSP_FILE_TOO_LARGE", `${display} has ${info.size} bytes, more than ${maxBytes}.`, {
			file_path: path,
		});
	const head = await readHead(path, headBytes).catch((error: NodeJS.ErrnoException) => {
		throw new LspError("LSP_NOT_A_FILE", `${display} cannot be read (${error.code}).`, { file_path: path });
	});
	if (head.includes(0)) throw new LspError("LSP_BINARY_FILE", `${display} is not a text file.`, { file_path: path });
	return true;
}

/** A zero byte among the first bytes makes a file binary, as git has it. */
const headBytes = 8000;

async function routesOf(
	path: string,
	display: string,
	workspace: string,
	settings: Settings,
	directories: Directories,
): Promise<Route[]> {
	const matching = settings.servers.filter((config) => matches(config, path));
	if (matching.length === 0)
		throw new LspError("LSP_UNSUPPORTED_FILE", `No language server is configured for ${nameKind(path)} files.`, {
			file_path: path,
			extension: extname(path),
		});
	const enabled = matching.filter((config) => !settings.disabled.has(config.id));
	if (enabled.length === 0)
		throw new LspError("LSP_SERVER_DISABLED", `${matching.map(({ id }) => id).join(", ")} is disabled.`, {
			file_path: path,
		});
	const chosen = await firstInstalled(
		await chooseTypescript(enabled, path, display, workspace, directories),
		workspace,
	);
	const roots = await Promise.all(chosen.map((config) => rootOf(path, workspace, config, directories)));
	const routes: Route[] = [];
	for (const [index, config] of chosen.entries()) {
		const root = roots[index];
		if (!root) continue;
		const mayRun = settings.trusted || !config.runsRepositoryCode;
		// A linter is a second opinion: one that may not run, or is not there, takes nothing from the first.
		if (config.role === "linter" && !(mayRun && (await isInstalled(config, workspace)))) continue;
		if (!mayRun) throw untrusted(config, display);
		routes.push({ config, root, languageId: languageOf(config, path), trusted: settings.trusted });
	}
	if (routes.length === 0)
		throw new LspError("LSP_NO_PROJECT_ROOT", `No ${chosen[0]?.id} project found for ${display}.`, {
			file_path: path,
			looked_for: chosen.flatMap(({ rootMarkers }) => rootMarkers),
		});
	return routes;
}

/** Keeps of the servers that stand for each other the first that is installed, or the first if none is. */
async function firstInstalled(configs: readonly ServerConfig[], workspace: string): Promise<ServerConfig[]> {
	const kept = new Map<string, ServerConfig>();
	for (const config of configs) {
		const group = config.alternative ?? config.id;
		const known = kept.get(group);
		if (!known || (!(await isInstalled(known, workspace)) && (await isInstalled(config, workspace))))
			kept.set(group, config);
	}
	return [...kept.values()];
}

function untrusted({ id }: ServerConfig, display: string): LspError {
	return new LspError("LSP_SERVER_UNTRUSTED", `${id} runs what the repository brings, and ${display} is not trusted.`, {
		language: id,
		suggestion: "If you trust this repository, set PI_LSP_TRUST=1 in your environment.",
	});
}

/** Keeps of the TypeScript servers the one whose compiler is the project's own (design.md section 8). */
async function chooseTypescript(
	configs: readonly ServerConfig[],
	path: string,
	display: string,
	workspace: string,
	directories: Directories,
): Promise<readonly ServerConfig[]> {
	if (!configs.some((config) => config.typescript)) return configs;
	const major = (await typescriptMajor(path, workspace, directories)) ?? Number.POSITIVE_INFINITY;
	const chosen = configs.filter(
		({ typescript }) =>
			!typescript || (major >= typescript.from && major <= (typescript.to ?? Number.POSITIVE_INFINITY)),
	);
	if (chosen.some(({ typescript }) => typescript)) return chosen;
	throw new LspError(
		"LSP_SERVER_UNAVAILABLE",
		`${display} belongs to a TypeScript ${major} project, and there is no server for TypeScript ${major}.`,
		{
			language: "typescript",
			suggestion: "TypeScript 7 would judge it by other defaults. Upgrade the project, or configure a server for it.",
		},
	);
}

function matches(config: ServerConfig, path: string): boolean {
	const name = basename(path);
	const extension = extname(name).slice(1).toLowerCase();
	return config.match.includes(extension) || config.names?.includes(name) === true;
}

function languageOf({ languageId, id }: ServerConfig, path: string): string {
	if (typeof languageId === "string") return languageId;
	return languageId[extname(path).slice(1).toLowerCase()] ?? languageId["*"] ?? id;
}

function nameKind(path: string): string {
	return extname(path) || basename(path);
}
