import { oneLine } from "../escape.ts";

/** What may be missing in an answer, in one line; nothing where it is whole. */
export function incompleteLine(output: unknown): string[] {
	const { incomplete } = (output ?? {}) as { readonly incomplete?: string };
	return incomplete === undefined ? [] : [`The answer may be incomplete: ${oneLine(incomplete)}`];
}
