import { readFileSync } from "node:fs";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { codeOf } from "../truth/errors.ts";

/** All recorded reports, which are untruncated, since a moment on the machine's clock. */
export function reportsSince(file: string, since: number): CheckReport[] {
	const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
	return lines.flatMap((line) => {
		const at = line.indexOf(" ");
		return Number(line.slice(0, at)) < since ? [] : reportsIn(JSON.parse(line.slice(at + 1)));
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
export function newErrorsIn(reports: readonly CheckReport[], withCodes: boolean): Map<string, Set<string>> {
	const errors = new Map<string, Set<string>>();
	for (const { files } of reports)
		for (const { path, diagnostics } of files)
			for (const { line, code = "", severity, message, new: isNew } of diagnostics) {
				// clangd repeats an error of a header where it is included; compilers report it only in the header.
				if (severity !== "error" || isNew === false || message.startsWith("In included file:")) continue;
				const known = errors.get(path) ?? new Set();
				errors.set(path, known.add(`${line} ${withCodes ? codeOf(code) : ""}`));
			}
	return errors;
}
