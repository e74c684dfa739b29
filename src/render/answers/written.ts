import { type CheckReport, namesAllFiles } from "../../contract/check-report.ts";
import type { Written } from "../../contract/planned.ts";
import { editBlock, unprovenText, unsearchedText } from "../check/diagnostics.ts";
import { count } from "../count.ts";

const maxDiffLines = 40;
const maxPaths = 10;

export function writtenText(headline: string, { written, diff, undo, check, notes = [], planned }: Written): string {
	const paths = written.length > 0 ? written : (planned?.files ?? []);
	const isDry = written.length === 0;
	return [
		isDry && paths.length === 0 ? "There is nothing to change." : `${isDry ? "would be " : ""}${headline}`,
		...(paths.length > 0 ? [pathsLine(paths)] : []),
		...notes,
		...diffLines(diff),
		...(isDry && paths.length > 0 ? ["Nothing was written."] : []),
		...(check ? checkLines(check) : []),
		...(undo === undefined ? [] : [`undo: ${undo}`]),
	].join("\n");
}

export function undoListText(
	changes: readonly {
		readonly id: string;
		readonly title: string;
		readonly files: number;
		readonly undone?: boolean;
	}[],
): string {
	if (changes.length === 0) return "Nothing was changed here that could be taken back.";
	return changes
		.map(
			({ id, title, files, undone }) =>
				`${id}  ${title} · ${count(files, "file", "files")}${undone ? " (taken back)" : ""}`,
		)
		.join("\n");
}

function pathsLine(paths: readonly string[]): string {
	const more = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : "";
	return `${count(paths.length, "file", "files")}: ${paths.slice(0, maxPaths).join(", ")}${more}`;
}

function diffLines(diff: string): string[] {
	const lines = diff.trimEnd().split("\n");
	if (diff === "") return [];
	if (lines.length <= maxDiffLines) return lines;
	return [...lines.slice(0, maxDiffLines), `... and ${lines.length - maxDiffLines} more lines of the diff`];
}

function checkLines(check: CheckReport): string[] {
	const files = check.files.map((file) => ({
		...file,
		diagnostics: file.diagnostics.filter((item) => item.new !== false),
	}));
	const broken = editBlock({ ...check, files }, "full", "The change was written.");
	const unproven = unprovenText({ ...check, files: check.files.filter(({ state }) => state !== "unsupported") });
	const unchecked = check.omitted.files;
	const isAllFresh = broken === undefined && unproven === undefined && namesAllFiles(check);
	const old = check.files.reduce((sum, file) => sum + file.diagnostics.filter((item) => item.new === false).length, 0);
	const before =
		old > 0 ? `; ${count(old, "error", "errors")} from before ${old === 1 ? "is" : "are"} still there` : "";
	return [
		...(broken === undefined ? [] : [broken]),
		...(unproven === undefined ? [] : [unproven]),
		...(unchecked > 0 ? [`${count(unchecked, "more file was", "more files were")} not checked.`] : []),
		...(check.omitted.unsearched ? [unsearchedText] : []),
		...(isAllFresh
			? [check.files.length > 0 ? `Checked: nothing new is wrong${before}.` : "Nothing judges these files."]
			: []),
	];
}
