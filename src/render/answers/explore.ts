import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

export interface ShownCount {
	readonly path: string;
	readonly count: number;
}

interface ShownCaller {
	readonly name: string;
	readonly path: string;
	readonly line: number;
	readonly text?: string;
	readonly calls: number;
	readonly test?: boolean;
}

interface ShownSymbol {
	readonly symbol?: string;
	readonly kind?: string;
	readonly path?: string;
	readonly line?: number;
	readonly endLine?: number;
	readonly hover: string;
	readonly source: string;
	readonly omittedLines?: number;
	readonly callers: readonly ShownCaller[];
	readonly totalCallers: number;
	readonly references: { readonly total: number; readonly files: readonly ShownCount[] };
	readonly tests: readonly ShownCount[];
	readonly unsupported?: readonly string[];
}

const maxFiles = 20;

/** All that is known of a symbol: what and where it is, what it says, who calls it, and where it is used. */
export function exploreText(found: ShownSymbol): string {
	const { symbol, kind, path = "", line = 1, endLine = line, hover, source, omittedLines = 0 } = found;
	const { callers, totalCallers, references, tests, unsupported = [] } = found;
	const has = (part: string) => !unsupported.includes(part);
	const lines = line === endLine ? `${line}` : `${line}-${endLine}`;
	const hidden = totalCallers - callers.length;
	return [
		symbol === undefined
			? "Declared in a library, or nowhere."
			: `${kind} ${oneLine(symbol)}  ${oneLine(path)}:${lines}`,
		...(hover === "" ? [] : [hover]),
		...(source === "" ? [] : ["source:", source]),
		...(omittedLines > 0 ? [`... and ${omittedLines} more lines.`] : []),
		...(has("callers") ? [totalCallers === 0 ? "No callers." : count(totalCallers, "caller:", "callers:")] : []),
		...callerLines(callers.filter(({ test }) => !test)),
		...(callers.some(({ test }) => test) ? ["in tests:", ...callerLines(callers.filter(({ test }) => test))] : []),
		...(hidden > 0 ? [`... and ${hidden} more.`] : []),
		...(has("references") ? [referenceLine(references, tests)] : []),
		...(has("references") && references.total > 0
			? [tests.length > 0 ? `tests: ${filesText(tests)}` : "No test uses it."]
			: []),
		...(unsupported.length > 0 ? [`The server does not answer: ${unsupported.join(", ")}.`] : []),
	].join("\n");
}

function referenceLine({ total, files }: ShownSymbol["references"], tests: readonly ShownCount[]): string {
	if (total === 0) return "No references.";
	const head = `${count(total, "reference", "references")} in ${count(files.length + tests.length, "file", "files")}`;
	return files.length > 0 ? `${head}: ${filesText(files)}` : `${head}, all in tests`;
}

/** `src/a.ts 3, src/b.ts 1`. */
export function filesText(files: readonly ShownCount[]): string {
	const shown = files.slice(0, maxFiles).map(({ path, count: number }) => `${oneLine(path)} ${number}`);
	const hidden = files.length - shown.length;
	return [...shown, ...(hidden > 0 ? [`and ${hidden} more files`] : [])].join(", ");
}

function callerLines(callers: readonly ShownCaller[]): string[] {
	const files = new Map<string, ShownCaller[]>();
	for (const caller of callers) files.set(caller.path, [...(files.get(caller.path) ?? []), caller]);
	return [...files].flatMap(([path, group]) => [
		oneLine(path),
		...group.map(({ name, line, text, calls }) => {
			const times = calls > 1 ? ` (${calls} times)` : "";
			return `  ${line} ${oneLine(name)}${times}${text === undefined ? "" : `: ${oneLine(text)}`}`;
		}),
	]);
}
