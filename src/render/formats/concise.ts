import { passedLines } from "../check/passed-over.ts";
import { type Format, findingsIn, shownMessage, shownPath, stateForPerson, summaryLine } from "./format.ts";

export const concise: Format = (report, context) =>
	[
		...findingsIn(report).map(
			({ file, item }) =>
				`${shownPath(file.path)}:${item.line}:${item.column}: ${item.severity}: ${shownMessage(item)}`,
		),
		...report.files
			.filter(({ state }) => state !== "fresh")
			.map((file) => stateForPerson({ ...file, path: shownPath(file.path) })),
		...passedLines(report),
		summaryLine(report, context),
	].join("\n");
