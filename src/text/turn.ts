import type { CheckReport, FileReport } from "../findings.ts";
import { editBlock } from "./diagnostics.ts";

/** One report of several edited files: a file that was edited itself is not told once more as one that was affected. */
export function mergeReports(reports: readonly CheckReport[]): CheckReport {
	const files = reports.flatMap((report) => report.files);
	const edited = files.filter(({ role }) => role === "edited");
	const seen = new Set(edited.map(({ path }) => path));
	const affected = files.filter(({ role, path }) => role === "affected" && !seen.has(path) && seen.add(path));
	return {
		files: [...edited, ...affected],
		servers: reports.flatMap(({ servers }) => servers),
		omitted: {
			diagnostics: reports.reduce((sum, { omitted }) => sum + omitted.diagnostics, 0),
			files: reports.reduce((sum, { omitted }) => sum + omitted.files, 0),
		},
	};
}

/** A name for each error that a session caused, the same wherever its line has moved to. */
export function causedErrors({ path, role, diagnostics }: FileReport): string[] {
	const caused = diagnostics.filter((item) => item.new !== false || (role === "edited" && item.earlier));
	return caused.map(({ code, message }) => JSON.stringify([path, code, message]));
}

/** The block for a shell command that changed files; `more` of them were not looked at. */
export function commandText(report: CheckReport, more: number): string | undefined {
	const checked = report.files.filter(({ role }) => role === "edited").length;
	const total = checked + more;
	const counted = `The command changed ${total} ${total === 1 ? "file" : "files"}${more ? `, of which ${checked} were checked` : ""}.`;
	return editBlock(report, "full", counted);
}

/** The one message that makes an agent go on at the end of its turn, or undefined if there is nothing to say. */
export function turnText(report: CheckReport): string | undefined {
	const block = editBlock(report, "full");
	return block && `pi-lsp checked what this turn has changed. ${block}`;
}
