import type { OutlineSymbol } from "../../operations/symbols.ts";
import { oneLine } from "../escape.ts";

interface OutlineOptions {
	/** `outline`: agent-lsp's `name [Kind] :line`. */
	readonly format?: "tree" | "outline" | undefined;
	readonly omitted?: number | undefined;
}

export function outlineText(
	symbols: readonly OutlineSymbol[],
	{ format = "tree", omitted = 0 }: OutlineOptions = {},
): string {
	if (symbols.length === 0) return "The file declares nothing.";
	const lines = linesOf(symbols, format === "tree" ? treeLine : outlineLine, 0);
	return [...lines, ...(omitted > 0 ? [`... and ${omitted} more below or after these.`] : [])].join("\n");
}

function linesOf(symbols: readonly OutlineSymbol[], write: (symbol: OutlineSymbol) => string, depth: number): string[] {
	return symbols.flatMap((symbol) => [
		`${"  ".repeat(depth)}${write(symbol)}`,
		...linesOf(symbol.children, write, depth + 1),
	]);
}

function treeLine({ name, kind, line, endLine }: OutlineSymbol): string {
	return `${kind} ${oneLine(name)}  ${line === endLine ? line : `${line}-${endLine}`}`;
}

function outlineLine({ name, kind, line }: OutlineSymbol): string {
	return `${oneLine(name)} [${kind.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}] :${line}`;
}
