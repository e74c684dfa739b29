import { join } from "node:path";
import { attempt } from "../util/attempt.ts";
import { namesIn, statOf } from "../util/files.ts";
import { readText } from "../util/read-file.ts";
import { type Failure, maxFailures, type TestCounts } from "./output/failure.ts";
import { jestReport } from "./output/jest.ts";
import { junitReport } from "./output/junit.ts";
import { placeOfTest } from "./output/place-of-test.ts";
import type { ReportForm } from "./tool.ts";

const reading = { maxBytes: 64 * 1024 * 1024, within: "anywhere" } as const;
const maxModules = 500;

export interface Reported {
	readonly failures: readonly Failure[];
	readonly counts: TestCounts;
}

export async function readReports(report: ReportForm, directory: string, since: number): Promise<Reported | undefined> {
	if ("below" in report)
		return joined(await Promise.all((await newReports(directory, report.below, since)).map(junit)));
	const text = await readText(report.file, reading);
	if (text === undefined) return undefined;
	return report.form === "jest" ? jest(text) : junit(text);

	async function junit(xml: string): Promise<Reported> {
		const { failed, counts } = junitReport(xml);
		return { failures: await Promise.all(failed.map((test) => placeOfTest(test, directory))), counts };
	}
}

function jest(text: string): Reported | undefined {
	return attempt(() => jestReport(text));
}

/** Modules have folders, up to two levels below. */
async function newReports(directory: string, below: string, since: number): Promise<string[]> {
	const near = await subdirectories([directory]);
	const modules = [directory, ...near, ...(await subdirectories(near))];
	const texts: string[] = [];
	for (const folder of modules.map((module) => join(module, below)))
		for (const name of (await namesIn(folder)) ?? []) {
			const path = join(folder, name);
			const info = name.endsWith(".xml") ? await statOf(path) : undefined;
			if (!info || Number(info.mtimeMs) < since) continue;
			const text = await readText(path, reading);
			if (text !== undefined) texts.push(text);
		}
	return texts;
}

async function subdirectories(directories: readonly string[]): Promise<string[]> {
	const found: string[] = [];
	for (const directory of directories)
		for (const name of (await namesIn(directory)) ?? []) {
			if (name.startsWith(".") || name === "node_modules" || found.length >= maxModules) continue;
			const path = join(directory, name);
			if ((await statOf(path))?.isDirectory()) found.push(path);
		}
	return found;
}

function joined(reports: readonly Reported[]): Reported | undefined {
	if (reports.length === 0) return undefined;
	const sum = (key: keyof TestCounts) => reports.reduce((all, { counts }) => all + counts[key], 0);
	return {
		failures: reports.flatMap(({ failures }) => failures).slice(0, maxFailures),
		counts: { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") },
	};
}
