import { isInside } from "../util/paths.ts";

/** What a server may do with a file or a directory. */
export interface AccessRule {
	/** Absolute, with links followed. */
	readonly path: string;
	/**
	 * `hidden`: not visible. `private`: an empty writable directory instead. `read`, `write`: visible, and writable.
	 */
	readonly access: "hidden" | "private" | "read" | "write";
	readonly isDirectory: boolean;
}

const byWeight = ["hidden", "private", "read", "write"];

/**
 * Orders rules so that the deepest one counts over a readable disk. Of two for a path the more permissive one stays;
 * rules without effect go.
 */
export function inOrder(rules: readonly AccessRule[]): AccessRule[] {
	const weighed = [...rules].sort((a, b) => byWeight.indexOf(a.access) - byWeight.indexOf(b.access));
	const unique = new Map(weighed.map((rule) => [rule.path, rule]));
	const sorted = [...unique.values()].sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
	const kept: AccessRule[] = [];
	for (const rule of sorted) {
		const around = kept.findLast(({ path }) => isInside(rule.path, path))?.access ?? "read";
		const isThereAnyway = rule.access === around && around !== "private";
		const isGoneAnyway = rule.access === "hidden" && around === "private";
		if (!isThereAnyway && !isGoneAnyway) kept.push(rule);
	}
	return kept;
}

function depth({ path }: AccessRule): number {
	return path.split("/").filter(Boolean).length;
}
