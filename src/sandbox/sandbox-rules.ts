import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import process from "node:process";
import type { LaunchCommand } from "../process/server-process.ts";
import { realPathOf, statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { ownDirectory } from "../util/xdg.ts";
import type { AccessRule } from "./access-rules.ts";
import { secretPlaces } from "./secret-places.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What is known of a server that is about to be started in a sandbox. */
export interface SandboxedStart {
	readonly launch: LaunchCommand;
	/** Real paths: what the server is asked about lies in these. */
	readonly workspace: string;
	readonly root: string;
	/** The directory that it may write to. It exists. */
	readonly own: string;
	/** The environment of the caller. */
	readonly env: Variables;
}

/** Directories that all programs share: others' files, and the sockets of whatever runs on the machine. */
const sharedPlaces = process.platform === "linux" ? ["/tmp", "/run"] : [];

/**
 * What a server may see and change, and the directory that it finds for temporary files. Of the directories that all
 * programs share it sees what leads to its workspace and its program, and what else its PATH names there.
 */
export async function sandboxRules({ launch, workspace, root, own, env }: SandboxedStart): Promise<{
	readonly rules: readonly AccessRule[];
	readonly temporary: string;
}> {
	const needed = await realPaths([...namedIn(launch), env.HOME || homedir()]);
	const rules: AccessRule[] = [];
	for (const shared of await existing([...sharedPlaces, ...runtimeDirectories(env)])) {
		rules.push({ ...shared, access: shared.path === "/tmp" ? "private" : "hidden" });
		const inside = needed.filter((path) => path !== shared.path && isInside(path, shared.path));
		for (const path of [...inside, ...[workspace, root].filter((one) => isInside(one, shared.path))]) {
			const [first = ""] = path.slice(shared.path.length + 1).split("/");
			rules.push(...(await allowed(join(shared.path, first), "read")));
		}
	}
	for (const secret of await existing(secretPaths(env))) {
		rules.push({ ...secret, access: "hidden" });
		const ours = [workspace, root, ...argumentPaths(launch)];
		for (const path of ours) if (isInside(path, secret.path)) rules.push(...(await allowed(path, "read")));
	}
	rules.push(...(await allowed(own, "write")));
	return { rules, temporary: await temporaryDirectory(rules, own) };
}

/** With `/tmp` itself as the workspace there is no other directory in its place; the sandbox has a `/dev` of its own. */
async function temporaryDirectory(rules: readonly AccessRule[], own: string): Promise<string> {
	if (process.platform !== "linux") return join(own, "tmp");
	return rules.some(({ path, access }) => path === "/tmp" && access === "read") ? "/dev/shm" : "/tmp";
}

/** The paths in a command line, and the directories of its PATH. */
function namedIn(launch: LaunchCommand): string[] {
	const { file, env } = launch;
	return [file, ...(env.PATH ?? "").split(delimiter), ...argumentPaths(launch)].filter((path) => isAbsolute(path));
}

/** The paths in what a program is started with: its own, or of what we have made for it in our cache. */
function argumentPaths({ args }: LaunchCommand): string[] {
	return args.map((arg) => arg.replace(/^--?[\w-]+=/, "")).filter((path) => isAbsolute(path));
}

/** Where the sockets of a person's programs are, ours too. One who has it in the home directory has it elsewhere as well. */
function runtimeDirectories(env: Variables): string[] {
	const home = env.HOME || homedir();
	return [env.XDG_RUNTIME_DIR, process.env.XDG_RUNTIME_DIR].flatMap((path) =>
		path && isAbsolute(path) ? [isInside(home, path) ? join(path, "pi-lsp") : path] : [],
	);
}

function secretPaths(env: Variables): string[] {
	return [env, process.env].flatMap((variables) => {
		const { XDG_CONFIG_HOME: configuration, XDG_DATA_HOME: data } = variables;
		const below = (base: string | undefined, paths: readonly string[]) =>
			base && isAbsolute(base) ? paths.map((path) => join(base, path)) : [];
		return [
			...below(variables.HOME || homedir(), secretPlaces.home),
			...below(configuration, secretPlaces.configuration),
			...below(data, secretPlaces.data),
			ownDirectory("XDG_CONFIG_HOME", variables),
			ownDirectory("XDG_STATE_HOME", variables),
			ownDirectory("XDG_CACHE_HOME", variables),
		];
	});
}

/** Those of the paths that are there, without links, each once. */
async function existing(paths: readonly string[]): Promise<Omit<AccessRule, "access">[]> {
	const found = new Map<string, Omit<AccessRule, "access">>();
	for (const path of new Set(paths)) {
		const info = await statOf(path);
		const real = info && (await realPathOf(path));
		if (info && real) found.set(real, { path: real, isDirectory: info.isDirectory() });
	}
	return [...found.values()];
}

async function allowed(path: string, access: "read" | "write"): Promise<AccessRule[]> {
	return (await existing([path])).map((found) => ({ ...found, access }));
}

/** Paths as they are written and as they are without links: a program is looked for by the one, and found at the other. */
async function realPaths(paths: readonly string[]): Promise<string[]> {
	const real = await Promise.all(paths.map((path) => realPathOf(path)));
	return [...new Set([...paths, ...real.filter((path) => path !== undefined)])];
}
