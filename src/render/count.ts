/** A number with the words that go with it: `count(1, "error is", "errors are")`. */
export function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}
