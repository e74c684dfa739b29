import type { Diagnostic, FileReport } from "../../contract/check-report.ts";
import { count } from "../count.ts";

/** New errors and those that this session caused before; all of them where nothing is known of before. */
export function worthTelling(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
	return diagnostics.filter((item) => item.new !== false || item.earlier);
}

/** `2 errors are new with this edit; 1 was fixed; 3 more were there before.` Undefined if nothing is known of before. */
export function judgement({ diagnostics, fixed = 0 }: FileReport): string | undefined {
	if (diagnostics.some((item) => item.new === undefined)) return undefined;
	const fresh = diagnostics.filter((item) => item.new).length;
	const earlier = diagnostics.filter((item) => item.earlier).length;
	const before = diagnostics.length - fresh - earlier;
	const parts = [`${count(fresh, "error is", "errors are")} new with this edit`];
	if (fixed > 0) parts.push(`${count(fixed, "was", "were")} fixed`);
	if (earlier) parts.push(`${count(earlier, "is", "are")} left from earlier edits`);
	if (before) parts.push(`${before} more ${before === 1 ? "was" : "were"} there before`);
	return `${parts.join("; ")}.`;
}

/** An edit that was meant to mend what was there, and did not, must not read as a success: one line says so. */
export function onlyBefore({ diagnostics, fixed = 0 }: FileReport): string[] {
	if (diagnostics.length === 0) return [];
	const lines = [...new Set(diagnostics.map(({ line }) => line))];
	const named = `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, 5).join(", ")}${lines.length > 5 ? ", …" : ""}`;
	const done =
		fixed > 0 ? `It fixed ${count(fixed, "error", "errors")} and caused no new ones` : "It caused no new errors";
	return [`${done}; ${count(diagnostics.length, "was", "were")} there before (${named}).`];
}

/** How many errors the edit mended in other files; nothing if there are none. */
export function fixedElsewhere(files: readonly FileReport[]): string[] {
	const mended = files.filter(({ fixed = 0 }) => fixed > 0);
	if (mended.length === 0) return [];
	const errors = mended.reduce((sum, { fixed = 0 }) => sum + fixed, 0);
	return [`It fixed ${count(errors, "error", "errors")} in ${count(mended.length, "other file", "other files")}.`];
}
