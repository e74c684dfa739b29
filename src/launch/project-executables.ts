import { join } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { isExecutable } from "../process/find-program.ts";
import { directoriesUp } from "../project/directories.ts";
import { anyManifest, readText } from "../util/read-file.ts";
import { type Program, programOfPackage } from "./bundled-programs.ts";

/** For trusted workspaces only. */
export async function projectProgram(
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
				const program = await programOfPackage(manifest, bundled);
				return { file: program.file, args: [...program.args, ...args] };
			}
		}
		for (const candidate of [config, ...(config.candidates ?? [])]) {
			// Another major version judges the project differently.
			if (typescript && candidate.command === "tsc") continue;
			const file = join(directory, "node_modules/.bin", candidate.command);
			if (/^[\w.@-]+$/.test(candidate.command) && (await isExecutable(file))) return { file, args: candidate.args };
		}
	}
	return undefined;
}

export async function projectPackages(root: string, workspace: string): Promise<ReadonlyMap<string, string>> {
	for (const directory of directoriesUp(root, workspace)) {
		const path = join(directory, "node_modules/typescript");
		const version = await versionOf(join(path, "package.json"));
		// typescript-language-server works with TypeScript 4 to 6.
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
