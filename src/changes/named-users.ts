import { basename } from "node:path";
import { isTestPath } from "../project/test-paths.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { DeclaredSymbol } from "./declared-symbols.ts";
import type { FileOutline, FileOutlines } from "./file-outlines.ts";
import { type User, usersIn } from "./users.ts";

/** Displayed paths of the files that hold a name, in the language of `path`. */
export type FilesNaming = (name: string, path: string) => Promise<readonly string[]>;

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
	const name = symbol.path.slice(symbol.path.lastIndexOf(".") + 1);
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
