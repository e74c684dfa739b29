import type { OperationContext } from "../../daemon/operation-context.ts";
import type { Unasked, WorkspacePart, WorkspaceQuery } from "../../query/run-workspace.ts";
import type { FoundSymbol } from "../../query/workspace-symbols.ts";

const method = "workspace/symbol";

/** What the servers of a workspace know by a name. */
export interface Search {
	readonly symbols: FoundSymbol[];
	/** How many more there are in libraries. */
	readonly outside: number;
	/** Servers that told as many as they ever do. */
	readonly capped: string[];
	readonly unasked: readonly Unasked[];
	readonly incomplete?: string;
}

/**
 * Asks for a name as it is, in the whole workspace or a part of it; where nothing is called so, in lower case, since a
 * capital letter makes TypeScript 7 take the case seriously.
 */
export async function searchWorkspace(on: OperationContext, query: string, part?: WorkspacePart): Promise<Search> {
	const ask = async ({ symbols, most }: WorkspaceQuery) => {
		const found = await symbols(query);
		const lower = query.toLowerCase();
		const more = found.answered === 0 && lower !== query ? await symbols(lower) : found;
		return { ...more, capped: most !== undefined && more.answered >= most };
	};
	const { answers, unasked } = await on.askWorkspace(method, ask, part);
	const known = new Set<string>();
	const symbols = answers
		.flatMap(({ answer }) => answer.symbols)
		.filter(({ symbol, path, line }) => {
			const key = `${path}:${line}:${symbol}`;
			return !known.has(key) && known.add(key);
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
