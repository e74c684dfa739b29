import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "./languages.ts";

/** The version of a server: its own report, else that of its program's package. */
export function versionOf(reported: string | undefined, program: string | undefined): string | undefined {
	const number = /\d+\.\d[\w.-]*/.exec(reported ?? "")?.[0];
	if (number !== undefined || program === undefined) return number ?? reported;
	const file = findProgram(program);
	return file && (npmVersion(realpathSync(file)) ?? pythonVersion(program, realpathSync(file)));
}

/** The version in the nearest package.json above a file that has one. */
function npmVersion(file: string): string | undefined {
	for (let directory = dirname(file); directory !== dirname(directory); directory = dirname(directory)) {
		const manifest = join(directory, "package.json");
		if (!existsSync(manifest)) continue;
		const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version?: string };
		if (version !== undefined) return version;
	}
	return undefined;
}

/** The version of the package of that name in the environment whose `bin` a program is in. */
function pythonVersion(name: string, file: string): string | undefined {
	const libraries = join(dirname(dirname(file)), "lib");
	const installed = existsSync(libraries) ? readdirSync(libraries) : [];
	const packages = installed.map((python) => join(libraries, python, "site-packages")).filter(existsSync);
	const prefix = `${name.replaceAll("-", "_")}-`;
	const found = packages
		.flatMap((directory) => readdirSync(directory))
		.find((entry) => entry.startsWith(prefix) && entry.endsWith(".dist-info"));
	return found?.slice(prefix.length, -".dist-info".length);
}
