import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Installer, ServerConfig } from "../../server.ts";
import { readSettings } from "../config/read-settings.ts";
import { LspError } from "../contract/errors.ts";
import { installCommand, isFolderName, type privateInstallers, serversFolder } from "../launch/install.ts";
import { programPath, safePath } from "../process/find-program.ts";
import { workspaceOf } from "../project/root.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface Step {
	readonly program: string;
	readonly args: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
}

export interface Plan {
	readonly id: string;
	/** The final directory, and the temporary one. */
	readonly folder: string;
	readonly temporary: string;
	readonly steps: readonly Step[];
	/** The PATH without directories in the workspace. */
	readonly path: string;
	/** One of these must be among what was installed. */
	readonly programs: readonly string[];
	/** True if its programs need GEM_HOME. */
	readonly gems: boolean;
}

export interface Advice {
	readonly id: string;
	readonly command: string | undefined;
}

type Way = (folder: string, packages: readonly string[]) => readonly Step[];

/** How each package manager installs into one directory. */
const ways: Readonly<Record<(typeof privateInstallers)[number], Way>> = {
	npm: (folder, packages) => [
		{ program: "npm", args: ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages] },
	],
	pip: (folder, packages) => [
		{ program: "python3", args: ["-m", "venv", folder] },
		{ program: join(folder, "bin", "pip"), args: ["install", "--disable-pip-version-check", ...packages] },
	],
	go: (folder, packages) => [
		{ program: "go", args: ["install", ...packages], environment: { GOBIN: join(folder, "bin") } },
	],
	cargo: (folder, packages) => [{ program: "cargo", args: ["install", "--root", folder, ...packages] }],
	gem: (folder, packages) => [
		{
			program: "gem",
			args: ["install", "--no-document", "--install-dir", folder, "--bindir", join(folder, "gem-bin"), ...packages],
		},
	],
};

/**
 * Counts only built-in entries and the person's own: a repository names no packages. Rejects with LSP_INVALID_INPUT for
 * an unknown server.
 */
export async function planFor(id: string, cwd: string, env: Env): Promise<Plan | Advice> {
	// There is no repository's configuration above the root.
	const { servers } = await readSettings("/", { env, withoutTrust: true });
	const config = servers.find((server) => server.id === id);
	if (!config || !isFolderName(id))
		throw new LspError("LSP_INVALID_INPUT", `install: there is no server "${id}".`, {
			suggestion: "See {{doctor}} for the servers that are missing.",
		});
	const folder = join(serversFolder(env), id);
	const temporary = join(serversFolder(env), `.${id}.new`);
	const possible = recipesOf(config).flatMap(([way, packages]) => {
		return isPrivate(way) ? [{ steps: ways[way](temporary, packages), gems: way === "gem" }] : [];
	});
	const workspace = await workspaceOf(cwd);
	// All of a home directory would be in the workspace.
	const outside = workspace === homedir() ? "/dev/null" : workspace;
	const path = (await safePath(env.PATH ?? "", outside)).join(delimiter);
	const there = await Promise.all(possible.map(({ steps }) => programPath(steps[0]?.program ?? "", outside, env)));
	const chosen = possible.find((_, index) => there[index] !== undefined) ?? possible[0];
	if (!chosen) return { id, command: installCommand(config.install) };
	const programs = [config.command, ...(config.candidates ?? []).map(({ command }) => command)];
	return { id, folder, temporary, ...chosen, path, programs };
}

function recipesOf({ install }: ServerConfig): (readonly [Installer, readonly string[]])[] {
	if (typeof install !== "object") return [];
	return Object.entries(install).flatMap(([way, packages]) =>
		Array.isArray(packages) ? [[way as Installer, packages.flatMap((words: string) => words.split(" "))] as const] : [],
	);
}

function isPrivate(way: Installer): way is keyof typeof ways {
	return Object.hasOwn(ways, way);
}

/** A command in a shell's syntax. */
export function commandLine({ program, args, environment = {} }: Step): string {
	const set = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
	return [...set, ...[program, ...args].map(quoted)].join(" ");
}

function quoted(word: string): string {
	return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
