import { oneLine } from "./escape.ts";

export function incompleteLine(output: unknown): string[] {
	const { incomplete } = (output ?? {}) as { readonly incomplete?: string };
	return incomplete === undefined ? [] : [`The answer may be incomplete: ${oneLine(incomplete)}`];
}
