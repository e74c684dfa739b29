/** LSP's SymbolKind, from 1, in the words of our answers. */
export const symbolKinds: readonly string[] =
	"file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
		" ",
	);

/** LSP's CompletionItemKind, from 1. */
export const completionKinds: readonly string[] =
	"text method function constructor field variable class interface module property unit value enum keyword snippet color file reference folder enum-member constant struct event operator type-parameter".split(
		" ",
	);

/** The word for a SymbolKind. */
export function symbolKind(kind: number): string {
	return symbolKinds[kind - 1] ?? "symbol";
}

/** The word for a CompletionItemKind. */
export function completionKind(kind: number | undefined): string {
	return (kind === undefined ? undefined : completionKinds[kind - 1]) ?? "text";
}
