import { basename } from "node:path";
import { isTestPath } from "../project/test-paths.ts";
import type { FileQuery } from "../query/file-query.ts";
import { type DeclaredSymbol, plainNameOf } from "./declared-symbols.ts";
import type { FileOutline, FileOutlines } from "./file-outlines.ts";
import { referencesAt, type User, usersIn } from "./users.ts";

/** Displayed paths of the files that hold a name, in the language of `path`. */
export type FilesNaming = (name: string, path: string) => Promise<readonly string[]>;

/** Characters of a line around a name. */
const maxAround = 40;

/** The directory of the test programs that share a module: rust-analyzer knows the users in one of them. */
export function sharedIn(path: string): string | undefined {
	const found = path.endsWith(".rs") && !path.endsWith("/main.rs") ? /^(?:.*\/)?tests\/(?=.*\/)/.exec(path) : null;
	return found?.[0];
}

/** All that stands around a symbol's name outside of lines of comment, whatever it means there. */
export async function usersByName(
	asked: FileQuery,
	{ path, symbol }: { readonly path: string; readonly symbol: DeclaredSymbol },
	outlines: FileOutlines,
	filesNaming: FilesNaming,
): Promise<User[]> {
	const name = plainNameOf(symbol);
	const word = new RegExp(`(?<!\\w)${name.replace(/\W/g, "\\$&")}(?!\\w)`, "g");
	const users: User[] = [];
	const within = sharedIn(path) ?? "";
	for (const { path: file, isTest: test, outline } of await filesWithName(
		asked,
		{ path, name },
		outlines,
		filesNaming,
	)) {
		if (!file.startsWith(within) || basename(file) === "build.rs") continue;
		const isOwn = (line: number) =>
			file === path && symbol.spans.some(([first, last]) => first <= line && line <= last);
		const places = outline?.lines.flatMap((text, index) => {
			// Behind code it may stand in a string.
			const isComment = text.trimStart().startsWith("//");
			const found = isComment || isOwn(index + 1) ? [] : [...text.matchAll(word)];
			return found.map((each) => ({ line: index + 1, column: each.index + 1, test }));
		});
		// The whole file counts where nothing says what stands around the name.
		users.push(...(await usersIn(asked, file, places ?? [{ line: 1, column: 1, test }], outlines)));
	}
	return users;
}

const memberStart =
	/(?:^|[.{,;([*"'`]|\b(?:get|set|async|static|readonly|public|protected|override|abstract|accessor)\s)\s*$/;
const memberEnd = /^\s*(?:[-(:?<,};!)\].=+*/&|"'`]|$)/;

/** True if a name stands for a member where `references` names none: that of another type, or of a value without one. */
export async function isNamedElsewhere(
	asked: FileQuery,
	{ path, symbol }: { readonly path: string; readonly symbol: DeclaredSymbol },
	outlines: FileOutlines,
	filesNaming: FilesNaming,
): Promise<boolean> {
	const name = plainNameOf(symbol);
	const ask = async (query: FileQuery) => {
		const found = await referencesAt(query, symbol.at);
		return (await query.locations(found.filter(({ uri }) => query.isOwn(uri)))).places;
	};
	const places = await asked.inAnyFile(path, ask);
	const known = new Set(places.map(({ path: file, line, column }) => `${file}:${line}:${column}`));
	for (const { path: file, outline } of await filesWithName(asked, { path, name }, outlines, filesNaming)) {
		if (!outline) return true;
		for (const [index, text] of outline.lines.entries())
			for (const column of membersIn(text, name)) if (!known.has(`${file}:${index + 1}:${column}`)) return true;
	}
	return false;
}

/** 1-based columns where a line may have a member of that name. */
export function membersIn(line: string, name: string): number[] {
	if (/^\s*(?:\/\/|\*|\/\*|# )/.test(line)) return [];
	const word = new RegExp(`(?<![\\w$])${name.replace(/\W/g, "\\$&")}(?![\\w$])`, "g");
	return [...line.matchAll(word)].flatMap(({ index }) => {
		const before = line.slice(Math.max(index - maxAround, 0), index);
		const after = line.slice(index + name.length, index + name.length + maxAround);
		return memberStart.test(before) && memberEnd.test(after) ? [index + 1] : [];
	});
}

interface NamingFile {
	/** Displayed path. */
	readonly path: string;
	readonly isTest: boolean;
	readonly outline: FileOutline | undefined;
}

export async function filesWithName(
	asked: FileQuery,
	{ path, name }: { readonly path: string; readonly name: string },
	outlines: FileOutlines,
	filesNaming: FilesNaming,
): Promise<NamingFile[]> {
	const found: NamingFile[] = [];
	for (const file of await filesNaming(name, path)) {
		asked.signal.throwIfAborted();
		found.push({ path: file, isTest: isTestPath(file), outline: await outlines.of(asked, file) });
	}
	return found;
}
