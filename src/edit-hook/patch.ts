export function pathsOfPatch(patch: string): string[] {
	const headers = patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ b\/)(.+)$/gm);
	const paths = [...headers].map((match) => (match[1] ?? "").trim());
	return [...new Set(paths)].filter((path) => path && path !== "/dev/null");
}
