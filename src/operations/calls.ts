import type { CallHierarchyItem } from "vscode-languageserver-protocol";
import { t, type ValueOf } from "../contract/schema.ts";
import type { FileQuery } from "../query/file-query.ts";
import { listConcurrent, listSteps } from "../render/answers/hierarchy.ts";
import { callsFrom, callsTo, incomingCalls, outgoingCalls, prepareCalls } from "./common/call-hierarchy.ts";
import { Concurrent, concurrentStarts, itemsAt } from "./common/concurrent.ts";
import { allSteps, follow, type Neighbour, Reach, Root, rootsOf, Steps } from "./common/hierarchy.ts";
import { definePointed } from "./common/pointed.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const directions = ["incoming", "outgoing", "both"] as const;

const Output = t.object({
	symbols: t.list(Root, "What was asked about"),
	incoming: t.optional(Steps),
	outgoing: t.optional(Steps),
	concurrent: t.optional(Concurrent),
});

export type Calls = ValueOf<typeof Output>;

export const calls = definePointed({
	name: "calls",
	title: "Callers and callees",
	description:
		"Who calls a function, with the lines of the calls, and whom it calls, to a depth; tests apart. Read this before you change a signature or a behaviour.",
	core: true,
	aliases: [agentLsp.calls],
	requests: [prepareCalls, incomingCalls, outgoingCalls],
	input: {
		direction: t.optional.oneOf(directions, "Callers, callees, or both (default)"),
		...Reach,
		concurrent: t.optional.flag("Which uses start on another goroutine, thread, task or worker; of a field too"),
	},
	output: Output.properties,
	options: { isEmpty: ({ symbols, concurrent }) => symbols.length === 0 && !concurrent, whole: true },
	example: {
		input: { file: "src/greet.ts", symbol: "greet", direction: "incoming" },
		output: {
			symbols: [{ name: "greet", kind: "function", path: "src/greet.ts", line: 1 }],
			incoming: {
				steps: [
					{
						name: "main",
						kind: "function",
						path: "src/app.ts",
						line: 3,
						depth: 1,
						lines: [{ line: 4, text: 'console.log(greet("world"));' }],
					},
				],
				omitted: 0,
			},
		},
	},
	async answer(query, pointer, { direction = "both", concurrent: isAsked = false, ...reach }): Promise<Calls> {
		const concurrent = isAsked ? { concurrent: await concurrentStarts(query, pointer, reach) } : {};
		// gopls answers a field with an error.
		const items = isAsked
			? await itemsAt(query, pointer)
			: ((await query.request<CallHierarchyItem[] | null>(prepareCalls, pointer)) ?? []);
		const symbols = await rootsOf(query, items);
		if (items.length === 0) return { symbols, ...concurrent };
		const [incoming, outgoing] = await Promise.all([
			direction === "outgoing" ? undefined : follow(query, items, (item) => callersOf(query, item), reach),
			direction === "incoming" ? undefined : follow(query, items, (item) => calleesOf(query, item), reach),
		]);
		return { symbols, ...(incoming ? { incoming } : {}), ...(outgoing ? { outgoing } : {}), ...concurrent };
	},
	render({ symbols, incoming, outgoing, concurrent }) {
		if (symbols.length === 0 && !concurrent) return "No function found.";
		return [
			...symbols.map(({ name, path, line }) => `${name}  ${path}:${line}`),
			...(incoming ? [listSteps(incoming, { one: "caller", many: "callers", none: "No callers." })] : []),
			...(outgoing ? [listSteps(outgoing, { one: "callee", many: "callees", none: "No callees." })] : []),
			...(concurrent ? [listConcurrent(concurrent)] : []),
		].join("\n");
	},
	fallback: ({ symbols, incoming, concurrent }) =>
		!concurrent && (symbols.length === 0 || incoming?.steps.length === 0) ? "references" : undefined,
	next: ({ incoming, outgoing, concurrent }, given) => allSteps("calls", [incoming, outgoing, concurrent], given),
});

async function callersOf(query: FileQuery, item: object): Promise<Neighbour[]> {
	return (await callsTo(query, item)).map(({ from, fromRanges }) => ({ item: from, ranges: fromRanges }));
}

async function calleesOf(query: FileQuery, item: { readonly uri: string }): Promise<Neighbour[]> {
	return (await callsFrom(query, item)).map(({ to, fromRanges }) => ({ item: to, ranges: fromRanges, uri: item.uri }));
}
