import { type CheckReport, namesAllFiles } from "../../contract/check-report.ts";
import { unprovenText, unsearchedText, unwrittenText } from "../check/diagnostics.ts";
import { count } from "../count.ts";

export function judgementText(
	report: CheckReport & { readonly new: number; readonly fixed: number; readonly netDelta: number },
): string {
	const { new: caused, fixed, netDelta, omitted } = report;
	const net = `${netDelta > 0 ? "+" : ""}${netDelta}`;
	const counts = [
		...(caused > 0 ? [`would cause ${count(caused, "error", "errors")}`] : []),
		...(fixed > 0 ? [`would mend ${fixed}`] : []),
	];
	const unproven = unprovenText({ ...report, files: report.files.filter(({ state }) => state !== "unsupported") });
	const isKnown = unproven === undefined && namesAllFiles(report);
	const verdict = counts.length > 0 ? `It ${counts.join(" and ")} (net ${net}).` : isKnown ? cleanVerdict(report) : "";
	return [
		unwrittenText(report, `Nothing was written. ${verdict}`.trim()),
		...(unproven === undefined ? [] : [unproven]),
		...(omitted.files > 0
			? [`${count(omitted.files, "file that may see it was", "files that may see it were")} not judged.`]
			: []),
		...(omitted.unsearched ? [unsearchedText] : []),
	].join("\n");
}

function cleanVerdict({ files }: CheckReport): string {
	if (files.length === 0) return "It would change nothing.";
	return files.some(({ state }) => state === "fresh") ? "It would break nothing." : "Nothing judges these files.";
}
