import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { LaunchCommand } from "../process/server-process.ts";
import { realPathOf, statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { ownDirectory } from "../util/xdg.ts";
import type { AccessRule } from "./access-rules.ts";
import { secretPaths } from "./secret-paths.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface SandboxedStart {
	readonly launch: LaunchCommand;
	readonly workspace: string;
	readonly root: string;
	readonly own: string;
	readonly env: Variables;
}

/** They hold other programs' files and sockets. */
const sharedDirectories = process.platform === "linux" ? ["/tmp", "/run"] : [];

/** The server sees its workspace, program and PATH. */
export async function sandboxRules({ launch, workspace, root, own, env }: SandboxedStart): Promise<{
	readonly rules: readonly AccessRule[];
	readonly temporary: string;
}> {
	const needed = await realPaths([...namedIn(launch), env.HOME || homedir()]);
	const rules: AccessRule[] = [];
	for (const shared of await existing([...sharedDirectories, ...runtimeDirectories(env)])) {
		rules.push({ ...shared, access: shared.path === "/tmp" ? "private" : "hidden" });
		const inside = needed.filter((path) => path !== shared.path && isInside(path, shared.path));
		for (const path of [...inside, ...[workspace, root].filter((one) => isInside(one, shared.path))]) {
			const [first = ""] = path.slice(shared.path.length + 1).split("/");
			rules.push(...(await allowed(join(shared.path, first), "read")));
		}
	}
	for (const secret of await existing(secretPathsOf(env))) {
		rules.push({ ...secret, access: "hidden" });
		const ours = [workspace, root, ...argumentPaths(launch)];
		for (const path of ours) if (isInside(path, secret.path)) rules.push(...(await allowed(path, "read")));
	}
	rules.push(...(await allowed(own, "write")));
	return { rules, temporary: await temporaryDirectory(rules, own) };
}

/** With `/tmp` as workspace the sandbox's own `/dev` serves. */
async function temporaryDirectory(rules: readonly AccessRule[], own: string): Promise<string> {
	if (process.platform !== "linux") return join(own, "tmp");
	return rules.some(({ path, access }) => path === "/tmp" && access === "read") ? "/dev/shm" : "/tmp";
}

function namedIn(launch: LaunchCommand): string[] {
	const { file, env } = launch;
	return [file, ...(env.PATH ?? "").split(delimiter), ...argumentPaths(launch)].filter((path) => isAbsolute(path));
}

function argumentPaths({ args }: LaunchCommand): string[] {
	return args.map((arg) => arg.replace(/^--?[\w-]+=/, "")).filter((path) => isAbsolute(path));
}

/** One that contains the home directory cannot be hidden whole. */
function runtimeDirectories(env: Variables): string[] {
	const home = env.HOME || homedir();
	return [env.XDG_RUNTIME_DIR, process.env.XDG_RUNTIME_DIR].flatMap((path) =>
		path && isAbsolute(path) ? [isInside(home, path) ? join(path, "pi-lsp") : path] : [],
	);
}

function secretPathsOf(env: Variables): string[] {
	return [env, process.env].flatMap((variables) => {
		const { XDG_CONFIG_HOME: configuration, XDG_DATA_HOME: data } = variables;
		const below = (base: string | undefined, paths: readonly string[]) =>
			base && isAbsolute(base) ? paths.map((path) => join(base, path)) : [];
		return [
			...below(variables.HOME || homedir(), secretPaths.home),
			...below(configuration, secretPaths.configuration),
			...below(data, secretPaths.data),
			ownDirectory("XDG_CONFIG_HOME", variables),
			ownDirectory("XDG_STATE_HOME", variables),
			ownDirectory("XDG_CACHE_HOME", variables),
		];
	});
}

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

async function realPaths(paths: readonly string[]): Promise<string[]> {
	const real = await Promise.all(paths.map((path) => realPathOf(path)));
	return [...new Set([...paths, ...real.filter((path) => path !== undefined)])];
}
