import { basename, dirname, join, sep } from "node:path";
import { type Package, packagesIn } from "../architecture/packages.ts";
import { familyOf } from "../impact/index/sources.ts";
import { ancestors } from "../project/workspace-of.ts";
import { namesIn } from "../util/files.ts";
import { anyManifest, readText } from "../util/read-file.ts";
import { walk } from "../watch/walk.ts";

interface Manifests {
	readonly own: string;
	readonly dependencies: RegExp;
}

const manifestsOf: Readonly<Record<string, Manifests>> = {
	script: { own: "package.json", dependencies: /^package\.json$/ },
	go: { own: "go.mod", dependencies: /^go\.(?:mod|work)$/ },
	rust: { own: "Cargo.toml", dependencies: /^Cargo\.toml$/ },
	python: {
		own: "pyproject.toml",
		dependencies: /^(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile|requirements[\w.-]*\.txt)$/,
	},
};

export interface LibraryPackage extends Pick<Package, "name" | "version" | "directory"> {
	readonly path: string;
}

/** By the nearest manifest of the file's language. */
export async function packageAround(path: string): Promise<LibraryPackage | undefined> {
	const own = manifestsOf[familyOf(path) ?? ""]?.own;
	if (own === undefined) return undefined;
	for (const directory of ancestors(dirname(path), undefined)) {
		const [found] = await packagesIn(directory, [join(directory, own)]);
		if (!found) continue;
		// Go's module cache has it in the directory's name.
		const version = found.version ?? /@(v\d[^/\\]*)$/.exec(directory)?.[1];
		return { name: found.name, ...(version === undefined ? {} : { version }), directory, path };
	}
	return undefined;
}

export interface PackageCopy {
	readonly name: string;
	readonly version?: string;
	/** Absolute. */
	readonly directory: string;
}

/** Undefined unless it is the library under another path. */
export async function copyOf(library: LibraryPackage, path: string): Promise<PackageCopy | undefined> {
	if (familyOf(path) === "python") return installedCopy(library, path);
	const found = await packageAround(path);
	return found?.name === library.name ? found : undefined;
}

/** Python packages are installed without their manifest. */
async function installedCopy(library: LibraryPackage, path: string): Promise<PackageCopy | undefined> {
	const [, site, module = ""] = /^(.*[/\\](?:site|dist)-packages)[/\\](.+)$/.exec(path) ?? [];
	if (site === undefined || !library.path.endsWith(sep + module)) return undefined;
	const [first = module] = module.split(sep);
	const wanted = normalised(library.name);
	const installed = ((await namesIn(site)) ?? []).map((name) => /^(.+)-(\d[^-]*)\.(?:dist|egg)-info$/.exec(name));
	const version = installed.find((parts) => normalised(parts?.[1] ?? "") === wanted)?.[2];
	return { name: library.name, ...(version === undefined ? {} : { version }), directory: join(site, first) };
}

/** PEP 503. */
function normalised(name: string): string {
	return name.toLowerCase().replace(/[-_.]+/g, "-");
}

const maxManifests = 500;

/** Undefined for languages without known manifests. */
export async function isNamedIn(root: string, { name, path }: LibraryPackage): Promise<boolean | undefined> {
	const dependencies = manifestsOf[familyOf(path) ?? ""]?.dependencies;
	if (!dependencies) return undefined;
	const words = name.split(/[-_.]/).map((part) => part.replace(/[^\w]/g, "\\$&"));
	const word = new RegExp(`(?<![\\w@/.-])${words.join("[-_.]")}(?![\\w/-])`, "i");
	let read = 0;
	for await (const { files } of walk(root))
		for (const file of files) {
			if (!dependencies.test(basename(file))) continue;
			if (++read > maxManifests) return undefined;
			if (word.test((await readText(file, anyManifest)) ?? "")) return true;
		}
	return false;
}
