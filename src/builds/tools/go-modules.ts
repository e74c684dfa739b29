import { join } from "node:path";
import { goModulePath, goWorkUses } from "../../project/manifests/go-mod.ts";
import { anyManifest, readText } from "../../util/read-file.ts";

interface GoModule {
	readonly directory: string;
	readonly path: string;
}

export async function goModules(directory: string): Promise<GoModule[]> {
	const own = await moduleAt(directory);
	if (own) return [own];
	const work = (await readText(join(directory, "go.work"), anyManifest)) ?? "";
	return (await Promise.all(goWorkUses(work).map((path) => moduleAt(join(directory, path))))).flatMap(
		(each) => each ?? [],
	);
}

async function moduleAt(directory: string): Promise<GoModule | undefined> {
	const text = await readText(join(directory, "go.mod"), anyManifest);
	const path = goModulePath(text ?? "");
	return path === undefined ? undefined : { directory, path };
}

export async function goDirectories(directory: string): Promise<(importPath: string) => string> {
	const modules = (await goModules(directory)).sort((a, b) => b.path.length - a.path.length);
	return (importPath) => {
		const module = modules.find(({ path }) => importPath === path || importPath.startsWith(`${path}/`));
		return module ? join(module.directory, importPath.slice(module.path.length)) : directory;
	};
}
