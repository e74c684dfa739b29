import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { BundledProgram, ServerConfig } from "../../server.ts";
import { LspError } from "../errors.ts";
import { aboutServer } from "../lsp/about-server.ts";
import { childEnvironment } from "../lsp/environment.ts";
import type { LaunchCommand } from "../lsp/process.ts";
import { realPathOf } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { heapMegabytes } from "../util/memory.ts";
import { isInside } from "../util/paths.ts";
import { Recent } from "../util/recent.ts";
import { installedPrograms, isFolderName, serversFolder } from "../util/server-folder.ts";
import { ownDirectory } from "../util/xdg.ts";
import { broughtProgram } from "./brought.ts";
import { installCommand } from "./install.ts";

/**
 * What to run for a server at `root`: the program that comes with pi-lsp, else the first on PATH. Entries of PATH that
 * are relative, empty or inside the workspace do not count, nor does a program that a link leads back into it: what a
 * repository brings is not executed (design.md section 7). Rejects with LSP_SERVER_UNAVAILABLE.
 */
export async function launchCommand(
	config: ServerConfig,
	root: string,
	workspace: string,
	env: Readonly<Record<string, string | undefined>>,
	trusted = false,
): Promise<LaunchCommand> {
	const path = await safePath(env.PATH ?? "", workspace);
	const environment = {
		...heapCap(config.runtime),
		...childEnvironment(env),
		...config.environment,
		PATH: path.join(delimiter),
	};
	const { connect } = config;
	if (connect !== undefined) return { file: connect, args: [], cwd: root, env: environment, connect };
	for (const program of config.prerequisites ?? [])
		if (!(await findProgram(program, path, workspace)))
			throw new LspError("LSP_PREREQUISITE_MISSING", `${program} not found. ${config.id} requires it.`, {
				...aboutServer(config),
				missing: program,
				checked_paths: path,
				suggestion: `Install ${program}, then run \`pi-lsp restart\`.`,
			});
	const program = await findServer(config, path, workspace, env, { root, trusted });
	if (!program) {
		const install = installCommand(config.install);
		throw new LspError("LSP_SERVER_UNAVAILABLE", `${config.command} not found.`, {
			...aboutServer(config),
			command: config.command,
			search_paths: [...path, ...installedIn(config, env)],
			...(install ? { install_hint: install, suggestion: `Install it: ${install}` } : {}),
		});
	}
	const cwd = config.cwd === undefined ? root : resolve(root, config.cwd);
	const data = () => dataDirectory(config, root, env, trusted);
	const args = program.args.map((word) => word.replace(/^\{data\}/, data));
	return { file: program.file, args: expandPlaces(args, root), cwd, env: environment };
}

/**
 * Where a server keeps what it knows of a root, outside of it. What it wrote for a tree that nobody trusted is not read by
 * one that is trusted.
 */
export function dataDirectory(
	{ id }: ServerConfig,
	root: string,
	env: Readonly<Record<string, string | undefined>>,
	trusted: boolean,
): string {
	return join(ownDirectory("XDG_CACHE_HOME", env), ...(trusted ? [] : ["untrusted"]), id, hashOf(root));
}

/** A limit for the heap that fits the machine, for the runtimes that would otherwise take what they find. */
function heapCap(runtime: ServerConfig["runtime"]): Readonly<Record<string, string>> {
	if (runtime === "node") return { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes()}` };
	if (runtime === "jvm") return { JAVA_TOOL_OPTIONS: `-Xmx${heapMegabytes()}m` };
	return {};
}

/** Where the programs that a repository brings are looked for, if they may be run. */
export interface Brought {
	readonly root: string;
	readonly trusted: boolean;
}

/** True if a server's program is there: with pi-lsp, on PATH outside of the workspace, with trust also inside, or run by others. */
export async function isInstalled(
	config: ServerConfig,
	workspace: string,
	env: Readonly<Record<string, string | undefined>> = process.env,
	brought?: Brought,
): Promise<boolean> {
	if (config.connect !== undefined) return true;
	return (await findServer(config, await safePath(env.PATH ?? "", workspace), workspace, env, brought)) !== undefined;
}

/** True if a server's program is there, and so are those that it cannot do without. */
export async function isReady(
	config: ServerConfig,
	workspace: string,
	env: Readonly<Record<string, string | undefined>> = process.env,
	brought?: Brought,
): Promise<boolean> {
	if (config.connect !== undefined) return true;
	for (const program of config.prerequisites ?? []) if (!(await programPath(program, workspace, env))) return false;
	return isInstalled(config, workspace, env, brought);
}

/** Where a program is on PATH, outside the workspace. */
export async function programPath(
	program: string,
	workspace: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
	return findProgram(program, await safePath(env.PATH ?? "", workspace), workspace);
}

/**
 * With trust the project's own; what comes with pi-lsp, else the first of a server's programs on PATH, else what
 * `pi-lsp install` put into its folder.
 */
async function findServer(
	config: ServerConfig,
	path: readonly string[],
	workspace: string,
	env: Readonly<Record<string, string | undefined>>,
	brought?: Brought,
): Promise<Program | undefined> {
	const own = brought?.trusted && !config.namedBy ? await broughtProgram(config, brought.root, workspace) : undefined;
	if (own) return own;
	const bundled = config.bundled && (await bundledProgram(config.bundled));
	if (bundled) return { file: bundled.file, args: [...bundled.args, ...config.args] };
	const installed = installedIn(config, env);
	for (const places of [path, installed])
		for (const { command, args } of [config, ...(config.candidates ?? [])]) {
			// Whoever named it by its whole path meant this one; without trust a repository's word does not come this far.
			const named = config.namedBy !== undefined && isAbsolute(command);
			const file = await findProgram(command, places, named ? undefined : workspace);
			if (file) return { file, args };
		}
	return undefined;
}

/** Where `pi-lsp install` would have put its program. */
function installedIn({ id }: ServerConfig, env: Readonly<Record<string, string | undefined>>): readonly string[] {
	return isFolderName(id) ? installedPrograms(join(serversFolder(env), id)) : [];
}

/**
 * A value with the beginnings of its strings replaced: `{package:NAME}` by the directory of that dependency of ours,
 * `{root}` by the root of the project. `own` has the project's own packages, which count before ours.
 */
export function expandPlaces<Value>(value: Value, root: string, own: ReadonlyMap<string, string> = new Map()): Value {
	return expand(value, root, own) as Value;
}

function expand(value: unknown, root: string, own: ReadonlyMap<string, string>): unknown {
	if (typeof value === "string")
		return value.replace(/^\{(?:package:([^}]+)|root)\}/, (whole, name: string | undefined) => {
			if (name === undefined) return root;
			const brought = own.get(name);
			if (brought !== undefined) return brought;
			const manifest = resolveManifest(name, import.meta.url);
			return manifest ? dirname(manifest) : whole;
		});
	if (Array.isArray(value)) return value.map((item) => expand(item, root, own));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, root, own)]));
}

/** The entries of a PATH that are absolute and do not lead into the workspace, by a link neither. */
export async function safePath(path: string, workspace: string): Promise<string[]> {
	const entries = path.split(delimiter).filter((entry) => isAbsolute(entry));
	const reals = await Promise.all(entries.map(async (entry) => (await realPathOf(entry)) ?? entry));
	return entries.filter((entry, index) => !isInside(entry, workspace) && !isInside(reals[index] ?? entry, workspace));
}

/** Where a person's own things are, wherever that is. */
const ownPlaces = /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_.*|TMPDIR|TEMP|TMP|PI_LSP_.*)$/i;

/**
 * An environment without the paths that lead into the workspace: of a VIRTUAL_ENV there jedi runs the interpreter, of a
 * PYTHONPATH any server written in Python its modules.
 */
export async function withoutBroughtPaths(
	env: Readonly<Record<string, string>>,
	workspace: string,
): Promise<Record<string, string>> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		const entries = value.split(delimiter);
		const left: string[] = [];
		for (const entry of entries) {
			// In a list of places a relative one, or an empty one, begins where the server is started.
			if (!isAbsolute(entry) && /(?:PATH|LIB)$/.test(name)) continue;
			const real = isAbsolute(entry) ? ((await realPathOf(entry)) ?? entry) : undefined;
			if (real === undefined || !(isInside(entry, workspace) || isInside(real, workspace))) left.push(entry);
		}
		if (ownPlaces.test(name) || left.length === entries.length) kept[name] = value;
		else if (left.length > 0) kept[name] = left.join(delimiter);
	}
	return kept;
}

/** Where a program is, remembered for a moment: every check asks whether a linter is installed. */
async function findProgram(
	command: string,
	path: readonly string[],
	workspace: string | undefined,
): Promise<string | undefined> {
	const key = JSON.stringify([command, path, workspace]);
	const known = foundPrograms.get(key);
	if (known && Date.now() - known.at < foundMs) return known.file;
	const file = await lookFor(command, path, workspace);
	// Only what was found: what is installed now counts at once.
	if (file !== undefined) foundPrograms.set(key, { at: Date.now(), file });
	return file;
}

const foundMs = 2000;
const foundPrograms = new Recent<{ readonly at: number; readonly file: string }>(200);

async function lookFor(
	command: string,
	path: readonly string[],
	workspace: string | undefined,
): Promise<string | undefined> {
	const candidates = isAbsolute(command) ? [command] : path.map((entry) => join(entry, command));
	for (const candidate of candidates) {
		const real = await realpath(candidate).catch(() => undefined);
		if (!real || (workspace !== undefined && isInside(real, workspace))) continue;
		if (await isExecutable(real)) return candidate;
	}
	return undefined;
}

/** True for a file that the system would run. */
export async function isExecutable(file: string): Promise<boolean> {
	try {
		await access(file, constants.X_OK);
		return (await stat(file)).isFile();
	} catch {
		return false;
	}
}

/** The command line of a program among our own dependencies, or undefined where it is not installed. */
function bundledProgram(program: BundledProgram): Promise<Program | undefined> {
	const known = bundledPrograms.get(program) ?? findBundled(program);
	bundledPrograms.set(program, known);
	return known;
}

/** A program and all that it is started with. */
export interface Program {
	readonly file: string;
	readonly args: readonly string[];
}

/** What was installed with us does not change while we run. */
const bundledPrograms = new Map<BundledProgram, Promise<Program | undefined>>();

async function findBundled({ package: name, script, native }: BundledProgram): Promise<Program | undefined> {
	const manifest = resolveManifest(name, import.meta.url);
	return manifest ? programOfPackage(manifest, { script, native }) : undefined;
}

/** What is run of an installed package, by the path of its package.json. */
export async function programOfPackage(
	manifest: string,
	{ script, native }: Pick<BundledProgram, "script"> & { readonly native: BundledProgram["native"] },
): Promise<Program> {
	if (native) {
		// Straight to the executable: through the package's own script a Node process would wait beside it (80 ms, 40 MB).
		const platform = native.package.replace("{platform}", process.platform).replace("{arch}", process.arch);
		const platformManifest = resolveManifest(platform, manifest);
		const file = platformManifest && join(dirname(platformManifest), native.file);
		if (file && (await isExecutable(file))) return { file, args: [] };
	}
	return { file: process.execPath, args: [join(dirname(manifest), script)] };
}

function resolveManifest(name: string, from: string): string | undefined {
	try {
		return createRequire(from).resolve(`${name}/package.json`);
	} catch {
		return undefined;
	}
}
