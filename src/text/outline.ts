/** A symbol as it is shown; lines are 1-based, the last one included. */
export interface ShownSymbol {
	readonly name: string;
	readonly kind: string;
	readonly line: number;
	readonly endLine: number;
	readonly children: readonly ShownSymbol[];
}

/** `kind name  line-endLine`, members indented below. */
export function outline(symbols: readonly ShownSymbol[], depth = 0): string {
	if (symbols.length === 0 && depth === 0) return "The file declares nothing.";
	return symbols
		.map(({ name, kind, line, endLine, children }) => {
			const lines = line === endLine ? `${line}` : `${line}-${endLine}`;
			const own = `${"  ".repeat(depth)}${kind} ${name}  ${lines}`;
			return children.length ? `${own}\n${outline(children, depth + 1)}` : own;
		})
		.join("\n");
}
