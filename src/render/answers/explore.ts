import type { FileCount } from "../../operations/common/inputs.ts";
import type { Exploration } from "../../operations/explore.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

type Caller = Exploration["callers"][number];

const maxFiles = 20;

export function exploreText(found: Exploration): string {
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

function referenceLine({ total, files }: Exploration["references"], tests: readonly FileCount[]): string {
	if (total === 0) return "No references.";
	const head = `${count(total, "reference", "references")} in ${count(files.length + tests.length, "file", "files")}`;
	return files.length > 0 ? `${head}: ${filesText(files)}` : `${head}, all in tests`;
}

export function filesText(files: readonly FileCount[]): string {
	const shown = files.slice(0, maxFiles).map(({ path, count: number }) => `${oneLine(path)} ${number}`);
	const hidden = files.length - shown.length;
	return [...shown, ...(hidden > 0 ? [`and ${hidden} more files`] : [])].join(", ");
}

function callerLines(callers: readonly Caller[]): string[] {
	const files = new Map<string, Caller[]>();
	for (const caller of callers) files.set(caller.path, [...(files.get(caller.path) ?? []), caller]);
	return [...files].flatMap(([path, group]) => [
		oneLine(path),
		...group.map(({ name, line, text, calls }) => {
			const times = calls > 1 ? ` (${calls} times)` : "";
			return `  ${line} ${oneLine(name)}${times}${text === undefined ? "" : `: ${oneLine(text)}`}`;
		}),
	]);
}
