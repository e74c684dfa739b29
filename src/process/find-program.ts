import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { realPathOf } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";
import { isInside } from "../util/paths.ts";

export async function programPath(
	program: string,
	workspace: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
	return findProgram(program, await safePath(env.PATH ?? "", workspace), workspace);
}

export async function safePath(path: string, workspace: string): Promise<string[]> {
	const entries = path.split(delimiter).filter((entry) => isAbsolute(entry));
	const reals = await Promise.all(entries.map(async (entry) => (await realPathOf(entry)) ?? entry));
	return entries.filter((entry, index) => !isInside(entry, workspace) && !isInside(reals[index] ?? entry, workspace));
}

/** They keep paths into the workspace. */
const ownDirectories = /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_.*|TMPDIR|TEMP|TMP|PI_LSP_.*)$/i;

/** Flags count too: jedi runs VIRTUAL_ENV's interpreter, go `-toolexec`. */
export async function withoutBroughtPaths(
	env: Readonly<Record<string, string>>,
	workspace: string,
): Promise<Record<string, string>> {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		const entries = value.split(delimiter);
		const left: string[] = [];
		for (const entry of entries) {
			// In a list, a relative or empty path is the working directory.
			if (!isAbsolute(entry) && (/(?:PATH|LIB)$/.test(name) || relativePath.test(entry))) continue;
			if (!(await holdsPathInto(entry, workspace))) left.push(entry);
		}
		if (ownDirectories.test(name) || left.length === entries.length) kept[name] = value;
		else if (left.length > 0) kept[name] = left.join(delimiter);
	}
	return kept;
}

const relativePath = /^\.{1,2}$|(?:^|[^./])\.{1,2}\//;

async function holdsPathInto(text: string, workspace: string): Promise<boolean> {
	const at = text.indexOf(workspace);
	const paths = [text, ...(at < 0 ? [] : [text.slice(at)]), ...(text.match(/\/[^\s=,"']+/g) ?? [])].filter(isAbsolute);
	const reals = await Promise.all(paths.map(async (path) => (await realPathOf(path)) ?? path));
	return [...paths, ...reals].some((path) => isInside(path, workspace));
}

export async function findProgram(
	command: string,
	path: readonly string[],
	workspace: string | undefined,
): Promise<string | undefined> {
	const key = JSON.stringify([command, path, workspace]);
	const known = foundPrograms.get(key);
	if (known && Date.now() - known.at < foundMs) return known.file;
	const file = search(command, path, workspace);
	foundPrograms.set(key, { at: Date.now(), file });
	if ((await file) === undefined && foundPrograms.get(key)?.file === file) foundPrograms.delete(key);
	return file;
}

const foundMs = 2000;
const foundPrograms = new LruMap<{ readonly at: number; readonly file: Promise<string | undefined> }>(200);

async function search(
	command: string,
	path: readonly string[],
	workspace: string | undefined,
): Promise<string | undefined> {
	const candidates = isAbsolute(command) ? [command] : path.map((entry) => join(entry, command));
	for (const candidate of candidates) {
		const real = await realPathOf(candidate);
		if (!real || (workspace !== undefined && isInside(real, workspace))) continue;
		if (await isExecutable(real)) return candidate;
	}
	return undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
	try {
		await access(file, constants.X_OK);
		return (await stat(file)).isFile();
	} catch {
		return false;
	}
}
