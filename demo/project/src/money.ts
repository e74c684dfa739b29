/** An amount of money, in cents. */
export type Cents = number;

/** An amount as a customer reads it. */
export function format(amount: Cents): string {
	return [(amount / 100).toFixed(2), "EUR"].join(" ");
}
