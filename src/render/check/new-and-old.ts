import type { Diagnostic, FileReport } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { nounOf } from "./severity-words.ts";

/** All without a baseline. */
export function causedBySession(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
	return diagnostics.filter((item) => item.new !== false || item.earlier);
}

export function newAndOldLine({ diagnostics, fixed = 0 }: FileReport): string | undefined {
	if (diagnostics.some((item) => item.new === undefined)) return undefined;
	const fresh = diagnostics.filter((item) => item.new).length;
	const [one, many] = nounOf(diagnostics);
	const earlier = diagnostics.filter((item) => item.earlier).length;
	const before = diagnostics.length - fresh - earlier;
	const parts = [`${count(fresh, `${one} is`, `${many} are`)} new with this edit`];
	if (fixed > 0) parts.push(`${count(fixed, "was", "were")} fixed`);
	if (earlier) parts.push(`${count(earlier, "is", "are")} left from earlier edits`);
	if (before) parts.push(`${before} more ${before === 1 ? "was" : "were"} there before`);
	return `${parts.join("; ")}.`;
}

export function oldErrorsLine({ diagnostics, fixed = 0 }: FileReport): string[] {
	if (diagnostics.length === 0) return [];
	const lines = [...new Set(diagnostics.map(({ line }) => line))];
	const named = `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, 5).join(", ")}${lines.length > 5 ? ", …" : ""}`;
	const done =
		fixed > 0
			? `It fixed ${count(fixed, "error", "errors")} and caused no new ones`
			: `It caused no new ${nounOf(diagnostics)[1]}`;
	return [`${done}; ${count(diagnostics.length, "was", "were")} there before (${named}).`];
}

export function fixedElsewhere(files: readonly FileReport[]): string[] {
	const withFixes = files.filter(({ fixed = 0 }) => fixed > 0);
	if (withFixes.length === 0) return [];
	const errors = withFixes.reduce((sum, { fixed = 0 }) => sum + fixed, 0);
	return [`It fixed ${count(errors, "error", "errors")} in ${count(withFixes.length, "other file", "other files")}.`];
}
