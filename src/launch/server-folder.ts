import { join } from "node:path";
import { ownDirectory } from "../util/xdg.ts";

/** Where `pi-lsp install` puts servers, one directory for each: a person's own, which no repository can reach. */
export function serversFolder(env: Readonly<Record<string, string | undefined>>): string {
	return join(ownDirectory("XDG_DATA_HOME", env), "servers");
}

/** The directories of one installed server in which its programs are. */
export function installedPrograms(folder: string): string[] {
	return [join(folder, "bin"), join(folder, "node_modules", ".bin")];
}

/** True for an id that may name a directory. */
export function isFolderName(id: string): boolean {
	return /^[\w@][\w.@-]*$/.test(id);
}
