import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { namesOf } from "../contract/symbol-path.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import type { FoundSymbol } from "../query/workspace-symbols.ts";
import { listSymbols } from "../render/answers/workspace-symbols.ts";
import { Incomplete, Unasked } from "./common/inputs.ts";
import { byCodeUnit, rankName } from "./common/rank-names.ts";
import { searchWorkspace } from "./common/search-workspace.ts";
import * as agentLsp from "./compat/agent-lsp-symbols.ts";
import * as llxprt from "./compat/llxprt.ts";
import { hoverAt } from "./hover.ts";

const defaultLimit = 50;

const Output = t.object({
	symbols: t.objects({
		symbol: t.text(),
		kind: t.text(),
		path: t.text(),
		line: t.integer(),
		column: t.optional.integer(),
		endLine: t.optional.integer(),
		endColumn: t.optional.integer(),
		test: t.optional.flag("It stands in a test"),
		hover: t.optional.text("Its type and documentation, where they were asked for"),
	}),
	total: t.integer(),
	outside: t.optional.integer("Found in libraries, and not listed"),
	capped: t.optional.texts("Servers that answer no more than they did: narrow the query"),
	...Unasked,
	...Incomplete,
});

export type WorkspaceSymbols = ValueOf<typeof Output>;

export const workspaceSymbols = defineOperation({
	name: "workspace_symbols",
	title: "Symbols by name",
	description:
		"Declarations of the whole workspace whose names are like a word, the nearest first, with kind and line. Better than a text search, which finds every use; names in libraries are counted, not listed.",
	effect: "read",
	aliases: [agentLsp.workspaceSymbols, llxprt.workspaceSymbols],
	requests: ["workspace/symbol"],
	input: t.object({
		query: t.optional.text("A name, or letters of it in their order; all without it"),
		kind: t.optional.text("Only this kind: class, function, method, interface, …"),
		limit: t.optional.positive(`At most this many symbols (default ${defaultLimit})`),
		offset: t.optional.integer("Leave out so many of the first ones", { minimum: 0 }),
		hover: t.optional.integer("Tell type and documentation of so many of the listed symbols", { minimum: 0 }),
		hover_offset: t.optional.integer("Tell them of none of the first so many listed", { minimum: 0 }),
	}),
	output: Output,
	positional: ["query"],
	example: {
		input: { query: "greet" },
		output: { symbols: [{ symbol: "greet", kind: "function", path: "src/greet.ts", line: 1 }], total: 1 },
	},
	async run({ query = "", kind, limit = defaultLimit, offset = 0, hover = 0, hover_offset: from = 0 }, on) {
		const { symbols, outside, capped, unasked, incomplete } = await searchWorkspace(on, query);
		const last = namesOf(query).at(-1) ?? "";
		const ranked = symbols
			.filter((found) => kind === undefined || found.kind === kind)
			.map((found) => ({ found, rank: rankName(namesOf(found.symbol).at(-1) ?? "", last) ?? 9 }))
			.sort(
				({ found: a, rank: rankA }, { found: b, rank: rankB }) =>
					Number(a.test ?? false) - Number(b.test ?? false) ||
					rankA - rankB ||
					byCodeUnit(a.path, b.path) ||
					a.line - b.line,
			);
		const listed = ranked.slice(offset, offset + limit).map(({ found }) => found);
		const isHovered = (index: number) => index >= from && index < from + hover;
		return {
			symbols: await Promise.all(listed.map((found, index) => (isHovered(index) ? withHover(found, on) : found))),
			total: ranked.length,
			...(outside > 0 ? { outside } : {}),
			...(capped.length > 0 ? { capped } : {}),
			...(unasked.length > 0 ? { unasked } : {}),
			...(incomplete === undefined ? {} : { incomplete }),
		};
	},
	render: (found, { query = "" }) => listSymbols(found, query),
	next({ symbols, total }, { offset = 0, ...input }) {
		const shown = offset + symbols.length;
		if (shown >= total || symbols.length === 0) return undefined;
		return { operation: "workspace_symbols", input: { ...input, offset: shown }, why: `The other ${total - shown}` };
	},
});

async function withHover(found: FoundSymbol, on: OperationContext): Promise<FoundSymbol & { readonly hover?: string }> {
	try {
		const ask = async (query: FileQuery) => ({ text: await hoverAt(query, await namePointer(found, query)) });
		const { text } = await on.ask({ file: found.path, isEmpty: (answer) => answer.text === "" }, ask);
		return text === "" ? found : { ...found, hover: text };
	} catch {
		on.signal.throwIfAborted();
		return found;
	}
}

/** Some servers' ranges begin before the name (`export class`), or above it (a decorator). */
async function namePointer({ symbol, line, column }: FoundSymbol, query: FileQuery): Promise<Pointer> {
	const name = namesOf(symbol).at(-1) ?? symbol;
	if (column !== undefined && query.lines[line - 1]?.startsWith(name, column - 1)) return { line, column };
	const onLine = { symbol: name, line };
	return query.position(onLine).then(
		() => onLine,
		() => ({ symbol }),
	);
}
