import type { CheckReport, Diagnostic, FileReport } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { fileBlock, type LineBudget } from "./file-block.ts";
import { kindsOf } from "./severity-words.ts";

function isOld({ new: isNew, earlier }: Diagnostic): boolean {
	return isNew === false && !earlier;
}

export function withoutOld(file: FileReport): FileReport {
	return { ...file, diagnostics: file.diagnostics.filter((item) => !isOld(item)) };
}

export function oldPart({ files }: CheckReport, budget: LineBudget): string[] {
	const old = files
		.map((file) => ({ ...file, diagnostics: file.diagnostics.filter(isOld) }))
		.filter(({ diagnostics }) => diagnostics.length > 0);
	if (old.length === 0) return [];
	const kinds = kindsOf(old.flatMap(({ diagnostics }) => diagnostics));
	const blocks: string[] = [];
	for (const file of old) {
		if (budget.lines <= 0) break;
		blocks.push(fileBlock(file, budget));
	}
	const cut = old.length - blocks.length;
	return [
		`LSP ${kinds} that were there before, ${count(old.length, "file", "files")}:`,
		...blocks,
		...(cut > 0 ? [`... and ${count(cut, "more file", "more files")} with ${kinds}`] : []),
	];
}
