export function namesOf(path: string): string[] {
	return path.split(/\.|::|#/).filter((name) => name !== "");
}
