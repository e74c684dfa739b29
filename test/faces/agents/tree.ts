import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** All files below a directory: the content of each file and the target of each link. */
export function treeOf(directory: string): Record<string, string> {
	const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
	const listed = entries.map((entry): [string, string] => {
		const path = join(entry.parentPath, entry.name);
		return [relative(directory, path), content(entry, path)];
	});
	return Object.fromEntries(listed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function content(entry: Dirent, path: string): string {
	if (entry.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
	if (entry.isDirectory()) return "directory";
	return `${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path).toString("latin1")}`;
}
