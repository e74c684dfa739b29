import { dirname } from "node:path";
import { Directories } from "./directories.ts";

/** The nearest up to `ceiling`: installed, else in `package.json`. */
export async function typescriptMajor(
	file: string,
	ceiling: string,
	directories: Directories = new Directories(),
): Promise<number | undefined> {
	for (let directory = dirname(file); ; directory = dirname(directory)) {
		const [installed, declared] = await Promise.all([
			directories.json(directory, "node_modules/typescript/package.json"),
			directories.json(directory, "package.json"),
		]);
		const major = majorOf(installed?.version) ?? majorOf(declaredRange(declared));
		if (major !== undefined) return major;
		if (directory === ceiling || directory === dirname(directory)) return undefined;
	}
}

function declaredRange(manifest: Readonly<Record<string, unknown>> | undefined): unknown {
	for (const section of ["devDependencies", "dependencies", "peerDependencies"]) {
		const range = (manifest?.[section] as Record<string, unknown> | undefined)?.typescript;
		if (range !== undefined) return range;
	}
	return undefined;
}

/** "^5.9.3", "npm:typescript@~5.4" or ">=4.7 <6". */
function majorOf(range: unknown): number | undefined {
	if (typeof range !== "string") return undefined;
	// A mere exclusive upper bound means the version below.
	const below = /^\s*<\s*(\d+)(?:\.0)*(?:-\S*)?\s*$/.exec(range);
	if (below) return Number(below[1]) - 1;
	const match = /(?:^|[@\s^~>=v])(\d+)(?:\.|$|\s|x)/.exec(range.replace(/^npm:/, ""));
	return match ? Number(match[1]) : undefined;
}
