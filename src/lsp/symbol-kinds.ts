/** LSP's SymbolKind, from 1. */
export const symbolKinds =
	"file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
		" ",
	);

/** The word for a kind of symbol. */
export function kindOf(kind: number): string {
	return symbolKinds[kind - 1] ?? "symbol";
}
