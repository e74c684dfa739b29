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
	const inTests = tests === 0 ? "" : tests === nearest.length ? ", all in tests" : `, ${tests} of them in tests`;
	return [
		`${count(nearest.length, one, many)}${inTests}${far > 0 ? `; ${far} more behind them` : ""}`,
		...steps.flatMap((step, index) => [...(index === firstTest && index > 0 ? ["tests:"] : []), ...stepLines(step)]),
		...(omitted > 0 ? [`... and ${omitted} more`] : []),
	].join("\n");
}

function stepLines({ name, path, line, depth, lines = [], again }: Step): string[] {
	const indent = "  ".repeat(depth - 1);
	return [
		`${indent}${oneLine(name)}  ${oneLine(path)}:${line}${again ? "  (shown above)" : ""}`,
		...lines.map(({ line: at, text }) => `${indent}  ${at}${text === undefined ? "" : `: ${oneLine(text)}`}`),
	];
}
