import { type Static, Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import type { DocumentSymbolEntry } from "../query/document-symbols.ts";
import { outline } from "../render/answers/outline.ts";
import { File, oneOf } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp.ts";
import * as llxprt from "./compat/llxprt.ts";

const defaultLimit = 1000;

/** A symbol of the outline; 1-based. */
export interface Outlined {
	readonly name: string;
	readonly kind: string;
	readonly line: number;
	readonly column: number;
	readonly endLine: number;
	readonly endColumn: number;
	/** Where its name stands. */
	readonly nameLine: number;
	readonly nameColumn: number;
	readonly children: readonly Outlined[];
}

/** One level is described; a recursive type is written differently in TypeBox 0.34 and in the 1.x of the hosts. */
const OutlinedSymbol = Type.Unsafe<Outlined>({
	type: "object",
	properties: {
		name: { type: "string" },
		kind: { type: "string" },
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

const Output = Type.Object({
	symbols: Type.Array(OutlinedSymbol),
	omitted: Type.Optional(Type.Integer({ description: "How many were left out for `depth` and `limit`" })),
});

export const symbols = defineOperation({
	name: "symbols",
	title: "Outline of a file",
	description:
		"The functions, classes, types and variables that a file declares, nested, with their lines. Read this before you read a long file.",
	effect: "read",
	core: true,
	asks: ["textDocument/documentSymbol"],
	input: Type.Object({
		file: File,
		format: Type.Optional(
			oneOf(
				["tree", "outline"],
				"`tree` (default): kinds and lines; `outline`: `name [Kind] :line`, as Markdown has it",
			),
		),
		depth: Type.Optional(Type.Integer({ minimum: 1, description: "Only so many levels; 1 is the top" })),
		limit: Type.Optional(
			Type.Integer({ minimum: 1, description: `At most this many symbols (default ${defaultLimit})` }),
		),
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
	async run({ file, depth = Number.POSITIVE_INFINITY, limit = defaultLimit }, on): Promise<Static<typeof Output>> {
		const answers = await on.askEach(file, async (asked) => ({ declared: await asked.symbols() }));
		const union = answers.map(({ answer }) => answer.declared).reduce(united, []);
		const left = { count: limit };
		const found = cut(union, depth, left);
		const omitted = countOf(union) - (limit - left.count);
		return { symbols: found, ...(omitted > 0 ? { omitted } : {}) };
	},
	render: ({ symbols: found, omitted }, { format }) => outline(found, { format, omitted }),
	next({ omitted = 0 }, { file }) {
		if (omitted === 0) return undefined;
		return { operation: "symbols", input: { file, limit: 100_000 }, why: "All of them" };
	},
});

/** What several servers say of one file: what they agree on is told once. */
function united(one: readonly DocumentSymbolEntry[], other: readonly DocumentSymbolEntry[]): DocumentSymbolEntry[] {
	const merged = [...one];
	const keyOf = ({ name, start }: DocumentSymbolEntry) => `${start.line} ${name}`;
	const places = new Map(merged.map((symbol, at) => [keyOf(symbol), at] as const).toReversed());
	for (const symbol of other) {
		const at = places.get(keyOf(symbol));
		const known = at === undefined ? undefined : merged[at];
		if (at !== undefined && known) merged[at] = { ...known, children: united(known.children, symbol.children) };
		else places.set(keyOf(symbol), merged.push(symbol) - 1);
	}
	return merged.sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column);
}

/** The first levels of a tree, and no more of its symbols than are left; those of one level before what is in them. */
function cut(declared: readonly DocumentSymbolEntry[], depth: number, left: { count: number }): Outlined[] {
	const own = declared.slice(0, left.count);
	left.count -= own.length;
	return own.map(({ name, kind, start, end, at, children }) => ({
		name,
		kind,
		...start,
		endLine: end.line,
		endColumn: end.column,
		nameLine: at.line,
		nameColumn: at.column,
		children: depth > 1 ? cut(children, depth - 1, left) : [],
	}));
}

function countOf(declared: readonly DocumentSymbolEntry[]): number {
	return declared.reduce((sum, { children }) => sum + 1 + countOf(children), 0);
}
