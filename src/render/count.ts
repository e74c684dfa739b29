/** `count(1, "error is", "errors are")` is `1 error is`. */
export function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}
