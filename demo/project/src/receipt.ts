import { type Item, total } from "./cart.ts";
import { format } from "./money.ts";

/** The receipt of a cart, one line for each item. */
export function receipt(items: readonly Item[]): string {
	const lines = items.map((item) => `${item.count} x ${item.name}`);
	return [...lines, `total ${format(total(items))}`].join("\n");
}
