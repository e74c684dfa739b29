import { stateText } from "../check/diagnostics.ts";
import { passedLines } from "../check/passed-over.ts";
import { oneLine } from "../escape.ts";
import { type Format, findingsIn, shownMessage, shownPath, summaryLine } from "./format.ts";

export const concise: Format = (report, context) =>
	[
		...findingsIn(report).map(
			({ file, item }) =>
				`${shownPath(file.path)}:${item.line}:${item.column}: ${item.severity}: ${shownMessage(item)}`,
		),
		...report.files
			.filter(({ state }) => state !== "fresh")
			.map((file) => oneLine(stateText({ ...file, path: shownPath(file.path) }))),
		...passedLines(report),
		summaryLine(report, context),
	].join("\n");
