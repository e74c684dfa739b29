import { oneLine } from "../escape.ts";

/** A symbol as it is shown; lines are 1-based, the last one included. */
export interface ShownSymbol {
	readonly name: string;
	readonly kind: string;
	readonly line: number;
	readonly endLine: number;
	readonly children: readonly ShownSymbol[];
}

interface OutlineOptions {
	/** `outline`: `name [Kind] :line`, as agent-lsp writes it. */
	readonly format?: "tree" | "outline" | undefined;
	readonly omitted?: number | undefined;
}

/** `kind name  line-endLine`, members indented below. */
export function outline(
	symbols: readonly ShownSymbol[],
	{ format = "tree", omitted = 0 }: OutlineOptions = {},
): string {
	if (symbols.length === 0) return "The file declares nothing.";
	const lines = linesOf(symbols, format === "tree" ? treeLine : outlineLine, 0);
	return [...lines, ...(omitted > 0 ? [`... and ${omitted} more below or after these.`] : [])].join("\n");
}

function linesOf(symbols: readonly ShownSymbol[], write: (symbol: ShownSymbol) => string, depth: number): string[] {
	return symbols.flatMap((symbol) => [
		`${"  ".repeat(depth)}${write(symbol)}`,
		...linesOf(symbol.children, write, depth + 1),
	]);
}

function treeLine({ name, kind, line, endLine }: ShownSymbol): string {
	return `${kind} ${oneLine(name)}  ${line === endLine ? line : `${line}-${endLine}`}`;
}

function outlineLine({ name, kind, line }: ShownSymbol): string {
	return `${oneLine(name)} [${kind.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}] :${line}`;
}
