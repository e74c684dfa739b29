/** The names of a dotted path; `::` and `#` separate names too. */
export function namesOf(path: string): string[] {
	return path.split(/\.|::|#/).filter((name) => name !== "");
}
