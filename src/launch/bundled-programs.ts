import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { BundledProgram } from "../../server.ts";
import { isExecutable } from "../process/find-program.ts";
import { attempt } from "../util/attempt.ts";

export interface Program {
	readonly file: string;
	readonly args: readonly string[];
}

export async function bundledProgram(program: BundledProgram): Promise<Program | undefined> {
	const manifest = resolveManifest(program.package, import.meta.url);
	return manifest ? programOfPackage(manifest, program) : undefined;
}

export async function programOfPackage(manifest: string, { script, native }: BundledProgram): Promise<Program> {
	if (native) {
		// The package's script would keep an additional Node process.
		const platform = native.package.replace("{platform}", process.platform).replace("{arch}", process.arch);
		const platformManifest = resolveManifest(platform, manifest);
		const file = platformManifest && join(dirname(platformManifest), native.file);
		if (file && (await isExecutable(file))) return { file, args: [] };
	}
	return { file: process.execPath, args: [join(dirname(manifest), script)] };
}

function resolveManifest(name: string, from: string): string | undefined {
	return attempt(() => createRequire(from).resolve(`${name}/package.json`));
}

/** Replaces `{root}` at the beginning, and `{package:NAME}` by the directory of the project's or pi-lsp's package. */
export function expandPlaceholders<Value>(
	value: Value,
	root: string,
	projectPackages: ReadonlyMap<string, string> = new Map(),
): Value {
	const expand = (item: unknown): unknown => {
		if (typeof item === "string")
			return item.replace(/^\{(?:package:([^}]+)|root)\}/, (placeholder, name: string | undefined) => {
				if (name === undefined) return root;
				const directory = projectPackages.get(name);
				if (directory !== undefined) return directory;
				const manifest = resolveManifest(name, import.meta.url);
				return manifest ? dirname(manifest) : placeholder;
			});
		if (Array.isArray(item)) return item.map(expand);
		if (typeof item !== "object" || item === null) return item;
		return Object.fromEntries(Object.entries(item).map(([key, field]) => [key, expand(field)]));
	};
	return expand(value) as Value;
}
