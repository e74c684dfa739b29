import { relative } from "node:path";
import { isOurs } from "../project/root.ts";
import { isTestPath } from "../project/test-paths.ts";
import { displayPath } from "../routing/locate.ts";
import { LruMap } from "../util/lru-map.ts";
import { toPath } from "../util/positions.ts";

/** What a server's name for a file says by itself; nothing on disk is looked at. */
export interface UriName {
	/** Undefined for a name that is no file's (`jdt://`). */
	readonly path: string | undefined;
	/** The path as the caller reads it, or the name itself. */
	readonly shown: string;
	/** True in the workspace, outside of installed packages; where links lead is seen when it is read. */
	readonly ours: boolean;
	/** True for a file of ours that is there to test others. */
	readonly test: boolean;
}

/** Says what a server's name (a URI) is the name of. */
export type NameFile = (uri: string) => UriName;

const namesKept = 2000;
const callersKept = 10;
const kept = new LruMap<NameFile>(callersKept);

/**
 * The files of a workspace as a caller in `cwd` reads them, both real and absolute. The same few hundred names come in
 * every answer: to count 164 places of 82 files took ten times as long while each name was taken apart anew.
 */
export function namedFiles(workspace: string, cwd: string): NameFile {
	const key = JSON.stringify([workspace, cwd]);
	const known = kept.get(key);
	if (known) return known;
	const names = new LruMap<UriName>(namesKept);
	const named: NameFile = (uri) => {
		const name = names.get(uri);
		if (name) return name;
		const file = fileNamed(uri, workspace, cwd);
		names.set(uri, file);
		return file;
	};
	kept.set(key, named);
	return named;
}

function fileNamed(uri: string, workspace: string, cwd: string): UriName {
	const path = toPath(uri);
	if (path === undefined) return { path, shown: uri, ours: false, test: false };
	const ours = isOurs(path, workspace);
	return { path, shown: displayPath(path, cwd), ours, test: ours && isTestPath(relative(workspace, path)) };
}
