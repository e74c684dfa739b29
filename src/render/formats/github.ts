import { stateText } from "../check/diagnostics.ts";
import { oneLine } from "../escape.ts";
import { type Finding, type Format, type FormatContext, findingsIn, ruleOf, shortened, summaryLine } from "./format.ts";

const kinds = { error: "error", warning: "warning", info: "notice", hint: "notice" } as const;

export const github: Format = (report, context) =>
	[
		...findingsIn(report).map((finding) => annotation(finding, context)),
		...report.files
			.filter(({ state }) => state !== "fresh")
			.map((file) => `::error file=${property(context.fromTop(file.path))}::${data(oneLine(stateText(file)))}`),
		summaryLine(report, context),
	].join("\n");

function annotation({ file, item }: Finding, { fromTop }: FormatContext): string {
	const { line, endLine, column, endColumn, severity, message } = item;
	// GitHub refuses columns over several lines.
	const columns = line === endLine ? [`col=${column}`, `endColumn=${Math.max(endColumn, column)}`] : [];
	const title = property(ruleOf(item) ?? item.source ?? "pi-lsp");
	const where = [`file=${property(fromTop(file.path))}`, `line=${line}`, `endLine=${endLine}`, ...columns];
	return `::${kinds[severity]} ${where.join(",")},title=${title}::${data(message)}`;
}

function data(text: string): string {
	return shortened(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
	return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
