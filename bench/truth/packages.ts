import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../test/support/repository.ts";
import type { Files } from "../../test/support/workspace.ts";
import { cached, goModuleDirectory, unpackNpm, unpackWheel, vendorCrates } from "../registries.ts";

const folder = join(REPOSITORY, "node_modules/.cache/pi-lsp/truth");

/** The wanted files of a package from npm's registry, by path in the package; fetched once. */
export function npmPackage(name: string, version: string, isWanted: (path: string) => boolean): Files {
	const directory = cached(`npm-${name}-${version}`, (into) => unpackNpm(into, `${name}@${version}`), folder);
	return textsOf(directory, isWanted);
}

/** The wanted files of a package from PyPI, by path in its wheel; fetched once. */
export function pythonPackage(name: string, version: string, isWanted: (path: string) => boolean): Files {
	const directory = cached(`pypi-${name}-${version}`, (into) => unpackWheel(into, `${name}==${version}`), folder);
	return textsOf(directory, isWanted);
}

/** The wanted files of a module from Go's proxy, by path in the module. */
export function goModule(name: string, version: string, isWanted: (path: string) => boolean): Files {
	return textsOf(goModuleDirectory(`${name}@${version}`), isWanted);
}

/** The wanted files of a crate from crates.io, by path in the crate; fetched once. */
export function rustCrate(name: string, version: string, isWanted: (path: string) => boolean): Files {
	const directory = cached(`crate-${name}-${version}`, (into) => vendorCrates(into, { [name]: version }), folder);
	return textsOf(join(directory, "vendor", name), isWanted);
}

function textsOf(directory: string, isWanted: (path: string) => boolean): Files {
	const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(isWanted).sort();
	return Object.fromEntries(paths.map((path) => [path, readFileSync(join(directory, path), "utf8")]));
}
