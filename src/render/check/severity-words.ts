import { type Diagnostic, type Severity, severities } from "../../contract/check-report.ts";
import { count } from "../count.ts";

const nouns: Readonly<Record<Severity, readonly [one: string, many: string]>> = {
	error: ["error", "errors"],
	warning: ["warning", "warnings"],
	info: ["note", "notes"],
	hint: ["hint", "hints"],
};

export function kindsOf(diagnostics: readonly Diagnostic[]): string {
	const kinds = severities.filter((severity) => diagnostics.some((item) => item.severity === severity));
	const words = kinds.map((severity) => nouns[severity][1]);
	return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "errors");
}

export function nounOf(diagnostics: readonly Diagnostic[]): readonly [one: string, many: string] {
	const [first] = diagnostics;
	if (!first) return nouns.error;
	return diagnostics.every(({ severity }) => severity === first.severity)
		? nouns[first.severity]
		: ["finding", "findings"];
}

export function counted(diagnostics: readonly Diagnostic[]): string {
	return count(diagnostics.length, ...nounOf(diagnostics));
}
