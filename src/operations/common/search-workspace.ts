import type { OperationContext } from "../../daemon/operation-context.ts";
import type { Unasked, WorkspacePart, WorkspaceQuery } from "../../query/run-workspace.ts";
import type { FoundSymbol } from "../../query/workspace-symbols.ts";

const method = "workspace/symbol";

export interface SearchResult {
	readonly symbols: FoundSymbol[];
	/** How many symbols are in libraries. */
	readonly outside: number;
	/** Servers whose answer has their maximal length. */
	readonly capped: string[];
	readonly unasked: readonly Unasked[];
	readonly incomplete?: string;
}

/**
 * Searches the workspace, or a part of it, for symbols. A server without a match is asked again in lower case, since
 * TypeScript 7 matches case-sensitively if the query has a capital letter.
 */
export async function searchWorkspace(
	on: OperationContext,
	query: string,
	part?: WorkspacePart,
): Promise<SearchResult> {
	const ask = async ({ symbols, maxSymbols }: WorkspaceQuery) => {
		const found = await symbols(query);
		const lower = query.toLowerCase();
		const more = found.answered === 0 && lower !== query ? await symbols(lower) : found;
		return { ...more, capped: maxSymbols !== undefined && more.answered >= maxSymbols };
	};
	const { answers, unasked } = await on.askWorkspace(method, ask, part);
	const seen = new Set<string>();
	const symbols = answers
		.flatMap(({ answer }) => answer.symbols)
		.filter(({ symbol, path, line }) => {
			const key = `${path}:${line}:${symbol}`;
			return !seen.has(key) && seen.add(key);
		});
	const incomplete = answers.flatMap(({ answer }) => answer.incomplete ?? []);
	return {
		symbols,
		outside: answers.reduce((sum, { answer }) => sum + answer.outside, 0),
		capped: answers.filter(({ answer }) => answer.capped).map(({ server }) => server),
		unasked,
		...(incomplete.length > 0 ? { incomplete: incomplete.join("; ") } : {}),
	};
}
