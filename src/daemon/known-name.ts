import type { KnownNameResult } from "../contract/protocol.ts";
import { namesOf } from "../contract/symbol-path.ts";
import type { LocationList } from "../query/locations.ts";
import type { OperationContext } from "./operation-context.ts";

const maxUses = 10_000;

export async function knownName(
	wanted: string,
	on: OperationContext,
	references: (input: object) => Promise<unknown>,
): Promise<KnownNameResult> {
	const found = await on
		.askWorkspace("workspace/symbol", ({ symbols }) => symbols(wanted), { runningOnly: true })
		.catch(() => undefined);
	const declared = (found?.answers ?? [])
		.flatMap(({ answer }) => answer.symbols)
		.filter(({ symbol }) => namesOf(symbol).at(-1) === wanted);
	const [first] = declared;
	// Overloads are one symbol.
	if (!first || declared.some(({ symbol, path }) => symbol !== first.symbol || path !== first.path)) return {};
	const { symbol, path: file } = first;
	const { places, total } = (await references({ file, symbol, limit: maxUses })) as LocationList;
	if (total === 0 || total > maxUses) return {};
	return { use: { symbol, file, uses: total, files: new Set(places.map(({ path }) => path)).size } };
}
