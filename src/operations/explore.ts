import type { CallHierarchyIncomingCall, CallHierarchyItem } from "vscode-languageserver-protocol";
import { isImportLine } from "../contract/import-lines.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Declaration } from "../query/find-declaration.ts";
import type { Pointer } from "../query/find-position.ts";
import { exploreText } from "../render/answers/explore.ts";
import type { LocationResult } from "../util/positions.ts";
import { callsTo, functionsAt, prepareCalls } from "./common/call-hierarchy.ts";
import { FileCount } from "./common/inputs.ts";
import { definePointed } from "./common/pointed.ts";
import { sourceLines } from "./common/source-lines.ts";
import { hoverAt } from "./hover.ts";

const maxLines = 60;
const maxCallers = 20;
const partCount = 4;

const requests = {
	hover: "textDocument/hover",
	definition: "textDocument/definition",
	references: "textDocument/references",
	callers: prepareCalls,
	source: "textDocument/documentSymbol",
};

const Caller = t.object({
	name: t.text(),
	path: t.text(),
	line: t.integer("Of its first call"),
	text: t.optional.text(),
	calls: t.integer(),
	test: t.optional.flag("It stands in a test"),
});

const Output = t.object({
	symbol: t.optional.text("Its dotted path; absent for what is declared in a library"),
	kind: t.optional.text(),
	path: t.optional.text(),
	line: t.optional.integer(),
	endLine: t.optional.integer(),
	hover: t.text(),
	source: t.text(),
	omittedLines: t.optional.integer("Lines of it that come after `source`"),
	callers: t.list(Caller),
	totalCallers: t.integer(),
	references: t.object({ total: t.integer(), files: t.list(FileCount) }),
	tests: t.list(FileCount, "Test files that use it"),
	unsupported: t.optional.texts("Parts that the server does not answer"),
});

export type Exploration = ValueOf<typeof Output>;

export const explore = definePointed({
	name: "explore",
	title: "All about a symbol",
	description:
		"Type, documentation, source, callers, references by file and tests of one symbol in one answer. Saves the calls of hover, source, calls and references before a change.",
	core: true,
	requests: Object.values(requests),
	output: Output.properties,
	options: { whole: true, isEmpty: ({ hover, source, references }) => !hover && !source && references.total === 0 },
	example: {
		input: { file: "src/greet.ts", symbol: "greet" },
		output: {
			symbol: "greet",
			kind: "function",
			path: "src/greet.ts",
			line: 1,
			endLine: 3,
			hover: "```typescript\nfunction greet(name: string): string\n```\nSays hello.",
			source: "export function greet(name: string): string {\n\treturn name;\n}",
			callers: [{ name: "main", path: "src/app.ts", line: 4, text: 'console.log(greet("world"));', calls: 1 }],
			totalCallers: 1,
			references: { total: 5, files: [{ path: "src/app.ts", count: 2 }] },
			tests: [{ path: "test/greet.test.ts", count: 3, test: true }],
		},
	},
	async answer(query, pointer) {
		const unsupported: string[] = [];
		const part = async <Value>(name: keyof typeof requests, otherwise: Value, ask: () => Promise<Value>) => {
			if (query.server.offers(requests[name])) return ask();
			unsupported.push(name);
			return otherwise;
		};
		const isNamed = pointer.symbol !== undefined && pointer.line === undefined && pointer.pattern === undefined;
		// The longest chain of requests starts first.
		if (!isNamed && query.server.offers(requests.callers)) void functionsAtPointer(query, pointer);
		const target = part<Declaration | undefined>("source", undefined, () =>
			query.declaration(pointer, { follow: true }),
		);
		const at = isNamed ? await pointerOfName(query, pointer, await target) : pointer;
		const [found, hover, calls, counts] = await Promise.all([
			target,
			part("hover", "", () => hoverAt(query, at)),
			part("callers", { callers: [], total: 0 }, () => callersOf(query, at, target)),
			part("references", [], () => countReferences(query, at, target)),
		]);
		if (unsupported.length === partCount) query.server.require(requests.hover);
		const tests = counts.filter(({ test }) => test);
		return {
			...sourceOf(found),
			hover,
			callers: calls.callers,
			totalCallers: calls.total,
			references: {
				total: counts.reduce((sum, { count }) => sum + count, 0),
				files: counts.filter(({ test }) => !test),
			},
			tests,
			...(unsupported.length > 0 ? { unsupported } : {}),
		};
	},
	render: (found) => exploreText(found),
	next({ symbol, path, omittedLines = 0, source }) {
		if (omittedLines === 0 || symbol === undefined || path === undefined) return undefined;
		const offset = source.split("\n").length;
		return { operation: "source", input: { file: path, symbol, offset }, why: `The other ${omittedLines} lines` };
	},
});

async function pointerOfName(query: FileQuery, pointer: Pointer, target: Declaration | undefined): Promise<Pointer> {
	const [first] = target?.group ?? [];
	const isHere = target?.path === query.displayPath(query.document.path);
	return first && isHere ? { ...first.at } : { ...query.toSpot(await query.position(pointer)) };
}

function sourceOf(target: Declaration | undefined) {
	const [first] = target?.group ?? [];
	if (!target || !first) return { source: "" };
	const { line, endLine, lines } = sourceLines(target.group, target.lines);
	const omittedLines = Math.max(lines.length - maxLines, 0);
	return {
		symbol: first.path,
		kind: first.kind,
		path: target.path,
		line,
		endLine,
		source: lines.slice(0, maxLines).join("\n"),
		...(omittedLines > 0 ? { omittedLines } : {}),
	};
}

/** TypeScript 7 counts imports as declarations. */
async function countReferences(query: FileQuery, at: Pointer, target: Promise<Declaration | undefined>) {
	const context = { includeDeclaration: query.server.offers(requests.definition) };
	const [found, defined] = await Promise.all([
		query.request<LocationResult>(requests.references, at, { context }),
		context.includeDeclaration ? query.request<LocationResult>(requests.definition, at) : null,
	]);
	return query.countByFile(found, defined, await target);
}

/** Imports have no callers, and TypeScript 7 answers nothing while it searches. */
function functionsAtPointer(query: FileQuery, at: Pointer): Promise<readonly CallHierarchyItem[]> | undefined {
	if (query.server.config.importsAreDeclarations && isImportLine(query.document, at.line ?? 0)) return undefined;
	const found = functionsAt(query, at);
	found.catch(() => {});
	return found;
}

async function callersOf(query: FileQuery, at: Pointer, target: Promise<Declaration | undefined>): Promise<Callers> {
	const early = functionsAtPointer(query, at);
	const found = await target;
	const [first] = found?.group ?? [];
	const isTarget = ({ uri, selectionRange: { start } }: CallHierarchyItem) =>
		query.displayUri(uri) === found?.path && found.group.some((symbol) => symbol.at.line === start.line + 1);
	const here = early || !first ? await (early ?? functionsAt(query, at)) : [];
	if (!found || !first || (here.length > 0 && here.every(isTarget)))
		return callersIn(query, await callsOf(query, here));
	const there = { ...first.at };
	const again = async (other: FileQuery) => callersIn(other, await callsOf(other, await functionsAt(other, there)));
	return query.inAnyFile(found.path, again);
}

interface Callers {
	readonly callers: Exploration["callers"];
	readonly total: number;
}

async function callsOf(query: FileQuery, items: readonly CallHierarchyItem[]): Promise<CallHierarchyIncomingCall[]> {
	return (await Promise.all(items.map((item) => callsTo(query, item)))).flat();
}

async function callersIn(query: FileQuery, found: readonly CallHierarchyIncomingCall[]): Promise<Callers> {
	const calls = found.flatMap((call) => {
		if (call.fromRanges.length === 0) return [];
		const range = call.fromRanges.reduce((first, other) => (other.start.line < first.start.line ? other : first));
		const { uri } = call.from;
		return [{ ...call, range, shown: query.displayUri(uri), test: query.isTest(uri) }];
	});
	calls.sort(
		(a, b) =>
			Number(a.test) - Number(b.test) ||
			a.shown.localeCompare(b.shown, "en") ||
			a.range.start.line - b.range.start.line,
	);
	const listed = calls.slice(0, maxCallers);
	const { places } = await query.locations(listed.map(({ from: { uri }, range }) => ({ uri, range })));
	const texts = new Map(places.map(({ path, line, text }) => [`${path}:${line}`, text]));
	const callers = listed.map(({ from, fromRanges, range, shown: path, test }) => {
		const line = range.start.line + 1;
		const text = texts.get(`${path}:${line}`);
		// TypeScript names code outside functions after its file.
		const name = from.name === path || from.name.endsWith(`/${path}`) ? "(top level)" : from.name;
		const place = { path, line, ...(text === undefined ? {} : { text }) };
		return { name, ...place, calls: fromRanges.length, ...(test ? { test: true } : {}) };
	});
	return { callers, total: calls.length };
}
