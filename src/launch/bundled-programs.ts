import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { BundledProgram } from "../../server.ts";
import { isExecutable } from "../process/find-program.ts";

/** The command line of a program among our own dependencies, or undefined where it is not installed. */
export function bundledProgram(program: BundledProgram): Promise<Program | undefined> {
	const known = bundledPrograms.get(program) ?? findBundled(program);
	bundledPrograms.set(program, known);
	return known;
}

/** A program and all that it is started with. */
export interface Program {
	readonly file: string;
	readonly args: readonly string[];
}

/** What was installed with us does not change while we run. */
const bundledPrograms = new Map<BundledProgram, Promise<Program | undefined>>();

async function findBundled({ package: name, script, native }: BundledProgram): Promise<Program | undefined> {
	const manifest = resolveManifest(name, import.meta.url);
	return manifest ? programOfPackage(manifest, { script, native }) : undefined;
}

/** What is run of an installed package, by the path of its package.json. */
export async function programOfPackage(
	manifest: string,
	{ script, native }: Pick<BundledProgram, "script"> & { readonly native: BundledProgram["native"] },
): Promise<Program> {
	if (native) {
		// Straight to the executable: through the package's own script a Node process would wait beside it (80 ms, 40 MB).
		const platform = native.package.replace("{platform}", process.platform).replace("{arch}", process.arch);
		const platformManifest = resolveManifest(platform, manifest);
		const file = platformManifest && join(dirname(platformManifest), native.file);
		if (file && (await isExecutable(file))) return { file, args: [] };
	}
	return { file: process.execPath, args: [join(dirname(manifest), script)] };
}

function resolveManifest(name: string, from: string): string | undefined {
	try {
		return createRequire(from).resolve(`${name}/package.json`);
	} catch {
		return undefined;
	}
}

/**
 * A value with the beginnings of its strings replaced: `{package:NAME}` by the directory of that dependency of ours,
 * `{root}` by the root of the project. `own` has the project's own packages, which count before ours.
 */
export function expandPlaces<Value>(value: Value, root: string, own: ReadonlyMap<string, string> = new Map()): Value {
	return expand(value, root, own) as Value;
}

function expand(value: unknown, root: string, own: ReadonlyMap<string, string>): unknown {
	if (typeof value === "string")
		return value.replace(/^\{(?:package:([^}]+)|root)\}/, (whole, name: string | undefined) => {
			if (name === undefined) return root;
			const brought = own.get(name);
			if (brought !== undefined) return brought;
			const manifest = resolveManifest(name, import.meta.url);
			return manifest ? dirname(manifest) : whole;
		});
	if (Array.isArray(value)) return value.map((item) => expand(item, root, own));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, root, own)]));
}
