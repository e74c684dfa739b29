import { dirname, isAbsolute, join, resolve } from "node:path";
import { JsonMistake, readJson } from "../../config/json-reader.ts";
import { type Directories, directoriesUp } from "../../project/directories.ts";
import { isObject } from "../../util/objects.ts";
import { anyManifest, readText } from "../../util/read-file.ts";

export interface TypescriptConfig {
	readonly path: string;
	readonly text: string;
}

const maxExtended = 10;

export async function nearestTypescriptConfig(
	file: string,
	root: string,
	directories: Directories,
): Promise<TypescriptConfig | undefined> {
	for (const directory of directoriesUp(dirname(file), root))
		for (const name of ["tsconfig.json", "jsconfig.json"]) {
			const text = await directories.text(directory, name);
			if (text !== undefined) return { path: join(directory, name), text };
		}
	return undefined;
}

/** With those it extends by path; packages know nothing of the tree. */
export async function compilerOptionsOf(
	{ path, text }: TypescriptConfig,
	read: Set<string> = new Set([path]),
): Promise<Readonly<Record<string, unknown>>> {
	const config = objectIn(text);
	const { extends: bases, compilerOptions } = config;
	const inherited: Record<string, unknown> = {};
	for (const base of Array.isArray(bases) ? bases : [bases]) {
		if (typeof base !== "string" || !(base.startsWith(".") || isAbsolute(base))) continue;
		const named = resolve(dirname(path), base);
		if (read.has(named) || read.size > maxExtended) continue;
		read.add(named);
		const found = (await readText(named, anyManifest)) ?? (await readText(`${named}.json`, anyManifest));
		if (found !== undefined) Object.assign(inherited, await compilerOptionsOf({ path: named, text: found }, read));
	}
	return { ...inherited, ...(isObject(compilerOptions) ? compilerOptions : {}) };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
	try {
		const { value } = readJson(text);
		return isObject(value) ? value : {};
	} catch (thrown) {
		if (thrown instanceof JsonMistake) return {};
		throw thrown;
	}
}
