import { readFileSync } from "node:fs";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { codeOf } from "../truth/errors.ts";

/** A report as the daemon handed it to pi, uncapped, and when. */
export interface Handed {
	readonly at: number;
	readonly report: CheckReport;
}

/** All reports that a pi's tap has left since a moment on the machine's clock. */
export function handedSince(file: string, since: number): Handed[] {
	const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
	return lines.flatMap((line) => {
		const at = Number(line.slice(0, line.indexOf(" ")));
		if (at < since) return [];
		return reportsIn(JSON.parse(line.slice(line.indexOf(" ") + 1))).map((report) => ({ at, report }));
	});
}

/** The reports within a message, wherever they stand. */
function reportsIn(value: unknown): CheckReport[] {
	if (typeof value !== "object" || value === null) return [];
	if (Array.isArray(value)) return value.flatMap(reportsIn);
	const { files, servers } = value as Partial<CheckReport>;
	if (Array.isArray(files) && Array.isArray(servers)) return [value as CheckReport];
	return Object.values(value).flatMap(reportsIn);
}

/** The errors that reports call new, by file; those of files whose errors were told before are in each report anew. */
export function newErrorsIn(handed: readonly Handed[], withCodes: boolean): Map<string, Set<string>> {
	const errors = new Map<string, Set<string>>();
	for (const { report } of handed)
		for (const { path, diagnostics } of report.files)
			for (const { line, code = "", severity, message, new: isNew } of diagnostics) {
				// clangd tells an error of a header once more where it is included; compilers tell it in the header only.
				if (severity !== "error" || isNew === false || message.startsWith("In included file:")) continue;
				const known = errors.get(path) ?? new Set();
				errors.set(path, known.add(`${line} ${withCodes ? codeOf(code) : ""}`));
			}
	return errors;
}
