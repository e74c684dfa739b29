import { stateText } from "../check/diagnostics.ts";
import { oneLine } from "../escape.ts";
import { type Format, findingsIn, ruleOf, shortened } from "./format.ts";

const severities = { error: "major", warning: "minor", info: "info", hint: "info" } as const;

export const gitlab: Format = (report, { fromTop, hash }) => {
	const seen = new Map<string, number>();
	const issue = (file: string, line: number, name: string, severity: string, text: string) => {
		const [path, rule, description] = [shortened(file), shortened(name), shortened(text)] as const;
		// Without the line, so that moved findings stay the same; equal ones of a file are counted.
		const key = JSON.stringify([path, rule, description]);
		const nth = seen.get(key) ?? 0;
		seen.set(key, nth + 1);
		const location = { path, lines: { begin: line } };
		return { description, check_name: rule, fingerprint: hash(`${key} ${nth}`), severity, location };
	};
	const found = findingsIn(report).map(({ file, item }) =>
		issue(
			fromTop(file.path),
			item.line,
			ruleOf(item) ?? item.source ?? "pi-lsp",
			severities[item.severity],
			oneLine(item.message),
		),
	);
	const unproven = report.files
		.filter(({ state }) => state !== "fresh")
		.map((file) => issue(fromTop(file.path), 1, "not-proven", "major", oneLine(stateText(file))));
	return JSON.stringify([...found, ...unproven], null, 2);
};
