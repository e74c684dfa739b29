import type { CheckReport, Diagnostic, FileReport } from "../../contract/check-report.ts";
import { fileBlocks, type LineBudget } from "./file-block.ts";

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
	return fileBlocks("that were there before", old, budget);
}
