import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { namesIn, realPathOf, stampOf, statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { anyManifest, readText } from "../util/read-file.ts";
import { directoriesUp } from "./directories.ts";
import { readToml, stringOf, tableAt } from "./manifests/toml.ts";

/** Found without running a program. */
export interface PythonEnvironment {
	readonly directory: string;
	/** Undefined if the link is broken. */
	readonly interpreter: string | undefined;
	readonly packages: readonly string[];
	/** A repository may have brought it. */
	readonly brought: boolean;
	readonly stamp: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

const windows = process.platform === "win32";

/**
 * The first of:
 * 1. `UV_PROJECT_ENVIRONMENT`, relative to the root;
 * 2. `.venv` and `venv` up to the workspace, like uv: an activated one is often another project's;
 * 3. `VIRTUAL_ENV`;
 * 4. poetry's;
 * 5. `CONDA_PREFIX`.
 */
export async function pythonEnvironment(
	root: string,
	workspace: string,
	env: Variables,
): Promise<PythonEnvironment | undefined> {
	const { UV_PROJECT_ENVIRONMENT: uv, VIRTUAL_ENV: active, CONDA_PREFIX: conda } = env;
	if (uv) {
		const found = await environmentAt(resolve(root, uv), workspace);
		if (found) return found;
	}
	for (const at of directoriesUp(root, workspace))
		for (const name of [".venv", "venv"]) {
			const found = await environmentAt(join(at, name), workspace);
			if (found) return found;
		}
	for (const directory of [active, ...(await poetryEnvironments(root, env)), conda]) {
		const found = directory ? await environmentAt(resolve(root, directory), workspace) : undefined;
		if (found) return found;
	}
	return undefined;
}

async function environmentAt(directory: string, workspace: string): Promise<PythonEnvironment | undefined> {
	const mark = (await stampOf(join(directory, "pyvenv.cfg"))) ?? (await stampOf(join(directory, "conda-meta")));
	if (mark === undefined) return undefined;
	const python = join(directory, windows ? "Scripts/python.exe" : "bin/python");
	const [packages, interpreter, real] = await Promise.all([
		packagesOf(directory),
		statOf(python),
		realPathOf(directory),
	]);
	const stamps = await Promise.all(packages.map((path) => stampOf(path)));
	const brought = isInside(directory, workspace) || isInside(real ?? directory, workspace);
	return {
		directory,
		interpreter: interpreter?.isFile() ? python : undefined,
		packages,
		brought: brought || isInside((await realPathOf(python)) ?? directory, workspace),
		stamp: JSON.stringify([directory, mark, interpreter !== undefined, packages, stamps]),
	};
}

export async function packagesOf(directory: string, folders: readonly string[] = ["site-packages"]): Promise<string[]> {
	if (windows) return [join(directory, "Lib/site-packages")];
	const names = (await namesIn(join(directory, "lib"))) ?? [];
	const pythons = names.filter((name) => /^(python|pypy)3/.test(name)).sort();
	const candidates = pythons.flatMap((name) => folders.map((folder) => join(directory, "lib", name, folder)));
	const found = await Promise.all(candidates.map((path) => statOf(path)));
	return candidates.filter((_, index) => found[index]?.isDirectory());
}

/** `<project>-<hash of its directory>-py<version>` (`EnvManager.generate_env_name`). */
async function poetryEnvironments(root: string, env: Variables): Promise<string[]> {
	const text = await readText(join(root, "pyproject.toml"), anyManifest);
	if (!text?.includes("[tool.poetry") && !(await statOf(join(root, "poetry.lock")))) return [];
	const toml = readToml(text ?? "");
	const project =
		stringOf(tableAt(toml, "project").name) ?? stringOf(tableAt(toml, "tool", "poetry").name) ?? "non-package-mode";
	const home = env.HOME || homedir();
	const caches =
		process.platform === "darwin" ? join(home, "Library/Caches") : env.XDG_CACHE_HOME || join(home, ".cache");
	const cache = env.POETRY_CACHE_DIR || join(caches, "pypoetry");
	const folder = env.POETRY_VIRTUALENVS_PATH || join(cache, "virtualenvs");
	const name = project
		.toLowerCase()
		.replace(/[ $`!*@"\\\r\n\t]/g, "_")
		.slice(0, 42);
	const hash = createHash("sha256").update(root).digest("base64url").slice(0, 8);
	const names = (await namesIn(folder)) ?? [];
	return names
		.filter((entry) => entry.startsWith(`${name}-${hash}-py`))
		.sort()
		.reverse()
		.map((entry) => join(folder, entry));
}
