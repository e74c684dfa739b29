import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { childEnvironment } from "../process/environment.ts";
import { findProgram } from "../process/find-program.ts";
import { heapMegabytes } from "../process/memory.ts";
import type { LaunchCommand } from "../process/server-process.ts";
import { ownEntries, repositoryAt } from "../project/own-programs.ts";
import { chosenToolchain, lacksComponent } from "../project/rustup.ts";
import { hashOf } from "../util/hash.ts";
import { TurnCache } from "../util/time-slices.ts";
import { ownDirectory } from "../util/xdg.ts";
import { bundledProgram, expandPlaceholders, type Program } from "./bundled-programs.ts";
import { installHint, isFolderName, isInstallable, programFolders, serversFolder } from "./install.ts";
import { putBack } from "./interrupted-install.ts";
import { projectProgram } from "./project-executables.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface Project {
	readonly root: string;
	readonly workspace: string;
	readonly trusted: boolean;
	readonly searchPath?: string | undefined;
}

/**
 * Without trust ignores PATH's relative or empty entries, and those in the repository. Rejects with
 * LSP_SERVER_UNAVAILABLE or LSP_PREREQUISITE_MISSING.
 */
export async function launchCommand(config: ServerConfig, project: Project, env: Variables): Promise<LaunchCommand> {
	const { root } = project;
	const path = await searchPath(project, env.PATH);
	const repository = await repositoryAt(project);
	const environment = {
		...heapLimit(config.runtime),
		...childEnvironment(env),
		...config.environment,
		PATH: path.join(delimiter),
	};
	const { connect } = config;
	if (connect !== undefined) return { file: connect, args: [], cwd: root, env: environment, connect };
	for (const program of config.prerequisites ?? [])
		if (!(await findProgram(program, path, repository)))
			throw new LspError("LSP_PREREQUISITE_MISSING", `${program} not found. ${config.id} requires it.`, {
				...aboutServer(config),
				missing: program,
				checked_paths: path,
				suggestion: `Install ${program}, then use {{restart}}.`,
			});
	const program = await findServer(config, project, { path, env });
	if (!program) {
		const install = installHint(config, env.PATH);
		throw new LspError("LSP_SERVER_UNAVAILABLE", `${config.command} not found.`, {
			...aboutServer(config),
			command: config.command,
			search_paths: [...path, ...installedIn(config, env)],
			...(install
				? {
						install_hint: install,
						installable: isInstallable(config, env.PATH),
						suggestion: `Install it: ${install}`,
					}
				: {}),
		});
	}
	const cwd = config.cwd === undefined ? root : resolve(root, config.cwd);
	const args = program.args.map((word) => word.replace(/^\{data\}/, () => dataDirectory(config, project, env)));
	return { file: program.file, args: expandPlaceholders(args, root), cwd, env: environment };
}

export function dataDirectory(
	{ id }: ServerConfig,
	{ root, trusted }: Pick<Project, "root" | "trusted">,
	env: Variables,
): string {
	return join(ownDirectory("XDG_CACHE_HOME", env), ...(trusted ? [] : ["untrusted"]), id, hashOf(root));
}

function heapLimit(runtime: ServerConfig["runtime"]): Readonly<Record<string, string>> {
	if (runtime === "node") return { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes()}` };
	if (runtime === "jvm") return { JAVA_TOOL_OPTIONS: `-Xmx${heapMegabytes()}m` };
	return {};
}

/** Without trust `restricted.rustup` sets the user's own toolchain. */
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

function searchPath(project: Project, path = ""): Promise<string[]> {
	return ownEntries(path.split(delimiter).filter(isAbsolute), project);
}

export function isInstalled(config: ServerConfig, project: Project): Promise<boolean> {
	return answers.get(JSON.stringify(["installed", config, project]), async () => {
		return config.connect !== undefined || (await findServer(config, project, await searched(project))) !== undefined;
	});
}

const answers = new TurnCache<Promise<boolean>>();

interface Searched {
	readonly path: readonly string[];
	readonly env: Variables;
}

async function searched(project: Project): Promise<Searched> {
	return { path: await searchPath(project, project.searchPath ?? process.env.PATH), env: process.env };
}

export function isReady(config: ServerConfig, project: Project): Promise<boolean> {
	return answers.get(JSON.stringify(["ready", config, project]), async () => {
		if (config.connect !== undefined) return true;
		const { path } = await searched(project);
		for (const program of config.prerequisites ?? [])
			if (!(await findProgram(program, path, await repositoryAt(project)))) return false;
		return isInstalled(config, project);
	});
}

/** The project's own with trust; else bundled, on PATH, or of `pi-lsp install`. */
async function findServer(
	config: ServerConfig,
	project: Project,
	{ path, env }: Searched,
): Promise<Program | undefined> {
	const { root, workspace, trusted } = project;
	const own = trusted && !config.namedBy ? await projectProgram(config, root, workspace) : undefined;
	if (own) return own;
	const bundled = config.bundled && (await bundledProgram(config.bundled));
	if (bundled) return { file: bundled.file, args: [...bundled.args, ...config.args] };
	const repository = await repositoryAt(project);
	const installed = installedIn(config, env);
	for (const directories of [path, installed])
		for (const { command, args } of [config, ...(config.candidates ?? [])]) {
			const isConfigured = config.namedBy !== undefined && isAbsolute(command);
			// The folder of `pi-lsp install` counts wherever it is.
			const isOurs = directories === installed && !isAbsolute(command);
			const own = { root, repository: isConfigured || isOurs ? undefined : repository, env };
			const file = await findInstalled(command, directories, own);
			if (file) return { file, args };
		}
	return undefined;
}

async function findInstalled(
	command: string,
	directories: readonly string[],
	{
		root,
		repository,
		env,
	}: { readonly root: string; readonly repository: string | undefined; readonly env: Variables },
): Promise<string | undefined> {
	const file = await findProgram(command, directories, repository);
	if (file === undefined || !(await lacksComponent(file, root, env))) return file;
	const at = isAbsolute(command) ? -1 : directories.indexOf(dirname(file));
	return at < 0 ? undefined : findInstalled(command, directories.slice(at + 1), { root, repository, env });
}

function installedIn({ id }: ServerConfig, env: Variables): readonly string[] {
	if (!isFolderName(id)) return [];
	const folder = join(serversFolder(env), id);
	putBack(folder);
	return programFolders(folder);
}
