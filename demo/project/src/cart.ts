import type { Cents } from "./money.ts";

/** One line of a cart. */
export interface Item {
	readonly name: string;
	readonly price: Cents;
	readonly count: number;
}

/** What all items cost together. */
export function total(items: readonly Item[]): Cents {
	return items.reduce((sum, item) => sum + item.price * item.count, 0);
}
