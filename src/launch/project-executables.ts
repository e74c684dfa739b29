import { join } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { isExecutable } from "../process/find-program.ts";
import { directoriesUp } from "../project/directories.ts";
import { anyManifest, readText } from "../util/read-file.ts";
import { type Program, programOfPackage } from "./bundled-programs.ts";

/**
 * The program of a server that a project brings itself, from its root up to the workspace: the package that pi-lsp would
 * bring along, else a program of `node_modules/.bin`. Only to be asked with trust.
 */
export async function broughtProgram(
	config: ServerConfig,
	root: string,
	workspace: string,
): Promise<Program | undefined> {
	const { bundled, typescript, args } = config;
	for (const directory of directoriesUp(root, workspace)) {
		if (bundled) {
			const manifest = join(directory, "node_modules", bundled.package, "package.json");
			const version = await versionOf(manifest);
			if (version !== undefined && (!typescript || bundled.package !== "typescript" || fits(version, typescript))) {
				const program = await programOfPackage(manifest, { script: bundled.script, native: bundled.native });
				return { file: program.file, args: [...program.args, ...args] };
			}
		}
		for (const candidate of [config, ...(config.candidates ?? [])]) {
			// A compiler of another major version would judge the project wrongly.
			if (typescript && candidate.command === "tsc") continue;
			const file = join(directory, "node_modules/.bin", candidate.command);
			if (/^[\w.@-]+$/.test(candidate.command) && (await isExecutable(file))) return { file, args: candidate.args };
		}
	}
	return undefined;
}

/** The directories of the project's own packages for which ours stand in, by the names of ours. */
export async function broughtPackages(root: string, workspace: string): Promise<ReadonlyMap<string, string>> {
	for (const directory of directoriesUp(root, workspace)) {
		const path = join(directory, "node_modules/typescript");
		const version = await versionOf(join(path, "package.json"));
		// Under this name stands the last one that typescript-language-server can work with.
		if (version !== undefined) return new Map(fits(version, { from: 4, to: 6 }) ? [["typescript-5", path]] : []);
	}
	return new Map();
}

async function versionOf(manifest: string): Promise<string | undefined> {
	try {
		const { version } = JSON.parse((await readText(manifest, anyManifest)) ?? "") as { version?: unknown };
		return typeof version === "string" ? version : undefined;
	} catch {
		return undefined;
	}
}

function fits(version: string, { from, to = Number.POSITIVE_INFINITY }: { from: number; to?: number }): boolean {
	const major = Number.parseInt(version, 10);
	return major >= from && major <= to;
}
