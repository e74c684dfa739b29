import { dirname, join, relative } from "node:path";
import type { Diagnostic } from "../../contract/check-report.ts";
import { directoriesUp } from "../../project/directories.ts";
import { distributionOf, type PythonPackages, pythonPackages } from "../../project/manifests/python-packages.ts";
import { type PythonEnvironment, pythonEnvironment } from "../../project/python-environment.ts";
import { namesIn, statOf } from "../../util/files.ts";
import { anyManifest, readText } from "../../util/read-file.ts";
import { type Fault, type FaultyFile, listed } from "./fault.ts";

interface Wanted {
	readonly found: Diagnostic;
	readonly module: string;
	readonly distribution: string;
}

export async function missingModules(file: FaultyFile): Promise<Fault[]> {
	const { workspace, server } = file;
	const { root } = server;
	const project = await pythonPackages(root, workspace);
	const wanted = project ? await wantedModules(file, project) : [];
	if (!project || wanted.length < 2) return [];
	const environment = await pythonEnvironment(root, workspace, server.launch.env);
	if (!environment) return [withoutEnvironment(wanted, project)];
	const held = await Promise.all(wanted.map((one) => isHeld(one, environment)));
	const absent = wanted.filter((_, index) => held[index] === "absent");
	const unread = wanted.filter((_, index) => held[index] === "module");
	const inside = relative(root, environment.directory);
	const place = inside.startsWith("..") ? environment.directory : inside;
	const names = [...new Set(absent.map(({ distribution }) => distribution))];
	const verb = names.length === 1 ? "is" : "are";
	const notThere: Fault = {
		sentence: `${listed(names)} ${verb} in ${project.manifest} and not in ${place}; run \`${project.command(environment)}\`.`,
		caused: absent.map(({ found }) => found),
	};
	const mayRun = (server.settings.python as { pythonPath?: unknown } | undefined)?.pythonPath !== undefined;
	if (mayRun || !(await namesOwnPaths(root, workspace))) return [notThere];
	// The project's `extraPaths` replace ours.
	const notRun: Fault = {
		sentence: `The packages are in ${place}, whose interpreter is not run in a repository that is not trusted. Only a person may allow it: ask them to run \`pi-lsp trust add\`.`,
		caused: unread.map(({ found }) => found),
	};
	return [notThere, notRun];
}

function withoutEnvironment(wanted: readonly Wanted[], { manifest, declared, command }: PythonPackages): Fault {
	const count = `${declared.length} ${declared.length === 1 ? "dependency" : "dependencies"}`;
	return {
		sentence: `No virtual environment was found (.venv, venv, VIRTUAL_ENV): ${manifest} names ${count}; run \`${command(undefined)}\`.`,
		caused: wanted.map(({ found }) => found),
	};
}

async function wantedModules({ path, server, diagnostics }: FaultyFile, project: PythonPackages): Promise<Wanted[]> {
	const { root } = server;
	const own = await Promise.all([root, join(root, "src"), dirname(path)].map((directory) => namesIn(directory)));
	const local = new Set(own.flatMap((names) => names ?? []).map((name) => name.replace(/\.pyi?$/, "")));
	const imported = diagnostics.flatMap((found) => {
		const module =
			/^reportMissing(Imports|ModuleSource)$/.test(found.code ?? "") && /"([\w.]+)"/.exec(found.message)?.[1];
		if (!module || module.startsWith(".") || local.has(topOf(module))) return [];
		const distribution = distributionOf(module, project.declared);
		return distribution === undefined ? [] : [{ found, module, distribution }];
	});
	const following = diagnostics.flatMap((found) => {
		const module = found.code === "reportAttributeAccessIssue" && /of module "([\w.]+)"/.exec(found.message)?.[1];
		const cause = module && imported.find((one) => topOf(one.module) === topOf(module));
		return cause ? [{ ...cause, found }] : [];
	});
	return [...imported, ...following];
}

function topOf(module: string): string {
	return module.split(".")[0] ?? module;
}

/** `distribution`: its files are elsewhere. */
async function isHeld(
	{ module, distribution }: Wanted,
	{ packages }: PythonEnvironment,
): Promise<"module" | "distribution" | "absent"> {
	for (const directory of packages) {
		const path = join(directory, ...module.split("."));
		const infos = await Promise.all([path, `${path}.py`, `${path}.pyi`].map((candidate) => statOf(candidate)));
		if (infos.some((info) => info !== undefined)) return "module";
		const names = (await namesIn(directory)) ?? [];
		const isInfo = (name: string) =>
			name
				.toLowerCase()
				.replace(/[-_.]+/g, "-")
				.startsWith(`${distribution}-`);
		if (names.some((name) => /\.(dist|egg)-info$/.test(name) && isInfo(name))) return "distribution";
	}
	return "absent";
}

/** pyright's settings at the root or above name module directories. */
export async function namesOwnPaths(root: string, workspace: string): Promise<boolean> {
	const files = directoriesUp(root, workspace).flatMap((directory) =>
		["pyrightconfig.json", "pyproject.toml"].map((name) => readText(join(directory, name), anyManifest)),
	);
	return (await Promise.all(files)).some((text) => text?.includes("extraPaths"));
}
