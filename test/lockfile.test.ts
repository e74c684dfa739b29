import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "./support/repository.ts";

interface Locked {
	readonly resolved?: string;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(REPOSITORY, "package-lock.json"), "utf8")) as {
	readonly packages: Readonly<Record<string, Locked>>;
};

// npm silently leaves packages that it cannot get for another platform out of the lockfile, and `npm ci` then refuses
// the file.
test("the lockfile has the packages of every platform", () => {
	const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
		Object.keys({ ...dependencies, ...optionalDependencies })
			.filter((name) => !directories(path).some((directory) => `${directory}node_modules/${name}` in packages))
			.map((name) => `${path}: ${name}`),
	);
	expect(missing).toEqual([]);
});

test("the lockfile names no address but the public registry's", () => {
	const addresses = Object.values(packages).flatMap(({ resolved }) => resolved ?? []);
	expect(addresses.filter((address) => !address.startsWith("https://registry.npmjs.org/"))).toEqual([]);
});

/** The folders in which Node searches for the dependencies of the package at `path`: inside of it, then outwards. */
function directories(path: string): readonly string[] {
	if (path === "") return [""];
	const outer = path.slice(0, path.lastIndexOf("node_modules/"));
	return [`${path}/`, ...directories(outer.replace(/\/$/, ""))];
}
