import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { CheckReport, Diagnostic } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import { leftOutFiles } from "../../project/git.ts";
import { count } from "../../render/count.ts";
import { oneLine } from "../../render/escape.ts";
import { ruleOf } from "../../render/formats/format.ts";
import { statOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";
import { anySource, readText } from "../../util/read-file.ts";
import type { Places } from "./check-report.ts";

export interface Known {
	readonly path: string;
	readonly rule: string;
	readonly message: string;
	readonly count: number;
}

/** Linux has no longer ones. */
const maxPathLength = 4096;

type Paths = Pick<Places, "top" | "fromTop">;

interface Compared {
	readonly report: CheckReport;
	readonly known: number;
	readonly gone: number;
}

/** Undefined without a file. Rejects with LSP_CONFIG_INVALID. */
export async function readBaseline(file: string): Promise<readonly Known[] | undefined> {
	const text = await readText(file, anySource);
	if (text === undefined) return undefined;
	try {
		const { version, findings } = JSON.parse(text) as { readonly version?: unknown; readonly findings?: unknown };
		if (version === 1 && Array.isArray(findings) && findings.every(isKnown)) return findings;
	} catch {
		// The error follows below.
	}
	throw new LspError("LSP_CONFIG_INVALID", `${file} is no baseline file.`, {
		suggestion: "`pi-lsp check --write-baseline` writes one.",
	});
}

export async function withoutKnown(
	file: string,
	report: CheckReport,
	baseline: readonly Known[],
	places: Paths,
): Promise<Compared> {
	const left = new Map(baseline.map((entry) => [findingKey(entry), entry.count]));
	let known = 0;
	const files = report.files.map((file) => {
		const diagnostics = file.diagnostics.filter((item) => {
			const key = findingKey(knownOf(places.fromTop(file.path), item));
			const more = left.get(key) ?? 0;
			if (more > 0) left.set(key, more - 1);
			return more === 0;
		});
		const leftOut = file.diagnostics.length - diagnostics.length;
		known += leftOut;
		if (leftOut === 0) return file;
		const why = `apart from ${count(leftOut, "finding", "findings")} of the baseline`;
		return { ...file, diagnostics, reason: file.reason === undefined ? why : `${file.reason}; ${why}` };
	});
	const proven = await provenPaths(file, report, baseline, places);
	const gone = baseline.reduce(
		(sum, entry) => sum + (proven.has(entry.path) ? (left.get(findingKey(entry)) ?? 0) : 0),
		0,
	);
	return { report: { ...report, files }, known, gone };
}

/** Keeps those of unproven files. Returns the number of findings. */
export async function writeBaseline(
	file: string,
	report: CheckReport,
	before: readonly Known[],
	places: Paths,
): Promise<number> {
	const proven = await provenPaths(file, report, before, places);
	const found = new Map<string, Known>();
	for (const { path, state, diagnostics } of report.files)
		for (const item of state === "fresh" ? diagnostics : []) {
			const entry = knownOf(places.fromTop(path), item);
			const key = findingKey(entry);
			found.set(key, { ...entry, count: (found.get(key)?.count ?? 0) + 1 });
		}
	const all = [...before.filter(({ path }) => !proven.has(path)), ...found.values()];
	const findings = all.sort((a, b) => (findingKey(a) < findingKey(b) ? -1 : 1));
	writeFileSync(file, `${JSON.stringify({ version: 1, findings }, null, "\t")}\n`);
	return findings.reduce((sum, { count }) => sum + count, 0);
}

/** A file that is gone has no findings. The paths of a baseline outside of `top` may lead elsewhere. */
async function provenPaths(
	file: string,
	{ files }: CheckReport,
	baseline: readonly Known[],
	{ top, fromTop }: Paths,
): Promise<Set<string>> {
	const proven = new Set(files.filter(({ state }) => state === "fresh").map(({ path }) => fromTop(path)));
	if (!isInside(resolve(file), top)) return proven;
	const others = new Set(baseline.map(({ path }) => path).filter((path) => !proven.has(path)));
	const absent: string[] = [];
	for (const path of others) if (path.length > maxPathLength || !(await statOf(resolve(top, path)))) absent.push(path);
	if (absent.length === 0) return proven;
	const { signal } = new AbortController();
	const leftOut = await leftOutFiles(top, { workspace: top, env: process.env, signal });
	for (const path of absent) if (!leftOut.has(path)) proven.add(path);
	return proven;
}

function knownOf(path: string, item: Diagnostic): Known {
	return { path, rule: ruleOf(item) ?? item.source ?? "", message: oneLine(item.message), count: 1 };
}

function findingKey({ path, rule, message }: Known): string {
	return JSON.stringify([path, rule, message]);
}

function isKnown(value: unknown): value is Known {
	const { path, rule, message, count } = (value ?? {}) as Partial<Known>;
	return [path, rule, message].every((each) => typeof each === "string") && Number.isInteger(count);
}
