import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { childEnvironment } from "../process/environment.ts";
import { findProgram, programPath, safePath } from "../process/find-program.ts";
import { heapMegabytes } from "../process/memory.ts";
import type { LaunchCommand } from "../process/server-process.ts";
import { hashOf } from "../util/hash.ts";
import { ownDirectory } from "../util/xdg.ts";
import { bundledProgram, expandPlaces, type Program } from "./bundled-programs.ts";
import { installCommand } from "./install.ts";
import { broughtProgram } from "./project-executables.ts";
import { installedPrograms, isFolderName, serversFolder } from "./server-folder.ts";

/**
 * What to run for a server at `root`: the program that comes with pi-lsp, else the first on PATH. Entries of PATH that
 * are relative, empty or inside the workspace do not count, nor does a program that a link leads back into it: what a
 * repository brings is not executed. Rejects with LSP_SERVER_UNAVAILABLE.
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
				suggestion: `Install ${program}, then use {{restart}}.`,
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
