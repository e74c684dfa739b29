import { sep } from "node:path";

/** Both paths are absolute, with links resolved. */
export function isInside(path: string, directory: string): boolean {
	return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
