import { isAbsolute, join } from "node:path";
import { statOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";
import type { Failure } from "./failure.ts";
import type { ReportedTest } from "./junit.ts";

/** `PATH:LINE` in traces; Java gives the base name alone. */
const frames = /(?:file:\/\/)?([^\s:()"'<>]{1,300}\.[A-Za-z]{1,4}):(\d+)(?::(\d+))?/g;
const maxText = 20_000;
const sourceFolders = ["src/test/java", "src/test/kotlin", "src/test/groovy"];

/** A line of the test's own file from the trace, else the first of the project, else the test. */
export async function placeOfTest(test: ReportedTest, directory: string): Promise<Failure> {
	const { group, name, message, line } = test;
	const own = await fileOf(test, directory);
	const places: { readonly file: string; readonly line: number; readonly column?: number }[] = [];
	for (const [, path = "", at, column] of test.text.slice(0, maxText).matchAll(frames)) {
		// Java's frames have no directory.
		const file = own?.endsWith(`/${path}`) ? own : isAbsolute(path) ? path : join(directory, path);
		if (!isInside(file, directory) || file.includes("/node_modules/")) continue;
		places.push({ file, line: Number(at), ...(column === undefined ? {} : { column: Number(column) }) });
	}
	const named = own === undefined ? {} : { file: own, ...(line === undefined ? {} : { line: line + 1 }) };
	const place = places.find(({ file }) => file === own) ?? (own === undefined ? places[0] : undefined) ?? named;
	return { ...place, test: fullName(group, name, own), message };
}

async function fileOf({ file, group }: ReportedTest, directory: string): Promise<string | undefined> {
	if (file !== undefined) return isAbsolute(file) ? file : join(directory, file);
	// vitest names the file as the class.
	const isPath = /[/.][cm]?[jt]sx?$/.test(group);
	const path = group.replace(/\$.*/, "").replaceAll(".", "/");
	const candidates = isPath
		? [group]
		: sourceFolders.flatMap((folder) => ["java", "kt", "groovy"].map((end) => `${folder}/${path}.${end}`));
	for (const candidate of group === "" ? [] : candidates) {
		const absolute = isAbsolute(candidate) ? candidate : join(directory, candidate);
		if ((await statOf(absolute))?.isFile()) return absolute;
	}
	return undefined;
}

/** A class belongs to the name, a file does not. */
function fullName(group: string, name: string, own: string | undefined): string {
	if (own === undefined) return group === "" || group === "test" ? name : `${group}.${name}`;
	const isFile = own.endsWith(group) || group === "test" || group === "";
	const type = group.split(".").at(-1) ?? "";
	return isFile || !/^[A-Z]/.test(type) ? name : `${type}.${name}`;
}
