import { oneLine } from "../escape.ts";

interface ShownSource {
	readonly symbol?: string;
	readonly kind?: string;
	readonly path: string;
	readonly line?: number;
	readonly endLine?: number;
	readonly source: string;
	readonly omitted?: number;
}

/** What is declared and where, then its text as it stands in the file; what was cut is counted. */
export function sourceText(found: ShownSource, offset = 0): string {
	const { symbol, kind, path, line = 1, endLine = line, source, omitted = 0 } = found;
	if (symbol === undefined) return `Nothing is declared there in ${oneLine(path)}, or it is a library's.`;
	const lines = line === endLine ? `${line}` : `${line}-${endLine}`;
	const from = offset > 0 ? `, from line ${line + offset}` : "";
	return [
		`${kind} ${oneLine(symbol)}  ${oneLine(path)}:${lines}${from}`,
		source,
		...(omitted > 0 ? [`... and ${omitted} more lines.`] : []),
	].join("\n");
}
