import { homedir } from "node:os";
import { join } from "node:path";
import type { Extension } from "../contract/extension.ts";
import { type Disk, plainDisk } from "../util/files.ts";
import { type ConfigFile, readConfig } from "./config-file.ts";
import type { Author } from "./servers.ts";

interface ExtensionPart {
	readonly file: ConfigFile;
	readonly author: Author;
}

/**
 * Of packages that the user's and the caller's files name in `extensions`; a repository may name none. The first named
 * comes last.
 */
export async function extensionParts(
	files: readonly (ConfigFile | undefined)[],
	disk: Disk = plainDisk,
): Promise<ExtensionPart[]> {
	const named = files.flatMap((file) => (file?.fields.extensions ?? []) as readonly string[]);
	const directories = [...new Set(named.map((name) => name.replace(/^~(?=\/|$)/, homedir)))];
	const parts = await Promise.all(directories.map((directory) => extensionPart(directory, disk)));
	return parts.reverse();
}

async function extensionPart(directory: string, disk: Disk): Promise<ExtensionPart> {
	const path = join(directory, "package.json");
	const missing = { path, fields: {}, servers: [], problems: [`${path}: no such file, though "extensions" names it`] };
	const file = (await readConfig(path, "extension", disk)) ?? missing;
	return { file, author: { who: "extension", directory, trusted: true } };
}

/** Of equal names the first package's counts. */
export function joinedExtension(parts: readonly ExtensionPart[]): {
	readonly extension: Extension;
	readonly problems: readonly string[];
} {
	const problems: string[] = [];
	const first = <Each extends { readonly name: string }>(kind: keyof Extension): Each[] => {
		const found = new Map<string, Each>();
		for (const { file } of [...parts].reverse())
			for (const each of (file.extension?.[kind] ?? []) as readonly unknown[] as readonly Each[])
				if (found.has(each.name))
					problems.push(`${file.path}: "pi-lsp.${kind}.${each.name}" does not count: an earlier package has it`);
				else found.set(each.name, each);
		return [...found.values()];
	};
	const answers = [...parts].reverse().flatMap(({ file }) => file.extension?.answers ?? []);
	return {
		extension: { tools: first("tools"), resources: first("resources"), prompts: first("prompts"), answers },
		problems,
	};
}
