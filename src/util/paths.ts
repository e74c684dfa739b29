import { sep } from "node:path";

/** True if `path` is `directory` or below it; both are real, absolute paths. */
export function isInside(path: string, directory: string): boolean {
	return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
