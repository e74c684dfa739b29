/** As `\s`, but cheaper. */
export function isBlank(unit: number): boolean {
	return unit < 0x80 ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) : /\s/.test(String.fromCharCode(unit));
}
