import { completionKinds, symbolKinds } from "../util/kinds.ts";

/** The word for a SymbolKind. */
export function symbolKind(kind: number): string {
	return symbolKinds[kind - 1] ?? "symbol";
}

/** The word for a CompletionItemKind. */
export function completionKind(kind: number | undefined): string {
	return (kind === undefined ? undefined : completionKinds[kind - 1]) ?? "text";
}
