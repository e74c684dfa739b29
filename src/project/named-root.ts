import { homedir } from "node:os";
import { join, parse } from "node:path";
import { realPathOf, statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { isForeign } from "./root.ts";
import { projectAround } from "./workspace-of.ts";

const systemFolders = [
	...["/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/run", "/sbin", "/snap", "/sys", "/usr"],
	...["/Applications", "/Library", "/System", "/private/etc", "C:\\Windows", "C:\\Program Files"],
];

/** Real path; neither the home directory nor one above it, nor a folder of the system or of installed packages. */
export async function namedRoot(directory: string): Promise<string | undefined> {
	const real = await realPathOf(directory);
	if (real === undefined || isInside(homedir(), real)) return undefined;
	if (systemFolders.some((folder) => isInside(real, folder)) || isForeign(join(real, "file"), parse(real).root))
		return undefined;
	const project = await projectAround(real);
	const isOwn = await Promise.all([real, ...(project === undefined ? [] : [project])].map(isOwnDirectory));
	return project !== undefined && isOwn.every(Boolean) ? real : undefined;
}

async function isOwnDirectory(path: string): Promise<boolean> {
	const info = await statOf(path);
	const user = process.getuid?.();
	return info?.isDirectory() === true && (user === undefined || Number(info.uid) === user);
}
