import { maxTestTitle } from "../../project/test-functions.ts";
import { spotsAlong } from "../../util/positions.ts";
import type { Node } from "./node.ts";
import { parseFile } from "./parse-file.ts";

/** A call with title and function. Lines are 1-based, both included. */
export interface TestCase {
	readonly title: string;
	readonly line: number;
	readonly endLine: number;
}

const cases = /^(?:it|test|specify|fit|xit|bench|(?:t|Deno|QUnit)\.test)\b/;
const groups = /^(?:describe|suite|context|fdescribe|xdescribe)\b/;
const maxAbove = 100;

export async function testCasesOf(path: string, text: string): Promise<TestCase[]> {
	const parsed = await parseFile(path, text);
	if (parsed?.family !== "script") return [];
	const calls = parsed.root.allOf("call_expression").filter((call) => titleOf(call, cases) !== undefined);
	const spotOf = spotsAlong(text);
	const offsets = calls.flatMap(({ start, end }) => [start, end]).sort((a, b) => a - b);
	const lines = new Map(offsets.map((offset) => [offset, spotOf(offset).line]));
	return calls.map((call) => {
		const [line = 1, endLine = line] = [lines.get(call.start), lines.get(call.end)];
		return { title: titlesOf(call).join(" > ").slice(0, maxTestTitle), line, endLine };
	});
}

function titlesOf(call: Node): string[] {
	const titles: string[] = [];
	let node: Node | undefined = call;
	for (let steps = 0; node && steps < maxAbove; steps++) {
		const title: string | undefined = titleOf(node, groups) ?? titleOf(node, cases);
		if (title !== undefined) titles.unshift(title);
		node = node.parent;
	}
	return titles;
}

function titleOf(call: Node, called: RegExp): string | undefined {
	if (call.type !== "call_expression") return undefined;
	if (!called.test(call.child("function")?.text.slice(0, maxTestTitle) ?? "")) return undefined;
	const [title, ...others] = call.child("arguments")?.named ?? [];
	if (!title || others.length === 0 || !/string/.test(title.type)) return undefined;
	return title.text.slice(1, -1).slice(0, maxTestTitle);
}
