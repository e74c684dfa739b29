import type { DetectedChanges } from "../../operations/detect-changes.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

export function changesText({ base, files, skipped, omitted }: DetectedChanges): string {
	if (files.length === 0 && skipped.length === 0) return `Nothing differs from ${oneLine(base)}.`;
	const symbols = files.reduce((sum, file) => sum + file.symbols.length, omitted);
	return [
		`${count(symbols, "symbol", "symbols")} in ${count(files.length, "file", "files")} since ${oneLine(base)}`,
		...files.flatMap(({ path, state, symbols: own, unread }) => [
			`${oneLine(path)}${state === "changed" ? "" : ` (${state})`}`,
			...own.map(
				({ symbol, kind, line, change, exported, from }) =>
					`  ${line}: ${change} ${kind} ${oneLine(symbol)}${exported ? ", exported" : ""}${from ? `, from ${oneLine(from)}` : ""}`,
			),
			...(unread === undefined ? [] : [`  its symbols are not known: ${oneLine(unread)}`]),
			...(own.length === 0 && unread === undefined
				? ["  no symbol: comments, white space or code outside of symbols"]
				: []),
		]),
		...notComparedLines(skipped),
		...(omitted > 0 ? [`... and ${omitted} more`] : []),
	].join("\n");
}

const maxSkipped = 10;

export function notComparedLines(skipped: DetectedChanges["skipped"]): string[] {
	if (skipped.length === 0) return [];
	const more = skipped.length > maxSkipped ? [`  ... and ${skipped.length - maxSkipped} more`] : [];
	const listed = skipped.slice(0, maxSkipped).map(({ path, reason }) => `  ${oneLine(path)}: ${oneLine(reason)}`);
	return ["not compared:", ...listed, ...more];
}
