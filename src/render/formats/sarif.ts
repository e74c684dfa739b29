import type { RelatedLocation } from "../../contract/check-report.ts";
import { stateText } from "../check/diagnostics.ts";
import { oneLine } from "../escape.ts";
import { type Finding, type Format, type FormatContext, findingsIn, ruleOf, shortened } from "./format.ts";

const levels = { error: "error", warning: "warning", info: "note", hint: "note" } as const;

/** SARIF 2.1.0. */
export const sarif: Format = (report, context) => {
	const { fromTop, version } = context;
	const found = findingsIn(report);
	const rules = [...new Set(found.map(({ item }) => ruleOf(item) ?? item.source ?? "pi-lsp"))];
	const unproven = report.files.filter(({ state }) => state !== "fresh");
	const notifications = unproven.map((file) => ({
		level: "error",
		message: { text: shortened(oneLine(stateText(file))) },
		locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(fromTop(file.path)) } } }],
	}));
	const run = {
		tool: {
			driver: { name: "pi-lsp", version, rules: rules.map((id) => ({ id })) },
		},
		columnKind: "utf16CodeUnits",
		invocations: [{ executionSuccessful: unproven.length === 0, toolExecutionNotifications: notifications }],
		results: found.map((finding) => result(finding, rules, context)),
	};
	const $schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
	return JSON.stringify({ $schema, version: "2.1.0", runs: [run] }, null, 2);
};

function result({ file, item }: Finding, rules: readonly string[], { fromTop }: FormatContext) {
	const { line, column, endLine, endColumn, severity, message, related = [] } = item;
	const ruleId = ruleOf(item) ?? item.source ?? "pi-lsp";
	const region = { startLine: line, startColumn: column, endLine, endColumn: Math.max(endColumn, 1) };
	return {
		ruleId,
		ruleIndex: rules.indexOf(ruleId),
		level: levels[severity],
		message: { text: shortened(message) },
		locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(fromTop(file.path)) }, region } }],
		...(item.new === undefined ? {} : { baselineState: item.new ? "new" : "unchanged" }),
		...(related.length > 0 ? { relatedLocations: related.map((each) => relatedLocation(each, fromTop)) } : {}),
	};
}

function relatedLocation({ path, line, message }: RelatedLocation, fromTop: FormatContext["fromTop"]) {
	const region = { startLine: line };
	return { message: { text: message }, physicalLocation: { artifactLocation: { uri: uriOf(fromTop(path)) }, region } };
}

function uriOf(path: string): string {
	const escaped = path
		.toWellFormed()
		.split("/")
		.map((part) => encodeURIComponent(part))
		.join("/");
	return path.startsWith("/") ? `file://${escaped}` : escaped;
}
