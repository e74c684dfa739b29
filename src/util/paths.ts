import { basename, sep } from "node:path";

/** Both paths are absolute, with links resolved. */
export function isInside(path: string, directory: string): boolean {
	return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** For texts of a change (`u7`) next to its files. */
export function temporaryNames(id: string, index: number): { readonly fresh: string; readonly old: string } {
	const base = `.pi-lsp-${id}-${index}`;
	// Without an extension, no server takes them for sources.
	return { fresh: `${base}-new`, old: `${base}-old` };
}

export function isTemporaryName(path: string): boolean {
	return /^\.pi-lsp-u\d+-\d+-(?:new|old)$/.test(basename(path));
}
