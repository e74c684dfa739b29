import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { DocumentSymbolEntry } from "../query/document-symbols.ts";
import { outlineText } from "../render/answers/outline.ts";
import { File, Incomplete, incompleteFor } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp.ts";
import * as llxprt from "./compat/llxprt.ts";

const defaultLimit = 1000;

/** 1-based. */
export interface OutlineSymbol {
	readonly name: string;
	readonly kind: string;
	readonly detail?: string;
	readonly line: number;
	readonly column: number;
	readonly endLine: number;
	readonly endColumn: number;
	readonly nameLine: number;
	readonly nameColumn: number;
	readonly children: readonly OutlineSymbol[];
}

/** TypeBox 0.34 and hosts' 1.x write recursive types differently. */
const OutlinedSymbol = Type.Unsafe<OutlineSymbol>({
	type: "object",
	properties: {
		name: { type: "string" },
		kind: { type: "string" },
		detail: { type: "string", description: "What the server adds to its name: a signature, a type" },
		line: { type: "integer" },
		column: { type: "integer" },
		endLine: { type: "integer" },
		endColumn: { type: "integer", description: "Behind its last character" },
		nameLine: { type: "integer", description: "Where its name stands" },
		nameColumn: { type: "integer" },
		children: { type: "array", description: "Symbols of the same form", items: { type: "object" } },
	},
	required: ["name", "kind", "line", "column", "endLine", "endColumn", "nameLine", "nameColumn", "children"],
});

const Output = t.object({
	symbols: t.list(OutlinedSymbol),
	omitted: t.optional.integer("How many were left out for `depth` and `limit`"),
	characters: t.optional.integer("The length of the file"),
	...Incomplete,
});

export type Outline = ValueOf<typeof Output>;

export const symbols = defineOperation({
	name: "symbols",
	title: "Outline of a file",
	description:
		"The functions, classes, types and variables that a file declares, nested, with their lines. Read this before you read a long file.",
	effect: "read",
	core: true,
	requests: ["textDocument/documentSymbol"],
	input: t.object({
		file: File,
		format: t.optional.oneOf(
			["tree", "outline"],
			"`tree` (default): kinds and lines; `outline`: `name [Kind] :line`, as Markdown has it",
		),
		depth: t.optional.positive("Only so many levels; 1 is the top"),
		limit: t.optional.positive(`At most this many symbols (default ${defaultLimit})`),
	}),
	output: Output,
	positional: ["file"],
	aliases: [llxprt.symbols, agentLsp.symbols],
	example: {
		input: { file: "src/greet.ts" },
		output: {
			symbols: [
				{
					name: "greet",
					kind: "function",
					line: 1,
					column: 1,
					endLine: 3,
					endColumn: 2,
					nameLine: 1,
					nameColumn: 17,
					children: [],
				},
			],
		},
	},
	async run({ file, depth = Number.POSITIVE_INFINITY, limit = defaultLimit }, on): Promise<Outline> {
		const { answers, unanswered } = await on.askEach(file, async (query) => ({
			declared: await query.symbols(),
			characters: query.document.text.length,
		}));
		const characters = answers[0]?.answer.characters;
		const merged = answers.map(({ answer }) => answer.declared).reduce(mergeSymbols, []);
		const left = { count: limit };
		const found = limitTree(merged, depth, left);
		const omitted = countSymbols(merged) - (limit - left.count);
		return {
			symbols: found,
			...(omitted > 0 ? { omitted } : {}),
			...(characters === undefined ? {} : { characters }),
			...incompleteFor(unanswered),
		};
	},
	render: ({ symbols: found, omitted }, { format }) => outlineText(found, { format, omitted }),
	next({ omitted = 0 }, { file }) {
		if (omitted === 0) return undefined;
		return { operation: "symbols", input: { file, limit: 100_000 }, why: "All of them" };
	},
});

function mergeSymbols(
	one: readonly DocumentSymbolEntry[],
	other: readonly DocumentSymbolEntry[],
): DocumentSymbolEntry[] {
	const merged = [...one];
	const symbolKey = ({ name, start }: DocumentSymbolEntry) => `${start.line} ${name}`;
	const indexes = new Map(merged.map((symbol, at) => [symbolKey(symbol), at] as const).toReversed());
	for (const symbol of other) {
		const at = indexes.get(symbolKey(symbol));
		const known = at === undefined ? undefined : merged[at];
		if (at !== undefined && known) merged[at] = { ...known, children: mergeSymbols(known.children, symbol.children) };
		else indexes.set(symbolKey(symbol), merged.push(symbol) - 1);
	}
	return merged.sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column);
}

function limitTree(declared: readonly DocumentSymbolEntry[], depth: number, left: { count: number }): OutlineSymbol[] {
	const own = declared.slice(0, left.count);
	left.count -= own.length;
	return own.map(({ name, kind, detail, start, end, at, children }) => ({
		name,
		kind,
		...(detail === undefined ? {} : { detail }),
		...start,
		endLine: end.line,
		endColumn: end.column,
		nameLine: at.line,
		nameColumn: at.column,
		children: depth > 1 ? limitTree(children, depth - 1, left) : [],
	}));
}

function countSymbols(declared: readonly DocumentSymbolEntry[]): number {
	return declared.reduce((sum, { children }) => sum + 1 + countSymbols(children), 0);
}
