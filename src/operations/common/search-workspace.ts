import type { OperationContext } from "../../daemon/operation-context.ts";
import type { Unasked, WorkspacePart, WorkspaceQuery } from "../../query/run-workspace.ts";
import type { FoundSymbol } from "../../query/workspace-symbols.ts";

const method = "workspace/symbol";

export interface SearchResult {
	readonly symbols: FoundSymbol[];
	readonly outside: number;
	readonly capped: string[];
	readonly unasked: readonly Unasked[];
	readonly incomplete?: string;
}

/** TypeScript 7 matches case for a query with a capital: without a match it is repeated in lower case. */
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
