import type { Diagnostic, FileReport } from "../../contract/check-report.ts";
import { stateText } from "../check/diagnostics.ts";
import { controls, escapeMarkup, oneLine } from "../escape.ts";
import { type Format, type FormatContext, ruleOf, shortened } from "./format.ts";

export const junit: Format = (report, context) => {
	const suites = report.files.map((file) => suite(file, context));
	const sum = (name: "tests" | "failures" | "errors") => suites.reduce((all, each) => all + each[name], 0);
	const time = (context.ms / 1000).toFixed(3);
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites name="pi-lsp" tests="${sum("tests")}" failures="${sum("failures")}" errors="${sum("errors")}" time="${time}">`,
		...suites.map(({ text }) => text),
		"</testsuites>",
	].join("\n");
};

function suite(file: FileReport, { fromTop }: FormatContext) {
	const path = attribute(fromTop(file.path));
	const isUnproven = file.state !== "fresh";
	const cases = file.diagnostics.map((item) => failure(item, path));
	if (isUnproven)
		cases.push(
			`    <testcase name="proof" classname="${path}"><error message="${attribute(oneLine(stateText(file)))}"/></testcase>`,
		);
	const failures = file.diagnostics.length;
	if (cases.length === 0) cases.push(`    <testcase name="clean" classname="${path}"/>`);
	const counts = `tests="${cases.length}" failures="${failures}" errors="${isUnproven ? 1 : 0}"`;
	return {
		tests: cases.length,
		failures,
		errors: isUnproven ? 1 : 0,
		text: [`  <testsuite name="${path}" ${counts}>`, ...cases, "  </testsuite>"].join("\n"),
	};
}

function failure(item: Diagnostic, path: string): string {
	const { line, column, severity, message } = item;
	const name = attribute(`${ruleOf(item) ?? severity} ${line}:${column}`);
	const text = `line ${line}, column ${column}: ${characters(message)}`;
	const head = `message="${attribute(oneLine(message))}" type="${severity}"`;
	return `    <testcase name="${name}" classname="${path}"><failure ${head}>${text}</failure></testcase>`;
}

function attribute(text: string): string {
	return characters(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;");
}

/** XML has no control characters or lone surrogates. */
function characters(text: string): string {
	const plain = shortened(text)
		.replace(controls, (found) => (found === "\n" ? found : " "))
		.replace(/[\ufffe\uffff]/g, " ");
	return escapeMarkup(plain.toWellFormed());
}
