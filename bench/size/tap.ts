import { readFileSync } from "node:fs";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { codeOf } from "../truth/errors.ts";

/** A report as the daemon sent it to pi, untruncated, and when. */
export interface Handed {
	readonly at: number;
	readonly report: CheckReport;
}

/** All recorded reports since a moment on the machine's clock. */
export function handedSince(file: string, since: number): Handed[] {
	const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
	return lines.flatMap((line) => {
		const at = Number(line.slice(0, line.indexOf(" ")));
		if (at < since) return [];
		return reportsIn(JSON.parse(line.slice(line.indexOf(" ") + 1))).map((report) => ({ at, report }));
	});
}

/** The reports anywhere in a message. */
function reportsIn(value: unknown): CheckReport[] {
	if (typeof value !== "object" || value === null) return [];
	if (Array.isArray(value)) return value.flatMap(reportsIn);
	const { files, servers } = value as Partial<CheckReport>;
	if (Array.isArray(files) && Array.isArray(servers)) return [value as CheckReport];
	return Object.values(value).flatMap(reportsIn);
}

/** The errors that reports mark as new, by file; files with errors that were reported before are in each report again. */
export function newErrorsIn(handed: readonly Handed[], withCodes: boolean): Map<string, Set<string>> {
	const errors = new Map<string, Set<string>>();
	for (const { report } of handed)
		for (const { path, diagnostics } of report.files)
			for (const { line, code = "", severity, message, new: isNew } of diagnostics) {
				// clangd repeats an error of a header where it is included; compilers report it only in the header.
				if (severity !== "error" || isNew === false || message.startsWith("In included file:")) continue;
				const known = errors.get(path) ?? new Set();
				errors.set(path, known.add(`${line} ${withCodes ? codeOf(code) : ""}`));
			}
	return errors;
}
