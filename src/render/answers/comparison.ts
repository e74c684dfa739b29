import type { CheckReport } from "../../contract/check-report.ts";
import { unprovenText, unsearchedText } from "../check/diagnostics.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

const maxErrors = 3;

type Judgement = CheckReport & { readonly new: number; readonly fixed: number; readonly netDelta: number };

/** `2: 0 new, 1 mended, net -1` per candidate, with its first errors. */
export function comparisonText({
	candidates,
	best,
}: {
	readonly candidates: readonly {
		readonly candidate: number;
		readonly judgement?: Judgement;
		readonly error?: { readonly code: string; readonly message: string };
	}[];
	readonly best?: number;
}): string {
	const lines = candidates.flatMap(({ candidate, judgement, error }) => {
		if (error) return [`${candidate}: refused: ${error.code}: ${oneLine(error.message)}`];
		return judgement ? judgementLines(candidate, judgement) : [];
	});
	return [
		...lines,
		best === undefined ? "None is proven. Nothing was written." : `Best: ${best}. Nothing was written.`,
	].join("\n");
}

function judgementLines(candidate: number, judgement: Judgement): string[] {
	const { new: caused, fixed, netDelta, files, omitted } = judgement;
	const errors = files.flatMap(({ path, diagnostics }) =>
		diagnostics
			.filter((each) => each.severity === "error" && each.new !== false)
			.map(({ line, column, message }) => `  ${oneLine(path)} [${line}:${column}] ${oneLine(message)}`),
	);
	const unproven = unprovenText({ ...judgement, files: files.filter(({ state }) => state !== "unsupported") });
	return [
		`${candidate}: ${caused} new, ${fixed} mended, net ${netDelta > 0 ? "+" : ""}${netDelta}`,
		...errors.slice(0, maxErrors),
		...(errors.length > maxErrors ? [`  and ${count(errors.length - maxErrors, "more error", "more errors")}`] : []),
		...(unproven === undefined ? [] : [`  ${unproven.replaceAll("\n", "\n  ")}`]),
		...(omitted.files > 0 ? [`  ${count(omitted.files, "file was", "files were")} not judged.`] : []),
		...(omitted.unsearched ? [`  ${unsearchedText}`] : []),
	];
}
