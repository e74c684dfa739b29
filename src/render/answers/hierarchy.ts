import type { Concurrent } from "../../operations/common/concurrent.ts";
import type { Step, Steps } from "../../operations/common/hierarchy.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

interface Words {
	readonly one: string;
	readonly many: string;
	readonly none: string;
}

export function listSteps({ steps, omitted }: Steps, { one, many, none }: Words): string {
	if (steps.length === 0) return none;
	const nearest = steps.filter(({ depth }) => depth === 1);
	const tests = nearest.filter(({ test }) => test).length;
	const far = steps.length - nearest.length;
	const firstTest = steps.findIndex(({ depth, test }) => depth === 1 && test);
	return [
		`${count(nearest.length, one, many)}${inTests(tests, nearest.length)}${far > 0 ? `; ${far} more behind them` : ""}`,
		...steps.flatMap((step, index) => [...(index === firstTest && index > 0 ? ["tests:"] : []), ...stepLines(step)]),
		...(omitted > 0 ? [`... and ${omitted} more`] : []),
	].join("\n");
}

function inTests(tests: number, all: number): string {
	return tests === 0 ? "" : tests === all ? ", all in tests" : `, ${tests} of them in tests`;
}

function stepLines({ name, path, line, depth, lines = [], again }: Step): string[] {
	const indent = "  ".repeat(depth - 1);
	return [
		`${indent}${oneLine(name)}  ${oneLine(path)}:${line}${again ? "  (shown above)" : ""}`,
		...lines.map(({ line: at, text }) => `${indent}  ${at}${text === undefined ? "" : `: ${oneLine(text)}`}`),
	];
}

export function listConcurrent({ starts, omitted, unfollowed = 0, unread = [] }: Concurrent): string {
	const tests = starts.filter(({ test }) => test).length;
	return [
		starts.length === 0
			? "No use starts on another goroutine, thread, task or worker."
			: `${count(starts.length, "use starts", "uses start")} on another goroutine, thread, task or worker${inTests(tests, starts.length)}`,
		...starts.flatMap((start) => startLines(start)),
		...(omitted > 0 ? [`... and ${omitted} more`] : []),
		...(unfollowed > 0 ? [`${count(unfollowed, "function", "functions")} on the way not followed`] : []),
		...(unread.length > 0 ? [`Syntax not read: ${unread.map(oneLine).join(", ")}`] : []),
	].join("\n");
}

function startLines({ caller, path, line, text, how, through }: Concurrent["starts"][number]): string[] {
	const way = through === undefined ? "" : `, through ${oneLine(through)}`;
	return [
		`${oneLine(caller?.name ?? "(top level)")}  ${oneLine(path)}:${line}  by ${oneLine(how)}${way}`,
		...(text === undefined ? [] : [`  ${line}: ${oneLine(text)}`]),
	];
}
