import { oneLine } from "../escape.ts";

/** The line about an incomplete answer, if it is incomplete. */
export function incompleteLine(output: unknown): string[] {
	const { incomplete } = (output ?? {}) as { readonly incomplete?: string };
	return incomplete === undefined ? [] : [`The answer may be incomplete: ${oneLine(incomplete)}`];
}
