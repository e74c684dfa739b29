import { join, relative } from "node:path";
import { anyManifest, readText } from "../../util/read-file.ts";
import { Directories, directoriesUp } from "../directories.ts";
import type { PythonEnvironment } from "../python-environment.ts";
import { readToml, stringsOf, type TomlTable, tableAt } from "./toml.ts";

export interface PythonPackages {
	/** Relative to the workspace. */
	readonly manifest: string;
	/** Normalised by PEP 503. */
	readonly declared: readonly string[];
	command(environment: PythonEnvironment | undefined): string;
}

export async function pythonPackages(root: string, workspace: string): Promise<PythonPackages | undefined> {
	const directories = new Directories();
	for (const directory of directoriesUp(root, workspace)) {
		const names = await directories.names(directory);
		for (const { matches, read } of manifests)
			for (const name of [...names].filter((candidate) => matches.test(candidate)).sort()) {
				const text = (await readText(join(directory, name), anyManifest)) ?? "";
				const declared = [...new Set(read(text).map(normalised))].filter((found) => found !== "" && found !== "python");
				if (declared.length === 0) continue;
				const manifest = relative(workspace, join(directory, name));
				return { manifest, declared, command: (found) => commandFor({ directory, names, name, text }, found) };
			}
	}
	return undefined;
}

const manifests: readonly { readonly matches: RegExp; read(text: string): string[] }[] = [
	{ matches: /^pyproject\.toml$/, read: ofPyproject },
	{ matches: /^requirements[\w.-]*\.txt$/, read: (text) => text.split("\n") },
	{
		matches: /^Pipfile$/,
		read: (text) => ["packages", "dev-packages"].flatMap((name) => keysAt(readToml(text), name)),
	},
];

/** PEP 621, PEP 735, uv and poetry. */
function ofPyproject(text: string): string[] {
	const toml = readToml(text);
	const lists = [
		tableAt(toml, "project").dependencies,
		...Object.values(tableAt(toml, "project", "optional-dependencies")),
		...Object.values(tableAt(toml, "dependency-groups")),
		tableAt(toml, "tool", "uv")["dev-dependencies"],
	];
	const poetry = tableAt(toml, "tool", "poetry");
	const groups = tableAt(poetry, "group");
	return [
		...lists.flatMap(stringsOf),
		...keysAt(poetry, "dependencies"),
		...keysAt(poetry, "dev-dependencies"),
		...Object.keys(groups).flatMap((group) => keysAt(groups, group, "dependencies")),
	];
}

function keysAt(table: TomlTable, ...path: readonly string[]): string[] {
	return Object.keys(tableAt(table, ...path));
}

/** Empty for an option or a URL. */
function normalised(requirement: string): string {
	const name = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:$|[[<>=!~;@#\s(,])/.exec(requirement)?.[1] ?? "";
	return name.toLowerCase().replace(/[-_.]+/g, "-");
}

interface Manifest {
	readonly directory: string;
	readonly names: ReadonlySet<string>;
	readonly name: string;
	readonly text: string;
}

function commandFor({ directory, names, name, text }: Manifest, environment: PythonEnvironment | undefined): string {
	if (names.has("uv.lock")) return "uv sync";
	if (names.has("poetry.lock") || text.includes("[tool.poetry")) return "poetry install";
	if (names.has("pdm.lock")) return "pdm install";
	if (name === "Pipfile") return "pipenv install --dev";
	const what = name === "pyproject.toml" ? "-e ." : `-r ${name}`;
	const within = environment && relative(directory, environment.directory);
	const shown = within?.startsWith("..") ? environment?.directory : within;
	return environment ? `${shown}/bin/pip install ${what}` : `python -m venv .venv && .venv/bin/pip install ${what}`;
}

const distributions: Readonly<Record<string, string>> = {
	attr: "attrs",
	bs4: "beautifulsoup4",
	crypto: "pycryptodome",
	cv2: "opencv-python",
	fitz: "pymupdf",
	git: "gitpython",
	mysqldb: "mysqlclient",
	pil: "pillow",
	skimage: "scikit-image",
	sklearn: "scikit-learn",
};

const longestModule = 200;

export function distributionOf(module: string, declared: readonly string[]): string | undefined {
	if (module.length > longestModule) return undefined;
	const parts = module.toLowerCase().split(".");
	for (let length = parts.length; length > 0; length--) {
		const name = parts.slice(0, length).join("-").replace(/[-_]+/g, "-");
		const usual = [name, distributions[name], `py${name}`, `python-${name}`, `${name}-python`, `${name}-binary`];
		const found = declared.find((candidate) => usual.includes(candidate));
		if (found !== undefined) return found;
	}
	return declared.find((candidate) => candidate.startsWith(`${parts[0]}-`));
}
