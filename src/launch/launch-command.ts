import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { childEnvironment } from "../process/environment.ts";
import { findProgram, programPath, safePath } from "../process/find-program.ts";
import { heapMegabytes } from "../process/memory.ts";
import type { LaunchCommand } from "../process/server-process.ts";
import { chosenToolchain } from "../project/rustup.ts";
import { hashOf } from "../util/hash.ts";
import { ownDirectory } from "../util/xdg.ts";
import { bundledProgram, expandPlaceholders, type Program } from "./bundled-programs.ts";
import { installCommand, isFolderName, programFolders, serversFolder } from "./install.ts";
import { projectProgram } from "./project-executables.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The project that a server is started for. Its own programs are run only if it is trusted. */
export interface Project {
	readonly root: string;
	readonly workspace: string;
	readonly trusted: boolean;
}

/**
 * The command line of a server, started at the root of a project. Entries of PATH that are relative, empty or inside the
 * workspace are ignored, and so are programs whose links lead into the workspace: a repository's programs are not run
 * without trust. Rejects with LSP_SERVER_UNAVAILABLE or LSP_PREREQUISITE_MISSING.
 */
export async function launchCommand(config: ServerConfig, project: Project, env: Variables): Promise<LaunchCommand> {
	const { root, workspace } = project;
	const path = await safePath(env.PATH ?? "", workspace);
	const environment = {
		...heapLimit(config.runtime),
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
	const program = await findServer(config, project, env);
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
	const args = program.args.map((word) => word.replace(/^\{data\}/, () => dataDirectory(config, project, env)));
	return { file: program.file, args: expandPlaceholders(args, root), cwd, env: environment };
}

/**
 * The directory for the data that a server keeps about a root. A trusted project has another one, so that its server
 * reads nothing that was written for the untrusted project.
 */
export function dataDirectory(
	{ id }: ServerConfig,
	{ root, trusted }: Pick<Project, "root" | "trusted">,
	env: Variables,
): string {
	return join(ownDirectory("XDG_CACHE_HOME", env), ...(trusted ? [] : ["untrusted"]), id, hashOf(root));
}

/** Variables that limit the heap of runtimes which otherwise use all memory of the machine. */
function heapLimit(runtime: ServerConfig["runtime"]): Readonly<Record<string, string>> {
	if (runtime === "node") return { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes()}` };
	if (runtime === "jvm") return { JAVA_TOOL_OPTIONS: `-Xmx${heapMegabytes()}m` };
	return {};
}

/** The configuration of a server; with `restricted.rustup` and without trust, with the user's Rust toolchain. */
export async function withRustToolchain(
	config: ServerConfig,
	{ root, trusted }: Project,
	env: Variables,
): Promise<ServerConfig> {
	if (trusted || !config.restricted?.rustup) return config;
	const toolchain = await chosenToolchain(root, env);
	if (toolchain === undefined) return config;
	return { ...config, environment: { ...config.environment, RUSTUP_TOOLCHAIN: toolchain } };
}

/** True if a server's program is found, or if the server is run by others. */
export async function isInstalled(config: ServerConfig, project: Project): Promise<boolean> {
	return config.connect !== undefined || (await findServer(config, project, process.env)) !== undefined;
}

/** True if a server's program and its prerequisites are found, or if the server is run by others. */
export async function isReady(config: ServerConfig, project: Project): Promise<boolean> {
	if (config.connect !== undefined) return true;
	for (const program of config.prerequisites ?? [])
		if (!(await programPath(program, project.workspace, process.env))) return false;
	return isInstalled(config, project);
}

/**
 * The program of a server: with trust the project's own; else the bundled one, the first of its candidates on PATH, or the
 * one that `pi-lsp install` installed.
 */
async function findServer(config: ServerConfig, project: Project, env: Variables): Promise<Program | undefined> {
	const { root, workspace, trusted } = project;
	const own = trusted && !config.namedBy ? await projectProgram(config, root, workspace) : undefined;
	if (own) return own;
	const bundled = config.bundled && (await bundledProgram(config.bundled));
	if (bundled) return { file: bundled.file, args: [...bundled.args, ...config.args] };
	for (const directories of [await safePath(env.PATH ?? "", workspace), installedIn(config, env)])
		for (const { command, args } of [config, ...(config.candidates ?? [])]) {
			// An absolute path that a user or a trusted repository has configured may lead into the workspace.
			const isConfigured = config.namedBy !== undefined && isAbsolute(command);
			const file = await findProgram(command, directories, isConfigured ? undefined : workspace);
			if (file) return { file, args };
		}
	return undefined;
}

/** The directories in which `pi-lsp install` installs a server's programs. */
function installedIn({ id }: ServerConfig, env: Variables): readonly string[] {
	return isFolderName(id) ? programFolders(join(serversFolder(env), id)) : [];
}
