import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where `pi-lsp install` puts servers, one directory for each: a person's own, which no repository can reach. */
export function serversFolder(env: Readonly<Record<string, string | undefined>>): string {
	const { XDG_DATA_HOME: data, HOME: home = homedir() } = env;
	return join(data && isAbsolute(data) ? data : join(home, ".local", "share"), "pi-lsp", "servers");
}

/** The directories of one installed server in which its programs are. */
export function installedPrograms(folder: string): string[] {
	return [join(folder, "bin"), join(folder, "node_modules", ".bin")];
}

/** True for an id that may name a directory. */
export function isFolderName(id: string): boolean {
	return /^[\w@][\w.@-]*$/.test(id);
}
