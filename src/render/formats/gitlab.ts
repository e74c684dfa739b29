import { stateText } from "../check/diagnostics.ts";
import { oneLine } from "../escape.ts";
import { type Format, findingsIn, ruleOf, shortened } from "./format.ts";

const severities = { error: "major", warning: "minor", info: "info", hint: "info" } as const;

interface Issue {
	readonly path: string;
	readonly line: number;
	readonly rule: string;
	readonly severity: string;
	readonly text: string;
}

export const gitlab: Format = (report, { fromTop, hash }) => {
	const seen = new Map<string, number>();
	const issue = ({ line, severity, ...texts }: Issue) => {
		const [path, rule, description] = [shortened(texts.path), shortened(texts.rule), shortened(texts.text)] as const;
		// Without the line, moved findings stay the same; equal ones of a file are counted.
		const key = JSON.stringify([path, rule, description]);
		const nth = seen.get(key) ?? 0;
		seen.set(key, nth + 1);
		const location = { path, lines: { begin: line } };
		return { description, check_name: rule, fingerprint: hash(`${key} ${nth}`), severity, location };
	};
	const found = findingsIn(report).map(({ file, item }) =>
		issue({
			path: fromTop(file.path),
			line: item.line,
			rule: ruleOf(item) ?? item.source ?? "pi-lsp",
			severity: severities[item.severity],
			text: oneLine(item.message),
		}),
	);
	const unproven = report.files
		.filter(({ state }) => state !== "fresh")
		.map((file) =>
			issue({
				path: fromTop(file.path),
				line: 1,
				rule: "not-proven",
				severity: "major",
				text: oneLine(stateText(file)),
			}),
		);
	return JSON.stringify([...found, ...unproven], null, 2);
};
