import { Type } from "@sinclair/typebox";
import type { DocumentSymbol, SymbolInformation } from "vscode-languageserver-protocol";
import { defineOperation } from "../operation.ts";
import { outline } from "../text/outline.ts";
import { File } from "./inputs.ts";

/** LSP's SymbolKind, from 1. */
const kindNames =
	"file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
		" ",
	);

interface Outlined {
	readonly name: string;
	readonly kind: string;
	readonly line: number;
	readonly endLine: number;
	readonly children: readonly Outlined[];
}

/** One level is described; a recursive type is written differently in TypeBox 0.34 and in the 1.x of the hosts. */
const OutlinedSymbol = Type.Unsafe<Outlined>({
	type: "object",
	properties: {
		name: { type: "string" },
		kind: { type: "string" },
		line: { type: "integer" },
		endLine: { type: "integer" },
		children: { type: "array", description: "Symbols of the same form", items: { type: "object" } },
	},
	required: ["name", "kind", "line", "endLine", "children"],
});

export const symbols = defineOperation({
	name: "symbols",
	title: "Outline of a file",
	description:
		"The functions, classes, types and variables that a file declares, nested, with their lines. Read this before you read a long file.",
	effect: "read",
	core: true,
	asks: ["textDocument/documentSymbol"],
	input: Type.Object({ file: File }),
	output: Type.Object({ symbols: Type.Array(OutlinedSymbol) }),
	positional: ["file"],
	example: {
		input: { file: "src/greet.ts" },
		output: { symbols: [{ name: "greet", kind: "function", line: 1, endLine: 3, children: [] }] },
	},
	async run({ file }, on) {
		return on.ask(file, async (asked) => {
			const found = await asked.request<(DocumentSymbol | SymbolInformation)[] | null>("textDocument/documentSymbol");
			return { symbols: (found ?? []).map((symbol) => convert(symbol, asked.lineOf)) };
		});
	},
	render: ({ symbols: found }) => outline(found),
});

function convert(
	symbol: DocumentSymbol | SymbolInformation,
	lineOf: (position: { line: number; character: number }) => number,
): Outlined {
	const range = "location" in symbol ? symbol.location.range : symbol.range;
	const children = "children" in symbol ? (symbol.children ?? []) : [];
	return {
		name: symbol.name,
		kind: kindNames[symbol.kind - 1] ?? "symbol",
		line: lineOf(range.start),
		endLine: lineOf(range.end),
		children: children.map((child) => convert(child, lineOf)),
	};
}
