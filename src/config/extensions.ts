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
 * What the packages say that these files of the user and of the caller name in `extensions`; a repository's file may name
 * none. The last one is the first that is named: each comes before those that were laid down earlier.
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

/** Of two things with one name counts that of the package which is named first. */
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
