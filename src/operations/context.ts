import type { CallHierarchyItem, Location, Position } from "vscode-languageserver-protocol";
import { importLines } from "../contract/import-lines.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { DocumentSymbolEntry } from "../query/document-symbols.ts";
import type { FileQuery } from "../query/file-query.ts";
import { contextText } from "../render/answers/context.ts";
import { callsFrom, functionsAt, prepareCalls } from "./common/call-hierarchy.ts";
import { File, FileCount, Incomplete } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp-context.ts";

const references = "textDocument/references";

const maxAsked = 60;
const maxTests = 10;
const containers = /^(?:class|interface|struct|enum|module|namespace|object|trait)$/;
const callables = /^(?:function|method|constructor|variable|constant|property|field)$/;
const members = /^(?:function|method|constructor|class|interface|struct|enum)$/;

/** rust-analyzer's blocks of methods, `impl Named for T`. */
const implementation = /^impl\b.*\s/;

const DeclaredSymbol = t.object({
	symbol: t.text("Its dotted path"),
	kind: t.text(),
	line: t.integer(),
	endLine: t.integer(),
	signature: t.optional.text("Its declaration, without the body"),
});

const Output = t.object({
	tag: t.text("The same as long as the answer is the same; for `if_none_match`"),
	unchanged: t.optional.flag("It is the answer that the caller has; there is nothing else"),
	symbols: t.optional.list(DeclaredSymbol),
	imports: t.optional.texts(),
	callers: t.optional.objects("Uses of its symbols in other files", { symbol: t.text(), files: t.list(FileCount) }),
	callees: t.optional.objects("Functions of other files of the workspace that it calls", {
		path: t.text(),
		symbol: t.text(),
		line: t.integer(),
	}),
	tests: t.optional.objects({ path: t.text(), reason: t.text() }),
	totalTests: t.optional.integer("How many there are, where `tests` holds the first of them"),
	characters: t.optional.integer("The length of the file"),
	notAsked: t.optional.integer("Symbols whose callers and callees were not asked for"),
	unsupported: t.optional.texts("Parts that the server does not answer"),
	...Incomplete,
});

export type Context = ValueOf<typeof Output>;

export const context = defineOperation({
	name: "context",
	title: "What to read before an edit",
	description:
		"What a file declares and imports, who uses its symbols, whom it calls, and its tests: what to read before editing it. With the tag of the last answer as `if_none_match`, one line if nothing has changed.",
	effect: "read",
	core: true,
	aliases: [agentLsp.context],
	requests: ["textDocument/documentSymbol"],
	input: t.object({ file: File, if_none_match: t.optional.text("The tag of an earlier answer") }),
	output: Output,
	positional: ["file"],
	example: {
		input: { file: "src/greet.ts" },
		output: {
			tag: "3f2a9c01b7de",
			symbols: [{ symbol: "greet", kind: "function", line: 1, endLine: 3 }],
			imports: ['import { polite } from "./words.ts";'],
			callers: [{ symbol: "greet", files: [{ path: "src/app.ts", count: 2 }] }],
			callees: [{ path: "src/words.ts", symbol: "polite", line: 4 }],
			tests: [{ path: "test/greet.test.ts", reason: "named after it, imports it" }],
		},
	},
	async run({ file, if_none_match: known }, on): Promise<Context> {
		const [found, tests] = await Promise.all([on.ask({ file, whole: true }, about), on.testsFor(file)]);
		const { incomplete, ...answer } = found;
		const whole = { ...answer, tests };
		const tag = on.tagOf(whole);
		const note = incomplete === undefined ? {} : { incomplete };
		if (tag === known) return { tag, unchanged: true, ...note };
		const cut = tests.length > maxTests ? { totalTests: tests.length } : {};
		return { tag, ...answer, tests: tests.slice(0, maxTests), ...cut, ...note };
	},
	render: (found) => contextText(found),
	next({ totalTests }, { file }) {
		if (totalTests === undefined) return undefined;
		return { operation: "tests_for", input: { file, limit: totalTests }, why: "All of its tests" };
	},
});

async function about(query: FileQuery) {
	const declared = await query.symbols();
	const groups = memberGroups(declared);
	const asking = groups.slice(0, maxAsked);
	const unsupported = [
		...(query.server.offers(references) ? [] : ["callers"]),
		...(query.server.offers(prepareCalls) ? [] : ["callees"]),
	];
	const [callers, callees] = await Promise.all([
		Promise.all(asking.map(async ([first]) => ({ symbol: first.path, files: await usesOf(query, first) }))),
		Promise.all(asking.map(([first]) => calleesOf(query, first))),
	]);
	const notAsked = groups.length - asking.length;
	return {
		symbols: groups.map(([first, last]) => ({
			symbol: first.path,
			kind: first.kind,
			line: first.start.line,
			endLine: last.end.line,
			signature: signatureOf(first, query.lines),
		})),
		characters: query.document.text.length,
		imports: importLines(query.document.text, query.document.languageId),
		callers: callers.filter(({ files }) => files.length > 0),
		callees: distinct(await ownCallees(query, callees.flat())),
		...(notAsked > 0 ? { notAsked } : {}),
		...(unsupported.length > 0 ? { unsupported } : {}),
	};
}

const maxSignatureLines = 10;
const maxSignatureLength = 300;

function signatureOf({ at, end, kind }: DocumentSymbolEntry, lines: readonly string[]): string {
	const own = lines.slice(at.line - 1, Math.min(end.line, at.line - 1 + maxSignatureLines));
	const last = own.findIndex((line) => /(?:\{|:|=>|=|;)\s*$/.test(line));
	const text = own
		.slice(0, last < 0 ? 1 : last + 1)
		.join(" ")
		.replace(/\s+/g, " ")
		.trim();
	return (/^(?:function|method|constructor)$/.test(kind) ? withoutBody(text) : text)
		.replace(/\s*(?:\{|=)$/, "")
		.slice(0, maxSignatureLength);
}

/** Braces behind a colon or an arrow are a type. */
function withoutBody(text: string): string {
	if (!text.endsWith("}")) return text;
	let depth = 0;
	for (let at = text.length - 1; at >= 0; at--) {
		if (text[at] === "}") depth++;
		if (text[at] === "{" && --depth === 0) {
			const before = text.slice(0, at).trimEnd();
			return /(?:[:|&]|[-=]>)$/.test(before) ? text : before;
		}
	}
	return text;
}

type Ends = readonly [first: DocumentSymbolEntry, last: DocumentSymbolEntry];

function memberGroups(declared: readonly DocumentSymbolEntry[]): Ends[] {
	return topGroups(declared).flatMap(([first, last]): Ends[] => {
		if (!containers.test(first.kind)) return [[first, last]];
		const inner = memberGroups(first.children).filter(([member]) => members.test(member.kind));
		return implementation.test(first.name) ? inner : [[first, last], ...inner];
	});
}

function topGroups(symbols: readonly DocumentSymbolEntry[]): Ends[] {
	const groups: [first: DocumentSymbolEntry, last: DocumentSymbolEntry][] = [];
	for (const symbol of symbols) {
		const isBlock = implementation.test(symbol.name);
		// TypeScript names a callback after its call.
		if (/\s/.test(symbol.name) && !isBlock) continue;
		const group = groups.at(-1);
		if (!isBlock && group?.[0].path === symbol.path && group[0].kind === symbol.kind) group[1] = symbol;
		else groups.push([symbol, symbol]);
	}
	return groups;
}

async function usesOf(query: FileQuery, { at }: DocumentSymbolEntry) {
	if (!query.server.offers(references)) return [];
	const found = await query.request<Location[] | null>(
		references,
		{ ...at },
		{ context: { includeDeclaration: false } },
	);
	const own = query.displayPath(query.document.path);
	return (await query.countByFile(found)).filter(({ path }) => path !== own);
}

async function calleesOf(query: FileQuery, { at, kind }: DocumentSymbolEntry): Promise<CallHierarchyItem[]> {
	if (!query.server.offers(prepareCalls) || !callables.test(kind)) return [];
	const items = await functionsAt(query, { ...at });
	const calls = await Promise.all(items.map((item) => callsFrom(query, item)));
	return calls.flat().flatMap(({ to }) => (to.uri === query.document.uri ? [] : to));
}

async function ownCallees(query: FileQuery, called: readonly CallHierarchyItem[]) {
	const files = new Map<string, Map<string, CallHierarchyItem>>();
	for (const item of called) {
		const { line, character } = item.selectionRange.start;
		const items = files.get(item.uri) ?? new Map<string, CallHierarchyItem>();
		files.set(item.uri, items.set(`${line}:${character}`, item));
	}
	const found = await Promise.all(
		[...files].map(async ([uri, items]) => {
			const inOrder = [...items.values()].sort((a, b) => compare(a.selectionRange.start, b.selectionRange.start));
			const { places } = await query.locations(inOrder.map(({ selectionRange: range }) => ({ uri, range })));
			return places.flatMap(({ path, line, text }, index) => {
				const symbol = inOrder[index]?.name;
				return text === undefined || symbol === undefined ? [] : [{ path, symbol, line }];
			});
		}),
	);
	return found.flat();
}

function compare(a: Position, b: Position): number {
	return a.line - b.line || a.character - b.character;
}

function distinct<Item extends { readonly path: string; readonly line: number }>(items: readonly Item[]): Item[] {
	const distinctItems = new Map(items.map((item) => [`${item.path}:${item.line}`, item]));
	return [...distinctItems.values()].sort((a, b) => a.path.localeCompare(b.path, "en") || a.line - b.line);
}
